import type { CellBlock } from '../base/cell-block.ts';
import { Attribute } from '../base/cell-block.ts';
import type { ClockBase } from '../base/time.ts';
import type { Heatmap } from '../heatmap/time/heatmap.ts';
import type { Interval } from '../heatmap/axis/scale.ts';
import type { HeatmapTotals } from '../heatmap/time/totals.ts';
import type { Layer } from '../model/layer.ts';
import type { PixelPen } from './draw-pixels.ts';
import type { PaneLayout } from './pane-layout.ts';
import type { PaneStyle } from './pane-style.ts';
import type { Ink } from './put-text.ts';
import { putText, QUIET_COLORS, toAscii } from './put-text.ts';

/** A heat map to draw; implemented by `LiveHeatmap`. */
export interface Picture {
  readonly map: Heatmap;
  /** The part of it that is highlighted, in the same columns and bins; without it, everything is in colour. */
  readonly highlight?: Heatmap | undefined;
  /** Weights up to the first have the first colour, weights from the second on have the last. */
  readonly colorRange: Interval;
  /** Observed time in the window, in ns. */
  readonly observedNs: number;
  /** Share of the window that has been counted, 0 to 1; by default everything. */
  readonly countedShare?: number;
}

/** The start of the trace: blank columns before it were not observed, rather than idle. */
export interface TraceStart {
  /** Trace time in ns. */
  readonly atNs: number;
  /** Shown next to the time: `tracing began`. */
  readonly name: string;
}

export interface PaneOptions {
  readonly style: PaneStyle;
  readonly clockBase: ClockBase;
  /** Trace time of a frozen picture: its right edge shows that instead of "now". */
  readonly frozenAtNs: number | undefined;
  /** Marked in pictures with time on the x axis, if it is in view. */
  readonly traceStart?: TraceStart | undefined;
  /** The highlight, written as a filter. */
  readonly highlightText?: string | undefined;
  /** Whether a filter hides some of what was traced. */
  readonly isFiltered?: boolean;
  /** The layers of what is counted; by default `disks`. */
  readonly layers?: readonly Layer[];
}

/** Everything that the parts of the pane need to draw, and the block that they draw onto. */
export interface PaneCanvas {
  readonly block: CellBlock;
  readonly layout: PaneLayout;
  readonly picture: Picture;
  readonly totals: HeatmapTotals;
  readonly options: PaneOptions;
  readonly pen: PixelPen;
}

/** Dimmer than the default colour, on any background. */
export const QUIET = 'quiet';

/** Writes text in the form that the terminal can show: in ASCII without UTF-8, dim without colour. */
export function write(
  canvas: Pick<PaneCanvas, 'block' | 'options'>,
  x: number,
  y: number,
  text: string,
  ink: Ink | typeof QUIET = {},
): void {
  const { style } = canvas.options;
  const shown = ink === QUIET ? { fg: QUIET_COLORS[style.background ?? 'unknown'] } : ink;
  const isPlain = style.color || shown.fg === undefined;
  const look = isPlain ? shown : { attr: Attribute.dim };
  putText(canvas.block, x, y, style.unicode ? text : toAscii(text), look);
}
