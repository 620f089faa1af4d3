import { clockText } from '../base/clock-text.ts';
import { wallMs } from '../base/time.ts';
import { QUIET, write } from './pane-canvas.ts';
import type { TimeCanvas } from './draw-axes.ts';

const LINE = '┊';
/** Position of the name from the top, away from the text in the middle of an empty map. */
const NAME_AT = 1 / 3;

/**
 * A line in the last column before the trace starts, where no I/O can cover it, with the time to its left if there is
 * room. Both belong to a time, so they scroll with the picture.
 */
export function drawTraceStart(canvas: TimeCanvas, hasName = true): void {
  const { layout, options, span } = canvas;
  const { traceStart, clockBase } = options;
  if (traceStart === undefined) return;
  const { map } = layout;
  const column = columnOf(traceStart.atNs, span) - 1;
  if (column < 0 || column >= map.width) return;
  for (let y = map.y; y < map.y + map.height; y++) write(canvas, map.x + column, y, LINE, QUIET);
  if (!hasName) return;
  const text = `${traceStart.name} ${clockText(wallMs(clockBase, traceStart.atNs))}`;
  const left = column - text.length - 1;
  const row = map.y + Math.floor((map.height - 1) * NAME_AT);
  if (left >= 0) write(canvas, map.x + left, row, text, QUIET);
}

function columnOf(atNs: number, { startNs, columnNs }: TimeCanvas['span']): number {
  return Math.floor(atNs / columnNs) - Math.round(startNs / columnNs);
}
