import { Attribute } from '../base/cell-block.ts';
import type { CellBlock } from '../base/cell-block.ts';
import { clockText } from '../base/clock-text.ts';
import { formatCount } from '../base/format.ts';
import { wallMs } from '../base/time.ts';
import type { AcrossMetric, LeftOut } from '../heatmap/joint/joint-counts.ts';
import type { Layer } from '../model/layer.ts';
import type { AxisValues } from '../model/metric.ts';
import type { Scale } from '../heatmap/axis/scale.ts';
import { nearestEdge } from './axis-labels.ts';
import { drawLegendOf } from './draw-legend.ts';
import { unitOf } from './legend.ts';
import { drawBody, drawCounting, drawNothing, isEmpty, canvasOf } from './draw-pane.ts';
import { withoutBoth } from './empty-text.ts';
import { notesOn, WITHOUT } from './notes.ts';
import type { PaneLayout } from './pane-layout.ts';
import type { PaneOptions, Picture, PaneCanvas } from './pane-canvas.ts';
import { QUIET, write } from './pane-canvas.ts';
import { distinctLabels } from './distinct-labels.ts';
import { formatWallMoment, NS_PER_DAY } from './time-labels.ts';

/** A map of two values, whose columns are the bins of the x axis; implemented by `JointMap`. */
export interface JointPicture extends Picture {
  readonly across: Scale;
  readonly acrossMetric: AcrossMetric;
  readonly acrossValues: AxisValues;
  readonly leftOut: Readonly<LeftOut>;
  /** I/Os in the window without pairs of values, because they are known only as aggregates. */
  readonly aggregated: { readonly count: number; readonly undecided: number };
  /** The window of time, in ns. */
  readonly startNs: number;
  readonly endNs: number;
}

const ACROSS_TITLES: Readonly<Partial<Record<AxisValues, string>>> = {
  size: 'size of the I/O',
  offset: 'offset on the disk',
  diskShare: 'offset in % of each disk',
};
const SHORT_TITLES: typeof ACROSS_TITLES = {
  size: 'size',
  offset: 'offset',
  diskShare: 'offset',
};

/** Columns of a label with its mark and a gap. */
const LABEL_COLUMNS = 10;
const LABEL_WIDTH = 7;

export function drawJoint(
  picture: JointPicture,
  layout: PaneLayout,
  options: PaneOptions,
): CellBlock {
  const canvas = canvasOf(picture, layout, options);
  drawBody(canvas);
  drawAcross(canvas, picture);
  drawLegendOf(canvas, unitOf(picture.map, options.layers), jointNotes(canvas, picture));
  if (isEmpty(canvas)) drawNothing(canvas, emptyText(picture, options.layers?.[0]));
  drawCounting(canvas, picture);
  return canvas.block;
}

/** Why nothing is drawn; undefined if there is no I/O. */
function emptyText(
  { aggregated, leftOut, acrossMetric, map }: JointPicture,
  layer: Layer | undefined,
): string | undefined {
  const isLeftOut = leftOut.withoutAcross + leftOut.unmeasurable > 0;
  if (aggregated.count === 0)
    return isLeftOut ? withoutBoth(acrossMetric, map.metric, layer) : undefined;
  return isLeftOut ? 'nothing of this time can be drawn' : 'all I/O of this time is aggregated';
}

/** Below the map: round values of the x axis, each with a mark under the column where it starts. */
function drawAcross(canvas: PaneCanvas, picture: JointPicture): void {
  const { across, acrossValues } = picture;
  const { map, timeRow, width } = canvas.layout;
  if (timeRow === undefined) return;
  const title = (map.width < 60 ? SHORT_TITLES : ACROSS_TITLES)[acrossValues];
  if (title === undefined) return;
  const titleX = width - title.length - 2;
  const ticks = across.ticks(Math.max(2, map.width / LABEL_COLUMNS));
  const texts = distinctLabels(acrossValues, ticks, LABEL_WIDTH);
  let free = map.x;
  for (const [i, tick] of ticks.entries()) {
    const column = across.binOf(tick);
    if (column < 0 || column >= across.bins) continue;
    const x = map.x + nearestEdge(across, tick, column);
    const text = `└${texts[i]!}`;
    if (x < free || x + text.length >= titleX) continue;
    write(canvas, x, timeRow, text, QUIET);
    free = x + text.length + 1;
  }
  if (titleX >= map.x) write(canvas, titleX, timeRow, `${title} →`, { attr: Attribute.bold });
}

/** What is not drawn, and which time is shown. The time is dropped first if there is no room for both. */
function jointNotes(canvas: PaneCanvas, picture: JointPicture): string[] {
  const { leftOut, aggregated, acrossMetric, map } = picture;
  const { left, right, withoutAcross, unmeasurable } = leftOut;
  const undecided = leftOut.undecided + aggregated.undecided;
  const missing = [
    noteOf(aggregated.count, 'aggregated: not drawn'),
    noteOf(undecided, 'may match the filter or not'),
    noteOf(left + right, 'off the x axis'),
    noteOf(withoutAcross, WITHOUT[acrossMetric]),
    noteOf(unmeasurable, WITHOUT[map.metric]),
  ].filter((note) => note !== '');
  const cut = notesOn(map, canvas.totals)[0] ?? '';
  const span = spanText(canvas, picture);
  const all = [missing.join(', '), cut, span].filter((note) => note !== '').join('; ');
  const most = [missing.join(', '), cut].filter((note) => note !== '').join('; ');
  const first = aggregated.count === 0 ? [] : [`${formatCount(aggregated.count)} not drawn`];
  return [all, most, missing.join(', '), missing[0] ?? '', ...first, span].filter(
    (note) => note !== '',
  );
}

function noteOf(count: number, what: string): string {
  return count === 0 ? '' : `${formatCount(count)} ${what}`;
}

/** `14:02:11–now`; with the date where a time of day would mean two moments. */
function spanText({ options }: PaneCanvas, { startNs, endNs }: JointPicture): string {
  const { clockBase, frozenAtNs } = options;
  const fromNs = Math.max(0, startNs);
  const toNs = Math.min(frozenAtNs ?? endNs, endNs);
  const format = toNs - fromNs > NS_PER_DAY ? formatWallMoment : clockText;
  const to = frozenAtNs === undefined ? 'now' : format(wallMs(clockBase, toNs));
  return `${format(wallMs(clockBase, fromNs))}–${to}`;
}
