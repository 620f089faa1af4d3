import type { HelpEntry, HelpSection } from './help-section.ts';
import { KEY_GROUPS } from '../view/keys/key-table.ts';
import type { KeyBinding } from '../view/keys/key-table.ts';
import { MODES } from '../view/state.ts';
import type { Mode } from '../view/state.ts';
import { fitSegments } from './fit-segments.ts';
import { FIRST_LOOK, HELP_NOTES } from './help-notes.ts';
import { exactLine, span, truncate } from './span.ts';
import type { Line } from './span.ts';
import { wrapWords } from './wrap-words.ts';

export interface HelpContent {
  readonly bindings: readonly KeyBinding[];
  /** First visible line. */
  readonly top: number;
  /** The mode that the help was opened from: its keys come first. The main screen unless told. */
  readonly helpFor?: Mode;
}

/** From here on two columns. */
const TWO_COLUMNS_WIDTH = 100;
const COLUMN_GAP = 3;
/** Longer lines are hard to read. */
const MAX_COLUMN_WIDTH = 84;
const MORE = 'Down, PgDn: more';
const MIN_TERM_WIDTH = 6;
/** A term wider than this stands on a line of its own. */
const MAX_TERM_WIDTH = 18;

/** Lines of text that help of `height` lines shows below its heading. */
export function visibleHelpLines(height: number): number {
  return Math.max(0, height - 1);
}

/** All there is to scroll through, in lines. */
export function helpLength(
  bindings: readonly KeyBinding[],
  width: number,
  helpFor: Mode = 'main',
): number {
  return bodyLines(bindings, helpFor, width).length;
}

/** A heading and a window of the text: exactly `height` lines of exactly `width` cells. */
export function helpLines(content: HelpContent, width: number, height: number): Line[] {
  const { bindings, top, helpFor = 'main' } = content;
  const body = bodyLines(bindings, helpFor, width);
  const room = visibleHelpLines(height);
  const first = Math.min(top, Math.max(0, body.length - room));
  const shown = body.slice(first, first + room);
  const position =
    shown.length < body.length ? `${first + 1}-${first + shown.length} of ${body.length}` : '';
  const lines = [headingLine(bindings, position, width), ...shown];
  while (lines.length < height) lines.push([]);
  return lines.slice(0, height).map((line) => exactLine(line, width));
}

function headingLine(bindings: readonly KeyBinding[], position: string, width: number): Line {
  const close = bindings.find(({ action }) => action.type === 'close');
  const keys = close === undefined ? '' : `${keysText(close.keys)}: ${close.description}`;
  const fitted = fitSegments(
    [
      { forms: ['HELP'], priority: 1 },
      { forms: [keys], priority: 4, minWidth: 8 },
      { forms: position === '' ? [] : [MORE], priority: 3 },
      { forms: [position], priority: 2, align: 'right' },
    ],
    Math.max(0, width - 2),
  );
  const text = ` ${fitted.map((one) => one.text).join('')}`;
  return [span(truncate(text, width).padEnd(width), 'bar')];
}

function bodyLines(bindings: readonly KeyBinding[], helpFor: Mode, width: number): Line[] {
  const { here: keys, elsewhere } = keySections(bindings, helpFor);
  const here = helpFor === 'main' ? [FIRST_LOOK, ...keys] : keys;
  if (width < TWO_COLUMNS_WIDTH)
    return sectionsLines(
      [...here, ...elsewhere, ...HELP_NOTES],
      Math.min(width - 1, MAX_COLUMN_WIDTH),
    );
  const column = Math.min(MAX_COLUMN_WIDTH, Math.floor((width - 1 - COLUMN_GAP) / 2));
  // One above the other, so that the first screenful is what is most likely looked for.
  return [here, elsewhere, HELP_NOTES].flatMap((sections, index) => {
    const [left, right] = balance(sections.map((section) => sectionsLines([section], column)));
    return [...(index === 0 ? [] : [[]]), ...beside(left, right, column)];
  });
}

const MODE_TITLES: Record<Exclude<Mode, 'main'>, string> = {
  cursor: 'With the cross-hair',
  drillDown: 'In the drill-down',
  pick: 'In a list of processes or disks',
  toggles: 'In the menu of kinds',
  filter: 'While a filter is typed',
  goto: 'While a time is typed',
  trend: 'In the trends',
  columns: 'In the list of columns',
  find: 'While a row is looked for',
  export: 'While a file is named',
  record: 'While a recording is named',
  save: 'While a saved file is named',
  help: 'In this help',
};

export interface KeySections {
  /** Of the mode that the help is for, and of the main screen. */
  readonly here: readonly HelpSection[];
  readonly elsewhere: readonly HelpSection[];
}

/**
 * First the keys of the mode that the help is for, then those of the main screen by group, in the
 * order of the key table, and then those of the other modes.
 */
export function keySections(bindings: readonly KeyBinding[], helpFor: Mode = 'main'): KeySections {
  const main = bindings.filter(({ modes }) => modes.includes('main'));
  const groups: HelpSection[] = KEY_GROUPS.map((group) => ({
    title: group,
    entries: main.filter((binding) => binding.group === group).map(toEntry),
  }));
  const others = MODES.filter((mode) => mode !== 'main' && mode !== 'help' && mode !== helpFor);
  const own = modeSections(bindings, helpFor === 'help' ? [] : [helpFor]);
  return {
    here: [...own, ...groups].filter(hasEntries),
    elsewhere: modeSections(bindings, [...others, 'help']).filter(hasEntries),
  };
}

function hasEntries({ entries }: HelpSection): boolean {
  return entries.length > 0;
}

/** What holds everywhere stands with the main screen. */
function modeSections(bindings: readonly KeyBinding[], modes: readonly Mode[]): HelpSection[] {
  return modes.flatMap((mode) => {
    if (mode === 'main') return [];
    const own = bindings.filter(
      (binding) => binding.modes.includes(mode) && !binding.modes.includes('main'),
    );
    return [{ title: MODE_TITLES[mode], entries: own.map(toEntry) }];
  });
}

function toEntry({ keys, description }: KeyBinding): HelpEntry {
  return { term: keysText(keys), text: description };
}

const KEY_NAMES: Readonly<Record<string, string>> = {
  pagedown: 'PgDn',
  pageup: 'PgUp',
  escape: 'Esc',
};

/** As on the key caps: `Space`, `PgDn`, `Ctrl-C`; letters stay as they are typed. */
export function keysText(keys: readonly string[]): string {
  return keys.map(keyName).join(' ');
}

function keyName(key: string): string {
  if (key.length === 1) return key;
  const [modifier, modified] = key.split('+');
  if (modifier !== undefined && modified !== undefined)
    return `${capitalized(modifier)}-${capitalized(modified)}`;
  return KEY_NAMES[key] ?? capitalized(key);
}

function capitalized(word: string): string {
  return `${word.slice(0, 1).toUpperCase()}${word.slice(1)}`;
}

/** Sections under each other, with a blank line between them. */
function sectionsLines(sections: readonly HelpSection[], width: number): Line[] {
  return sections.flatMap(({ title, entries }, index) => [
    ...(index === 0 ? [] : [[]]),
    [span(` ${title}`, 'strong')],
    ...entriesLines(entries, width),
  ]);
}

function entriesLines(entries: readonly HelpEntry[], width: number): Line[] {
  const widest = Math.max(...entries.map(({ term }) => term.length));
  const termWidth = Math.min(MAX_TERM_WIDTH, Math.max(MIN_TERM_WIDTH, widest));
  return entries.flatMap((entry) => entryLines(entry, termWidth, width));
}

function entryLines({ term, text }: HelpEntry, termWidth: number, width: number): Line[] {
  const indent = termWidth + 4;
  const wrapped = wrapWords(text, Math.max(1, width - indent));
  return wrapped.map((part, index) => [
    span(`  ${(index === 0 ? term : '').padEnd(termWidth)}  `, 'accent'),
    span(part),
  ]);
}

/** Two columns of about the same height, in reading order, with a blank line between sections. */
function balance(sections: readonly (readonly Line[])[]): [Line[], Line[]] {
  const total = sections.reduce((sum, section) => sum + section.length + 1, 0);
  const left: Line[] = [];
  const right: Line[] = [];
  for (const section of sections) {
    const target =
      right.length === 0 && left.length + section.length / 2 <= total / 2 ? left : right;
    if (target.length > 0) target.push([]);
    target.push(...section);
  }
  return [left, right];
}

function beside(left: readonly Line[], right: readonly Line[], column: number): Line[] {
  return Array.from({ length: Math.max(left.length, right.length) }, (_, row) => [
    ...exactLine(left[row] ?? [], column + COLUMN_GAP),
    ...(right[row] ?? []),
  ]);
}
