import type { KeyBinding } from '../../view/keys/key-table.ts';
import type { Mode } from '../../view/state.ts';
import { FIRST_LOOK, HELP_NOTES } from './help-notes.ts';
import type { HelpEntry, HelpSection } from './help-section.ts';
import { keySections } from './key-sections.ts';
import { wrapWords } from '../text/wrap-words.ts';

/** One line of a column of help. */
export type HelpLine =
  | { readonly kind: 'blank' }
  | { readonly kind: 'title'; readonly text: string }
  | {
      readonly kind: 'entry';
      /** Empty on further lines of an entry. */
      readonly term: string;
      readonly termWidth: number;
      readonly text: string;
    };

/** One line, or two side by side. */
export type HelpRow = readonly HelpLine[];

export interface HelpLayout {
  readonly rows: readonly HelpRow[];
  /** The width of each column in cells. */
  readonly columnWidth: number;
}

/** From this width on there are two columns. */
const TWO_COLUMNS_WIDTH = 100;
export const COLUMN_GAP = 3;
/** Longer lines are hard to read. */
const MAX_COLUMN_WIDTH = 84;
const MIN_TERM_WIDTH = 6;
/** A longer term pushes only its own text to the right. */
const MAX_TERM_WIDTH = 18;
/** The gap before and after a term. */
export const TERM_GAP = 2;

const BLANK: HelpLine = { kind: 'blank' };

/** Total lines of the text. */
export function helpLength(
  bindings: readonly KeyBinding[],
  width: number,
  helpFor: Mode = 'main',
): number {
  return layoutHelp(bindings, helpFor, width).rows.length;
}

/** Wraps the text here instead of in Ink, because the scroll range must be known before Ink runs. */
export function layoutHelp(
  bindings: readonly KeyBinding[],
  helpFor: Mode,
  width: number,
): HelpLayout {
  const { here: keys, elsewhere } = keySections(bindings, helpFor);
  const here = helpFor === 'main' ? [FIRST_LOOK, ...keys] : keys;
  if (width < TWO_COLUMNS_WIDTH) {
    const columnWidth = Math.min(width - 1, MAX_COLUMN_WIDTH);
    const lines = columnLines([...here, ...elsewhere, ...HELP_NOTES], columnWidth);
    return { columnWidth, rows: lines.map((line) => [line]) };
  }
  const columnWidth = Math.min(MAX_COLUMN_WIDTH, Math.floor((width - 1 - COLUMN_GAP) / 2));
  // The parts are one above the other, so that the first screenful has the most likely answer.
  const rows = [here, elsewhere, HELP_NOTES].flatMap((sections, index) => [
    ...(index === 0 ? [] : [[BLANK]]),
    ...sideBySide(sections, columnWidth),
  ]);
  return { columnWidth, rows };
}

/** Sections in one column, with a blank line between them. */
function columnLines(sections: readonly HelpSection[], width: number): HelpLine[] {
  return sections.flatMap((section, index) => [
    ...(index === 0 ? [] : [BLANK]),
    ...sectionLines(section, width),
  ]);
}

function sectionLines({ title, entries }: HelpSection, width: number): HelpLine[] {
  const widest = Math.max(...entries.map(({ term }) => term.length));
  const termWidth = Math.min(MAX_TERM_WIDTH, Math.max(MIN_TERM_WIDTH, widest));
  return [
    { kind: 'title', text: title },
    ...entries.flatMap((entry) => entryLines(entry, termWidth, width)),
  ];
}

function entryLines({ term, text }: HelpEntry, termWidth: number, width: number): HelpLine[] {
  const wrapped = wrapWords(text, Math.max(1, width - termWidth - 2 * TERM_GAP));
  return wrapped.map((part, index) => ({
    kind: 'entry',
    term: index === 0 ? term : '',
    termWidth,
    text: part,
  }));
}

/** Two columns of about the same height, in reading order. */
function sideBySide(sections: readonly HelpSection[], width: number): HelpRow[] {
  const middle = columnLines(sections, width).length / 2;
  const first = sections.findIndex((section, index) => {
    const above = columnLines(sections.slice(0, index), width).length;
    return above + sectionLines(section, width).length / 2 > middle;
  });
  const left = columnLines(sections.slice(0, first), width);
  const right = columnLines(sections.slice(first), width);
  return Array.from({ length: Math.max(left.length, right.length) }, (_, row) => [
    left[row] ?? BLANK,
    right[row] ?? BLANK,
  ]);
}
