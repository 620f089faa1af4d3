import { sanitizeText } from '../base/sanitize.ts';
import type { PickState } from '../view/state.ts';
import { editedCells } from './edited-line.ts';
import { FRAME_SIZE, frameLines } from './frame-lines.ts';
import { exactLine, lineText, span, truncate } from './span.ts';
import type { Line } from './span.ts';
import { firstVisible, selectedIndex } from './table-lines.ts';

/** One process or disk that the I/O can be narrowed to. */
export interface PickEntry {
  /** As `PickState.chosen` holds it. */
  readonly id: string;
  /** Raw text, as are the names of processes. */
  readonly label: string;
  /** Said behind the label if there is room; the same thing ever shorter. */
  readonly details: readonly string[];
}

const TITLES: Record<PickState['what'], string> = { process: 'Processes', disk: 'Disks' };
const NOTHING: Record<PickState['what'], string> = {
  process: 'no process with that name or number',
  disk: 'no disk with that name',
};
const FOOTER = [
  'type to narrow  Space: mark  Enter: take  Tab: everything but  Esc: cancel',
  'Space: mark  Enter: take  Tab: invert  Esc: cancel',
  'Space mark  Tab invert  Enter take',
  'Space  Enter  Tab  Esc',
];
const QUERY_MARK = '> ';
const CURSOR_MARK = '▸';
/** A label is cut only when the shortest details leave it less. */
const MIN_LABEL_WIDTH = 16;
const DETAIL_GAP = 2;
/** The line that is typed stands above the entries. */
const QUERY_HEIGHT = 1;

/** Those whose label or identity contains the query, in any case. */
export function filterPickEntries(entries: readonly PickEntry[], query: string): PickEntry[] {
  const part = query.trim().toLowerCase();
  return entries.filter(
    ({ id, label }) => label.toLowerCase().includes(part) || id.toLowerCase().includes(part),
  );
}

/** The entry under the cursor; undefined when the query leaves none. */
export function entryAtCursor(
  pick: PickState,
  entries: readonly PickEntry[],
): PickEntry | undefined {
  const left = filterPickEntries(entries, pick.query.text);
  const row = selectedIndex(pick.row, left.length);
  return row === undefined ? undefined : left[row];
}

/** Entries that a list of `height` lines shows. */
export function visiblePickEntries(height: number): number {
  return Math.max(0, height - FRAME_SIZE - QUERY_HEIGHT);
}

/** The entry at line `y` of a list of `height` lines that its query leaves `length` entries. */
export function pickRowAt(
  pick: PickState,
  length: number,
  height: number,
  y: number,
): number | undefined {
  const room = visiblePickEntries(height);
  const line = y - 1 - QUERY_HEIGHT;
  const row = firstVisible(0, selectedIndex(pick.row, length), length, room) + line;
  return line >= 0 && line < room && row < length ? row : undefined;
}

/** Whether cell `x` of an entry's line belongs to the box that marks it. */
export function isOnMark(x: number): boolean {
  return x > 1 && x <= 1 + '[x]'.length;
}

/** The whole list in its frame: exactly `height` lines of exactly `width` cells. */
export function pickLines(
  pick: PickState,
  entries: readonly PickEntry[],
  width: number,
  height: number,
): Line[] {
  const inside = Math.max(0, width - FRAME_SIZE);
  const left = filterPickEntries(entries, pick.query.text);
  // Of all entries, so that narrowing moves nothing sideways.
  const widest = Math.max(MIN_LABEL_WIDTH, ...entries.map(({ label }) => label.length));
  const body = [queryLine(pick, inside), ...entryLines(pick, left, { inside, widest, height })];
  while (body.length < height - FRAME_SIZE) body.push([]);
  const framed = frameLines(
    {
      title: titleLine(pick),
      position: `${left.length} of ${entries.length}`,
      footer: FOOTER,
      body: body.slice(0, Math.max(0, height - FRAME_SIZE)),
    },
    width,
  );
  return framed.slice(0, height);
}

function titleLine({ what, invert, chosen }: PickState): Line {
  const title = span(TITLES[what], 'strong');
  const marked = chosen.length === 0 ? '' : ` ${chosen.length} marked`;
  if (!invert) return [title, span(marked)];
  return [title, span(' '), span(' everything but ', 'badge'), span(marked)];
}

function queryLine({ query }: PickState, width: number): Line {
  const room = Math.max(0, width - QUERY_MARK.length);
  return [span(QUERY_MARK, 'accent'), ...editedCells(query, room).line];
}

function entryLines(
  pick: PickState,
  left: readonly PickEntry[],
  { inside, widest, height }: { inside: number; widest: number; height: number },
): Line[] {
  if (left.length === 0) return [[span(`  ${NOTHING[pick.what]}`, 'dim')]];
  const room = visiblePickEntries(height);
  const row = selectedIndex(pick.row, left.length);
  const top = firstVisible(0, row, left.length, room);
  const shown = left.slice(top, top + room);
  const detail = detailForm(shown, inside);
  return shown.map((entry, index) => {
    const line = entryLine(entry, pick.chosen.includes(entry.id), detail, { inside, widest });
    return top + index === row
      ? [span(lineText([span(CURSOR_MARK), ...line.slice(1)]), 'selected')]
      : line;
  });
}

/** The same form for all, so that their figures stand under each other. */
function detailForm(entries: readonly PickEntry[], width: number): number {
  const forms = Math.max(0, ...entries.map(({ details }) => details.length));
  for (let form = 0; form < forms; form++) {
    const widest = Math.max(...entries.map(({ details }) => details[form]?.length ?? 0));
    if (widest + DETAIL_GAP + MIN_LABEL_WIDTH + '▸[x] '.length <= width) return form;
  }
  return forms;
}

function entryLine(
  entry: PickEntry,
  isChosen: boolean,
  form: number,
  { inside, widest }: { inside: number; widest: number },
): Line {
  const detail = sanitizeText(entry.details[form] ?? '');
  const mark = isChosen ? '[x] ' : '[ ] ';
  const used = 1 + mark.length + (detail === '' ? 0 : detail.length + DETAIL_GAP);
  const room = Math.max(0, Math.min(widest, inside - used - 1));
  const label = truncate(sanitizeText(entry.label), room).padEnd(room);
  return exactLine(
    [
      span(' '),
      span(mark, isChosen ? 'strong' : 'plain'),
      span(label, isChosen ? 'strong' : 'plain'),
      span(detail === '' ? '' : `${' '.repeat(DETAIL_GAP)}${detail} `),
    ],
    inside,
  );
}
