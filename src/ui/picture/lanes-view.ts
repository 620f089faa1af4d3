import type { LaneMap } from '../../heatmap/lanes/lane-map.ts';
import type { Box } from '../../filter/box.ts';
import type { Term } from '../../filter/filter.ts';
import type { Latency } from '../../model/metric.ts';
import type { LanePicture } from '../../monitor/monitor.ts';
import { drawLanes, laneMiddle } from '../../raster/draw-lanes.ts';
import type { LanesLayout, LanesPicture } from '../../raster/draw-lanes.ts';
import { laneFigureTitle } from '../../view/describe.ts';
import type { MapCell } from '../../view/state.ts';
import { drawReadout, laneReadoutLine } from './cursor-readout.ts';
import { drawLaneCursor, rangeOf } from './draw-cursor.ts';
import { once, paneOptions, stampOf } from './picture-view.ts';
import type { PictureParts, PictureView, PointedMap } from './picture-view.ts';

/** The subjects of the lanes, and what is written about them. */
export interface Lanes {
  readonly layout: LanesLayout;
  /** The labels left of the map, from the top. */
  readonly labels: readonly string[];
  readonly count: (picture: LanePicture) => LaneMap;
  /** Notes about I/O that is not drawn, or has no lane of its own. */
  readonly notes: (shown: LaneMap) => readonly string[];
  /** The filter terms of these lanes, both ends included; empty for all I/O. */
  readonly where: (from: number, to: number) => readonly Term[];
}

/** Lanes with time across, and colour for how slow. */
export function lanesView(parts: PictureParts, lanes: Lanes): PictureView {
  const { monitor, view, width, height, style, theme } = parts;
  const { info } = monitor.source;
  const { layout, labels } = lanes;
  const picture = {
    metric: view.latency,
    figure: view.laneFigure,
    columnNs: view.intervalNs,
    columns: Math.max(1, layout.map.width),
  };
  const shown = once(() => lanes.count(picture));
  const { map, legendRow } = layout;
  return {
    columns: map.width,
    bins: layout.bins,
    timeColumns: map.width,
    scrolling: { ...map, y: 0, height: legendRow ?? height },
    stamp: () => `${stampOf(shown().version, shown())} ${labels.join('\n')}`,
    startNs: () => shown().counts.startNs,
    draw: () => {
      const { clockBase } = info;
      const options = paneOptions(parts);
      const block = drawLanes(pictureOf(shown(), lanes, laneFigureTitle(view)), layout, options);
      const { cursor, anchor } = view;
      if (cursor === undefined) return block;
      drawLaneCursor(block, layout, style, cursor, anchor);
      const box = laneBox(shown(), lanes, cursor, anchor ?? cursor);
      const amounts = amountsOf(shown(), layout, cursor, anchor);
      const line = laneReadoutLine({ box, layer: view.layer, ...amounts }, clockBase, width);
      drawReadout(block, layout, line, theme);
      return block;
    },
    rowOf: (bin) => laneMiddle(layout, Math.max(0, layout.bins - 1 - bin)),
    axisRow: layout.timeRow,
    pointed: pointedLanes(layout),
    fullerBin: ({ lowBin }) => lowBin,
    notableCell: () => slowestCell(shown(), layout),
    cellOfSlowest: ({ atNs, withinNs }) => slowestLane(shown(), layout, atNs, withinNs),
    boxOf: (a, b) => laneBox(shown(), lanes, a, b),
  };
}

/** Rows below the last lane may belong to none. */
function pointedLanes({ map, bins, laneHeight }: LanesLayout): PointedMap {
  const height = bins * laneHeight;
  return {
    map: { ...map, height },
    bins,
    binsPerRow: 1,
    rowsPerBin: laneHeight,
    outlierRow: undefined,
  };
}

function pictureOf(shown: LaneMap, lanes: Lanes, title: string): LanesPicture {
  const { counts, colorRange, observedNs } = shown;
  return {
    names: lanes.labels.slice(0, counts.lanes),
    value: (lane, column) => (lane < counts.lanes ? shown.value(lane, column) : undefined),
    laneTotal: (lane) => counts.laneTotal(lane),
    span: counts,
    countedShare: shown.countedShare,
    colorRange,
    observedNs,
    title,
    metric: metricOf(shown),
    unmeasured: counts.unmeasuredTotal,
    undecided: counts.undecidedTotal,
    notes: lanes.notes(shown),
  };
}

/** Without I/O, the lane of everything else is counted and not shown. */
function shownLanes({ counts }: LaneMap, { bins }: LanesLayout): number {
  return Math.min(counts.lanes, bins);
}

/** Bin 0 is the lowest lane. */
function laneOf(shown: LaneMap, layout: LanesLayout, bin: number): number {
  const last = shownLanes(shown, layout) - 1;
  return Math.max(0, Math.min(last, last - bin));
}

function laneBox(shown: LaneMap, lanes: Lanes, a: MapCell, b: MapCell): Box {
  const { firstColumn, columnNs } = shown.counts;
  const { from, to } = rangeOf(a, b);
  const laneAt = (bin: number): number => laneOf(shown, lanes.layout, bin);
  return {
    metric: metricOf(shown),
    startNs: (firstColumn + from.column) * columnNs,
    endNs: (firstColumn + to.column + 1) * columnNs,
    low: 0,
    high: Infinity,
    where: lanes.where(laneAt(to.bin), laneAt(from.bin)),
  };
}

function metricOf({ counts }: LaneMap): Latency {
  return counts.metric;
}

/** The slowest of several cells; for one cell, also its figure. */
function amountsOf(
  shown: LaneMap,
  layout: LanesLayout,
  cursor: MapCell,
  anchor: MapCell | undefined,
): {
  readonly count: number;
  readonly maxNs: number | undefined;
  readonly figure: string;
  readonly figureNs: number | undefined;
  readonly isBox: boolean;
} {
  const { counts, figure } = shown;
  const { from, to } = rangeOf(cursor, anchor ?? cursor);
  let [count, max] = [0, -Infinity];
  for (let bin = from.bin; bin <= to.bin; bin++)
    for (let column = from.column; column <= to.column; column++) {
      const lane = laneOf(shown, layout, bin);
      if (counts.lanes === 0) continue;
      count += counts.count(lane, column);
      max = Math.max(max, counts.maxValue(lane, column) ?? -Infinity);
    }
  const isBox = anchor !== undefined;
  const figureNs =
    isBox || counts.lanes === 0
      ? undefined
      : shown.value(laneOf(shown, layout, cursor.bin), cursor.column);
  const maxNs = max === -Infinity ? undefined : max;
  return { count, maxNs, figure, figureNs, isBox };
}

/** The cell that a reader would look at first. */
function slowestCell(shown: LaneMap, layout: LanesLayout): MapCell | undefined {
  const { columns } = shown.counts;
  return largest(shown, layout, 0, columns - 1, (lane, column) => shown.value(lane, column));
}

function slowestLane(shown: LaneMap, layout: LanesLayout, atNs: number, withinNs: number): MapCell {
  const { counts } = shown;
  const columnAt = (ns: number): number => {
    const column = Math.floor(ns / counts.columnNs) - counts.firstColumn;
    return Math.max(0, Math.min(counts.columns - 1, column));
  };
  const [from, to] = [columnAt(atNs - withinNs), columnAt(atNs + withinNs)];
  const found = largest(shown, layout, from, to, (lane, column) => counts.maxValue(lane, column));
  return found ?? { column: columnAt(atNs), bin: 0 };
}

/** The cell with the largest value; of equals, the newest. */
function largest(
  shown: LaneMap,
  layout: LanesLayout,
  from: number,
  to: number,
  valueOf: (lane: number, column: number) => number | undefined,
): MapCell | undefined {
  let found: MapCell | undefined;
  let most = -Infinity;
  const lanes = shownLanes(shown, layout);
  for (let lane = 0; lane < lanes; lane++)
    for (let column = from; column <= to; column++) {
      const value = valueOf(lane, column);
      if (value === undefined || value < most) continue;
      most = value;
      found = { column, bin: lanes - 1 - lane };
    }
  return found;
}
