import { sanitizeText } from '../../base/sanitize.ts';
import type { Card } from '../../model/card.ts';
import type { Rect } from '../layout-screen.ts';
import { wrapWords } from '../text/wrap-words.ts';
import { FRAME_SIZE } from './list-window.ts';

/** A line of a card. Only the first line of a fact has the label. */
export interface CardLine {
  readonly label: string;
  readonly text: string;
  /** False where the text says why there is no value. */
  readonly isKnown: boolean;
}

/** The longest label is `file system`, and a gap follows it. */
export const LABEL_WIDTH = 13;

/** A longer command line is cut, because the rest of the card is worth more than its end. */
const MOST_LINES_PER_FACT = 4;

/** Facts wrapped to `width` cells. */
export function cardLines({ facts }: Pick<Card, 'facts'>, width: number): readonly CardLine[] {
  const room = Math.max(1, width - LABEL_WIDTH);
  return Object.entries(facts).flatMap(([label, fact]) => {
    const isKnown = 'known' in fact;
    const lines = wrapWords(sanitizeText(isKnown ? fact.known : fact.lacks), room);
    return cutLines(lines, room).map((text, index) => ({
      label: index === 0 ? label : '',
      text,
      isKnown,
    }));
  });
}

function cutLines(lines: readonly string[], room: number): readonly string[] {
  if (lines.length <= MOST_LINES_PER_FACT) return lines;
  const kept = lines.slice(0, MOST_LINES_PER_FACT);
  return [...kept.slice(0, -1), `${kept.at(-1)!.slice(0, room - 1)}…`];
}

/** The card takes the lowest lines of the picture, so that the tables stay visible. */
export function cardRect(card: Pick<Card, 'facts'>, pane: Rect): Rect {
  const wanted = cardLines(card, pane.width - FRAME_SIZE - 2).length + FRAME_SIZE;
  const height = Math.min(pane.height, wanted);
  return { ...pane, y: pane.y + pane.height - height, height };
}
