import type { Heatmap } from '../../heatmap/time/heatmap.ts';

/** Positions of the parts of a picture, in pixels from its top left corner. */
export interface FigureLayout {
  readonly width: number;
  readonly left: number;
  /** The area of the cells alone. */
  readonly plot: Rect;
  /** Above the plot: marks of I/O beyond the axis. */
  readonly outlierRow: Rect;
}

export interface Rect {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

/** Room for `1000 ms` and the title of the axis on the left, for `p99.9 1000ms` on the right. */
const LEFT = 92;
const RIGHT = 108;
const LEAST_PLOT_WIDTH = 1000;
const PLOT_HEIGHT = 432;
/** Height of one of several maps. */
const STACKED_HEIGHT = 216;
const OUTLIER_HEIGHT = 12;
const OUTLIER_GAP = 6;
/** Gap between two maps. */
const STACK_GAP = 14;

export function layoutFigure(map: Heatmap, top: number, isStacked = false): FigureLayout {
  const width = Math.max(LEAST_PLOT_WIDTH, map.columns);
  const height = Math.max(isStacked ? STACKED_HEIGHT : PLOT_HEIGHT, map.bins);
  const outlierRow = { x: LEFT, y: top, width, height: OUTLIER_HEIGHT };
  const plot = { x: LEFT, y: top + OUTLIER_HEIGHT + OUTLIER_GAP, width, height };
  return { width: LEFT + width + RIGHT, left: 24, plot, outlierRow };
}

/** The layouts of several maps above each other, starting at `top`. */
export function layoutMaps(maps: readonly Heatmap[], top: number): readonly FigureLayout[] {
  let y = top;
  return maps.map((map) => {
    const layout = layoutFigure(map, y, maps.length > 1);
    y = layout.plot.y + layout.plot.height + STACK_GAP;
    return layout;
  });
}

/** The left edge of a column, in whole pixels, so that cells touch without a seam. */
export function columnX({ plot }: FigureLayout, map: Heatmap, column: number): number {
  return plot.x + Math.round((column * plot.width) / map.columns);
}

/** The lower edge of bin `bin`; for bin 0, the bottom of the plot. */
export function binY({ plot }: FigureLayout, map: Heatmap, bin: number): number {
  return plot.y + plot.height - Math.round((bin * plot.height) / map.bins);
}

/** The position of a value on the axis; values off the axis are at its end. */
export function valueY({ plot }: FigureLayout, { scale }: Heatmap, value: number): number {
  const { low, high } = scale.domain;
  const inside = Math.min(high, Math.max(low, value));
  const share =
    scale.kind === 'log'
      ? Math.log(inside / low) / Math.log(high / low)
      : (inside - low) / (high - low);
  return plot.y + plot.height * (1 - share);
}

/** The position of a trace time; times outside the picture are at its edges. */
export function timeX({ plot }: FigureLayout, map: Heatmap, traceNs: number): number {
  const share = (traceNs - map.startNs) / (map.endNs - map.startNs);
  return plot.x + plot.width * Math.min(1, Math.max(0, share));
}
