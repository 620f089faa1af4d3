import type { ShouldYield } from '../../base/time.ts';
import type { CellBlock } from '../../base/cell-block.ts';
import type { Box } from '../../filter/box.ts';
import type { Metric } from '../../model/metric.ts';
import type { Monitor } from '../../monitor/monitor.ts';
import type { Beginning } from '../../raster/sheet.ts';
import type { PaneLayout, PaneRect } from '../../raster/pane-layout.ts';
import type { PaneStyle } from '../../raster/pane-style.ts';
import type { PaneOptions } from '../../raster/sheet.ts';
import type { MapCell, PointedCell, Slowest, ViewState } from '../../view/state.ts';
import type { Theme } from '../theme.ts';

/** Rows and columns of a map, from the top left corner of the pane. */
export interface PointedMap extends Pick<PaneLayout, 'map' | 'bins' | 'binsPerRow' | 'laneRow'> {
  /** Rows that one bin takes, where it takes several; the map is then as high as all of them. */
  readonly rowsPerBin?: number;
  /** Other maps of the picture, which the cursor goes to when they are pointed at. */
  readonly others?: readonly (PointedMap & { readonly metric: Metric })[];
}

/** The picture of one moment, in one of the layouts. Nothing is counted before it is asked for. */
export interface PictureView {
  /** Cells that the cursor can be in. */
  readonly columns: number;
  readonly bins: number;
  /** How many columns of time the picture has, and what of it moves left when one enters. */
  readonly timeColumns: number;
  readonly scrolling: PaneRect | undefined;
  /** Where a bin stands, and the row of times or of the x axis, in rows from the top of the pane. */
  rowOf(bin: number): number;
  readonly axisRow: number | undefined;
  /** The data as counted now; two pictures with the same stamp look the same. */
  stamp(): string;
  /** Trace time of the left edge, in ns. */
  startNs(): number;
  /** The whole pane, with the cursor if there is one. */
  draw(): CellBlock;
  notableCell(): MapCell | undefined;
  /** Where a pointer meets cells of the map; undefined where it cannot point at one. */
  readonly pointed: PointedMap | undefined;
  /** Of the bins that a row of cells shows, the one that holds most. */
  fullerBin(at: PointedCell): number;
  /** Where the slowest I/O of its time stands; undefined when it is not shown. */
  cellOfSlowest(slowest: Slowest): MapCell | undefined;
  boxOf(a: MapCell, b: MapCell): Box;
}

/** What a picture is made from. */
export interface PictureParts {
  readonly monitor: Monitor;
  readonly view: ViewState;
  readonly endNs: number;
  /** When to leave the rest of the counting to a later picture; without it, all is counted. */
  readonly shouldYield?: ShouldYield | undefined;
  /** Size of the pane. */
  readonly width: number;
  readonly height: number;
  readonly style: PaneStyle;
  readonly theme: Theme;
}

/** How the pane is drawn around its counts. */
export function paneOptions({ monitor, view, style }: PictureParts): PaneOptions {
  const { clockBase } = monitor.source.info;
  const { frozenAtNs } = view;
  return { style, clockBase, frozenAtNs, beginning: beginningOf(monitor) };
}

/** Live, silence is known of as well; of what was traced before, only the I/O. */
function beginningOf({ source, history }: Monitor): Beginning | undefined {
  if (source.info.kind === 'live') return { atNs: 0, name: 'tracing began' };
  return history.endNs === 0 ? undefined : { atNs: history.startNs, name: 'first I/O' };
}

/** Computes at most once. */
export function once<T>(compute: () => T): () => T {
  let known: { readonly value: T } | undefined;
  return () => (known ??= { value: compute() }).value;
}
