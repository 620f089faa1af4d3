import type { Note } from '../../model/notes.ts';
import type { Figure } from './figure.ts';
import type { FigureLayout } from './figure-layout.ts';
import { layoutFigure, timeX } from './figure-layout.ts';
import { px, svgText } from './svg-text.ts';
import { shorten, textWidth } from './text-width.ts';

const SIZE = 12;
const ROW = 16;
/** Maximum number of rows of texts; further texts overlap. */
const ROWS = 5;
const GAP = 6;
const MOST_WIDTH = 260;
/** A colour that no palette has. */
const COLOR = '#7b2fa8';

/** The notes of the time that is drawn, in order of time. */
export function notesOf({ facts, live: { map } }: Figure): readonly Note[] {
  return facts.notes.filter(({ atNs }) => atNs >= map.startNs && atNs < map.endNs);
}

/** A note and the place of its text. */
interface PlacedNote {
  readonly x: number;
  readonly left: number;
  /** Counted from the bottom. */
  readonly row: number;
  readonly text: string;
}

/** The height above the plot that the texts take, in pixels. */
export function noteHeight(figure: Figure): number {
  const placed = placeNotes(figure, layoutFigure(figure.live.map, 0));
  return placed.length === 0 ? 0 : (Math.max(...placed.map(({ row }) => row)) + 1) * ROW;
}

/** Draws notes above the first plot, where they cover no I/O, with a dashed line down to the end of the last. */
export function drawNotes(figure: Figure, layout: FigureLayout, { plot }: FigureLayout): string {
  const { outlierRow } = layout;
  const drawn = placeNotes(figure, layout).map(({ x, left, row, text }) => {
    const y = outlierRow.y - 8 - ROW * row;
    const d = `M${px(x)} ${px(y - SIZE)}V${px(plot.y + plot.height)}`;
    const line = `<path d="${d}" stroke="${COLOR}" stroke-dasharray="4 3" fill="none"/>`;
    return line + svgText(left, y, text, { size: SIZE, fill: COLOR });
  });
  return drawn.join('');
}

/** Places each note in the lowest row that is free there. */
function placeNotes(figure: Figure, layout: FigureLayout): PlacedNote[] {
  const { plot } = layout;
  const ends: number[] = [];
  return notesOf(figure).map(({ atNs, text }) => {
    const x = timeX(layout, figure.live.map, atNs);
    const shown = shorten(text, SIZE, MOST_WIDTH);
    const width = textWidth(shown, SIZE) + GAP;
    const isRight = x + width <= plot.x + plot.width;
    const left = isRight ? x + GAP : x - width;
    const free = ends.findIndex((end) => end <= left);
    const row = Math.min(ROWS - 1, free < 0 ? ends.length : free);
    ends[row] = left + width;
    return { x, left, row, text: shown };
  });
}
