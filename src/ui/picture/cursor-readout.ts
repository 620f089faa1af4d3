import type { CellBlock } from '../../base/cell-block.ts';
import { formatByteSum, formatDuration, formatPercent } from '../../base/format.ts';
import type { ClockBase } from '../../base/time.ts';
import { boxOfCells } from '../../heatmap/cells/box-of-cells.ts';
import type { Heatmap } from '../../heatmap/time/heatmap.ts';
import type { Box, ValuesInBox } from '../../filter/box.ts';
import { nounOf } from '../../model/layer.ts';
import type { Layer } from '../../model/layer.ts';
import type { PaneLayout } from '../../raster/pane-layout.ts';
import { metricTitle } from '../../view/describe.ts';
import type { MapCell } from '../../view/state.ts';
import { timeRangeText } from '../../base/clock-text.ts';
import { rangeOf } from './draw-cursor.ts';
import { exactAmount, exactCount } from '../text/figures.ts';
import { laneForms } from '../text/lane-forms.ts';
import { fitSegments } from '../text/fit-segments.ts';
import type { Segment } from '../text/fit-segments.ts';
import { putLine } from '../text/line-block.ts';
import { exactLine, span } from '../text/span.ts';
import type { Line } from '../text/span.ts';
import type { Theme } from '../text/theme.ts';
import { valueRangeForms } from '../text/value-range-text.ts';

/** The figures of the cell or box under the cursor. */
export interface CursorReadout {
  readonly box: Box;
  readonly layer?: Layer;
  /** I/Os there, or disks in the map of utilization. */
  readonly count: number;
  /** `count` as a share of all in the same time, also of those without a value, as in the drill-down; 0 to 1. */
  readonly share: number;
  /** The weight of the cell, if pixels are weighted: the value behind their colours. */
  readonly waitedNs?: number | undefined;
  readonly bytes?: number | undefined;
  /** Whether it is more than one pixel. */
  readonly isBox: boolean;
}

/** Reads the figures of a cell or box. Counts as the picture does, so that figures and colours agree. */
export function readoutOf(map: Heatmap, cursor: MapCell, anchor?: MapCell): CursorReadout {
  // The map is lower than when the cell was chosen if maps of new layers share its height: above it, as in its box, are
  // the outliers.
  const inside = (cell: MapCell): MapCell => ({ ...cell, bin: Math.min(cell.bin, map.bins) });
  const { from, to } = rangeOf(inside(cursor), inside(anchor ?? cursor));
  let count = 0;
  let total = 0;
  let weight = 0;
  for (let column = from.column; column <= to.column; column++) {
    const first = map.indexOf(column);
    for (let bin = from.bin; bin <= to.bin; bin++) {
      count += map.counts[first + bin]!;
      weight += map.pixels[first + bin]!;
    }
    total += map.columnTotal(column) + map.unmeasurableCount(column);
  }
  return {
    box: boxOfCells(map, from.column, to.column, from.bin, to.bin),
    count,
    share: total === 0 ? 0 : count / total,
    waitedNs: map.weight === 'time' ? weight : undefined,
    bytes: map.weight === 'bytes' ? weight : undefined,
    isBox: anchor !== undefined,
  };
}

/** `14:02:11–14:02:12  1.2–1.4ms  37 I/Os (1.2%)  148 kB`: exactly `width` cells. */
export function readoutLine(readout: CursorReadout, clockBase: ClockBase, width: number): Line {
  const { box, isBox } = readout;
  const segments: Segment[] = [
    badgeSegment(isBox),
    { forms: [timeRangeText(clockBase, box.startNs, box.endNs)], priority: 3 },
    lengthSegment(readout),
    { forms: valueRangeForms(box), priority: 2 },
    ...countSegments(readout),
    ...weighedSegments(readout),
  ];
  return exactLine([span(' '), ...fitSegments(segments, Math.max(0, width - 2))], width);
}

/** For a map of two values, the x axis first: `size 4–8K  device latency 1.2–1.4ms`. */
export function jointReadoutLine(readout: CursorReadout, across: ValuesInBox, width: number): Line {
  const { box, isBox } = readout;
  const segments: Segment[] = [
    badgeSegment(isBox),
    named(across, 3),
    named(box, 2),
    ...countSegments(readout, isBox ? 'of its columns' : 'of this column'),
    ...weighedSegments(readout),
  ];
  return exactLine([span(' '), ...fitSegments(segments, Math.max(0, width - 2))], width);
}

function named(values: ValuesInBox, priority: number): Segment {
  const forms = valueRangeForms(values);
  const titled = forms.map((form) => `${metricTitle(values.metric)} ${form}`);
  return { forms: [...titled, forms.at(-1)!], priority };
}

/** What the colours stand for, where they are weighted. */
function weighedSegments({ waitedNs, bytes }: CursorReadout): Segment[] {
  return [
    { forms: waitedNs === undefined ? [] : [`waited ${formatDuration(waitedNs)}`], priority: 6 },
    { forms: bytes === undefined ? [] : [formatByteSum(bytes)], priority: 6 },
  ];
}

/** The length of a box: people draw boxes also to measure time. */
function lengthSegment({ box, isBox }: Pick<CursorReadout, 'box' | 'isBox'>): Segment {
  const text = `(${formatDuration(box.endNs - box.startNs)})`;
  return { forms: isBox ? [text] : [], priority: 4, gap: 1 };
}

function badgeSegment(isBox: boolean): Segment {
  return { forms: [isBox ? ' BOX ' : ' CURSOR '], priority: 5, role: 'badge' };
}

/** The figures of cells of lanes. */
export interface LaneReadout {
  readonly box: Box;
  readonly layer?: Layer;
  readonly count: number;
  readonly maxNs: number | undefined;
  /** The figure behind the colour, and its value if there is one cell. */
  readonly figure: string;
  readonly figureNs: number | undefined;
  readonly isBox: boolean;
}

/** `14:02:11–14:02:12  sda  37 I/Os  p99 1.2ms  slowest 3ms`: exactly `width` cells. */
export function laneReadoutLine(readout: LaneReadout, clockBase: ClockBase, width: number): Line {
  const { box, count, layer, maxNs, figure, figureNs, isBox } = readout;
  const known = figureNs === undefined ? [] : [`${figure} ${formatDuration(figureNs)}`];
  const segments: Segment[] = [
    badgeSegment(isBox),
    { forms: [timeRangeText(clockBase, box.startNs, box.endNs)], priority: 3 },
    lengthSegment(readout),
    { forms: laneForms(box.where ?? []), priority: 2 },
    { forms: [exactAmount(count, nounOf(layer))], priority: 4, role: 'strong' },
    { forms: known, priority: 1, role: 'strong' },
    { forms: maxNs === undefined ? [] : [`slowest ${formatDuration(maxNs)}`], priority: 6 },
  ];
  return exactLine([span(' '), ...fitSegments(segments, Math.max(0, width - 2))], width);
}

/** The count. Disks are not added up over columns, because they are the same disks. */
function countSegments({ box, layer, count, share, isBox }: CursorReadout, ofWhat = ''): Segment[] {
  if (box.metric === 'utilization')
    return [{ forms: isBox ? [] : [exactAmount(count, 'disk')], priority: 1, role: 'strong' }];
  const percent = formatPercent(share);
  return [
    { forms: [exactAmount(count, nounOf(layer)), exactCount(count)], priority: 1, role: 'strong' },
    { forms: [`(${`${percent} ${ofWhat}`.trim()})`, `(${percent})`], priority: 4, gap: 1 },
  ];
}

/** Takes the place of the legend: the exact count says more than a colour. */
export function drawReadout(
  block: CellBlock,
  { legendRow, width }: Pick<PaneLayout, 'legendRow' | 'width'>,
  line: Line,
  theme: Theme,
): void {
  if (legendRow === undefined) return;
  putLine(block, 0, legendRow, exactLine(line, width), theme);
}
