import type { CellBlock } from '../base/cell-block.ts';
import { Attribute } from '../base/cell-block.ts';
import type { ClockBase } from '../base/time.ts';
import type { Heatmap } from '../heatmap/time/heatmap.ts';
import type { Interval } from '../heatmap/axis/scale.ts';
import type { HeatmapTotals } from '../heatmap/time/totals.ts';
import type { PixelPen } from './draw-pixels.ts';
import type { PaneLayout } from './pane-layout.ts';
import type { PaneStyle } from './pane-style.ts';
import type { Ink } from './put-text.ts';
import { putText, QUIET_COLORS, toAscii } from './put-text.ts';

/** What is drawn; a `LiveHeatmap` is one. */
export interface Picture {
  readonly map: Heatmap;
  /** What of it is highlighted, in the same columns and bins; without it, everything. */
  readonly highlight?: Heatmap | undefined;
  /** The weights up to which a pixel has the first colour, and from which it has the last. */
  readonly colorRange: Interval;
  /** How much of the window has been observed, in ns. */
  readonly observedNs: number;
  /** From 0 to 1, how much of the window has been counted; without it, all. */
  readonly countedShare?: number;
}

/** Since when anything is known: what is blank before it is not idle. */
export interface TraceStart {
  /** Trace time in ns. */
  readonly atNs: number;
  /** What happened then: `tracing began`. */
  readonly name: string;
}

export interface PaneOptions {
  readonly style: PaneStyle;
  readonly clockBase: ClockBase;
  /** Trace time of a frozen picture: its right edge shows that instead of "now". */
  readonly frozenAtNs: number | undefined;
  /** Marked in pictures that have time across, where it is in sight. */
  readonly traceStart?: TraceStart | undefined;
  /** What is highlighted, as a filter would say it. */
  readonly highlightText?: string | undefined;
}

/** Everything that the parts of the pane draw from and onto. */
export interface PaneCanvas {
  readonly block: CellBlock;
  readonly layout: PaneLayout;
  readonly picture: Picture;
  readonly totals: HeatmapTotals;
  readonly options: PaneOptions;
  readonly pen: PixelPen;
}

/** Quieter than the default colour, on whatever background. */
export const QUIET = 'quiet';

/** Writes text as the terminal can show it: without UTF-8 in ASCII, without colour dim. */
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
