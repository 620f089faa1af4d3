import { putWhole } from './draw-pixels.ts';
import type { LegendPart, LegendUnit } from './legend.ts';
import { legendsOf, legendWidth, unitOf } from './legend.ts';
import { notesOn } from './notes.ts';
import type { Ink } from './put-text.ts';
import type { PaneCanvas } from './pane-canvas.ts';
import { QUIET, write } from './pane-canvas.ts';

const GAP = 2;
const PLAIN: Ink = {};

/** The last row: what the colours mean, and what is not drawn. The latter is dropped first. */
export function drawLegend(canvas: PaneCanvas): void {
  const { picture, totals } = canvas;
  const notes = notesOn(picture.map, totals);
  const named = picture.highlight === undefined ? notes : highlightNotes(canvas, notes);
  drawLegendOf(canvas, unitOf(picture.map, canvas.options.layers), named);
}

/** The text about the highlight comes before the notes on what is not drawn. */
function highlightNotes({ options }: PaneCanvas, notes: readonly string[]): string[] {
  const { highlightText = 'the highlight' } = options;
  const named = `in colour ${highlightText}, grey the rest`;
  return [...notes.map((note) => `${named}; ${note}`), named, 'grey: not highlighted'];
}

/** A legend for weights in `unit`, with notes from the longest wording to the shortest. */
export function drawLegendOf(
  canvas: Pick<PaneCanvas, 'block' | 'layout' | 'options' | 'pen'>,
  unit: LegendUnit,
  notes: readonly string[],
): void {
  const { layout, pen } = canvas;
  const { legendRow, width } = layout;
  if (legendRow === undefined) return;
  const legends = legendsOf(pen.scale, unit);
  const { legend, note } = choose(legends, notes, width);
  if (note !== undefined) write(canvas, width - note.length, legendRow, note, PLAIN);
  if (legend === undefined) return;
  const room = width - legendWidth(legend) - (note === undefined ? 0 : note.length + GAP);
  drawParts(canvas, Math.min(layout.map.x, room), legendRow, legend);
}

/** The longest note that leaves room for a legend, and the longest legend next to it. */
function choose(
  legends: readonly LegendPart[][],
  notes: readonly string[],
  width: number,
): { legend: LegendPart[] | undefined; note: string | undefined } {
  const fits = (legend: LegendPart[], note: string): boolean =>
    legendWidth(legend) + (note === '' ? 0 : note.length + GAP) <= width;
  for (const note of notes.length === 0 ? [''] : notes) {
    const legend = legends.find((candidate) => fits(candidate, note));
    if (legend !== undefined) return { legend, note: note === '' ? undefined : note };
  }
  return { legend: undefined, note: notes.findLast((note) => note.length <= width) };
}

function drawParts(
  canvas: Pick<PaneCanvas, 'block' | 'options' | 'pen'>,
  x: number,
  y: number,
  parts: readonly LegendPart[],
): void {
  let at = x;
  for (const part of parts) {
    if ('text' in part) {
      write(canvas, at, y, part.text, QUIET);
      at += part.text.length;
    } else {
      putWhole(canvas.block, at, y, part.level, canvas.pen);
      at++;
    }
  }
}
