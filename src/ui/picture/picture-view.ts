import type { ShouldYield } from '../../base/time.ts';
import { sanitizeText } from '../../base/sanitize.ts';
import type { CellBlock } from '../../base/cell-block.ts';
import type { Box } from '../../filter/box.ts';
import { formatFilter } from '../../filter/language/format.ts';
import type { Monitor } from '../../monitor/monitor.ts';
import type { TraceStart } from '../../raster/pane-canvas.ts';
import type { PaneLayout, PaneRect } from '../../raster/pane-layout.ts';
import type { RateRange } from '../../raster/rate-ranges.ts';
import type { PaneStyle } from '../../raster/pane-style.ts';
import type { PaneOptions } from '../../raster/pane-canvas.ts';
import type { StackedMap } from '../../view/stack.ts';
import type { MapCell, PointedCell, Slowest, ViewState } from '../../view/state.ts';
import type { Theme } from '../text/theme.ts';

/** Rows and columns of a map, from the top left corner of the pane. */
export interface PointedMap extends Pick<PaneLayout, 'map' | 'bins' | 'binsPerRow' | 'outlierRow'> {
  /** Rows per bin, where it takes several; the map is then as high as all of them. */
  readonly rowsPerBin?: number;
  /** Other maps of the picture, where a click moves the cursor to. */
  readonly others?: readonly (PointedMap & { readonly stacked: StackedMap })[];
  /** The bins between two labels of the axis, which a click on the axis or the rates selects. */
  readonly ranges?: () => readonly Pick<RateRange, 'from' | 'to'>[];
}

/** The picture of one moment, in one of the layouts. Nothing is counted before it is used. */
export interface PictureView {
  /** Cells that the cursor can be in. */
  readonly columns: number;
  readonly bins: number;
  /** Columns of time, and the part that scrolls left when a new one enters. */
  readonly timeColumns: number;
  readonly scrolling: PaneRect | undefined;
  /** The row of a bin, and of the times or the x axis, from the top of the pane. */
  rowOf(bin: number): number;
  readonly axisRow: number | undefined;
  /** The data as counted now; two pictures with the same stamp look the same. */
  stamp(): string;
  /** Trace time of the left edge, in ns. */
  startNs(): number;
  /** The whole pane, with the cursor if there is one. */
  draw(): CellBlock;
  notableCell(): MapCell | undefined;
  /** Where the pointer can point at cells of the map; undefined if it cannot. */
  readonly pointed: PointedMap | undefined;
  /** The fullest of the bins that a row of cells shows. */
  fullerBin(at: PointedCell): number;
  /** The cell of the slowest I/O; undefined when it is not shown. */
  cellOfSlowest(slowest: Slowest): MapCell | undefined;
  boxOf(a: MapCell, b: MapCell): Box;
}

/** What a picture is made from. */
export interface PictureParts {
  readonly monitor: Monitor;
  readonly view: ViewState;
  readonly endNs: number;
  /** When to leave the rest of the counting to a later picture; if absent, everything is counted. */
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
  const { frozenAtNs, highlight, layer, filter } = view;
  const highlightText = sanitizeText(formatFilter(highlight));
  return {
    ...{ style, clockBase, frozenAtNs, highlightText },
    traceStart: traceStartOf(monitor),
    layers: [layer],
    isFiltered: filter.kind !== 'everything',
  };
}

/**
 * The start of the trace. In live tracing, time without I/O is known to be idle; of an earlier trace, only its I/O is
 * known.
 */
function traceStartOf({ source, history }: Monitor): TraceStart | undefined {
  if (source.info.kind === 'live') return { atNs: 0, name: 'tracing began' };
  return history.endNs === 0 ? undefined : { atNs: history.startNs, name: 'first I/O' };
}

/** Computes at most once. */
export function once<T>(compute: () => T): () => T {
  let known: { readonly value: T } | undefined;
  return () => (known ??= { value: compute() }).value;
}

/** How much of a picture's time has been counted and observed. */
interface Progress {
  readonly countedShare: number;
  readonly observedNs: number;
}

/**
 * A stamp of the contents. Without I/O the map stays the same, while its last part is counted, and while its last
 * column is observed: rates are divided by that time.
 */
export function stampOf(version: number, { countedShare, observedNs }: Progress): string {
  return `${version} ${countedShare} ${observedNs}`;
}
