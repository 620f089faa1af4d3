import { sanitizeText } from '../base/sanitize.ts';
import type { Choice } from '../filter/fields.ts';
import type { Mode, PromptProblem, PromptState } from '../view/state.ts';
import type { FilterStanding } from './filter-standing.ts';
import { cellAt, editedCells } from './edited-line.ts';
import { fitSegments } from './fit-segments.ts';
import { exactLine, span, truncate } from './span.ts';
import type { Line } from './span.ts';
import { firstVisible } from './table-lines.ts';
import type { Role } from './theme.ts';
import { wrapWords } from './wrap-words.ts';

/** What the word under the cursor could become. */
export type PromptCandidate = Choice;

export interface PromptContent {
  readonly prompt: PromptState;
  /** What the line is for: `/`, `go to:`. */
  readonly label: string;
  readonly candidates: readonly PromptCandidate[];
  /** The candidate that would be taken. */
  readonly selected: number | undefined;
  /** What to press next, while nothing is wrong; the same thing ever shorter. */
  readonly hints: readonly string[];
  /** Of a filter, how it stands before it is applied. */
  readonly standing?: FilterStanding | undefined;
}

const PROMPT_LABELS: Partial<Record<Mode, string>> = {
  goto: 'go to:',
  find: 'find:',
  export: 'export to:',
  record: 'record to:',
  save: 'save to:',
};

/** What a prompt stands for, in front of its line. */
export function promptLabel(mode: Mode): string {
  return PROMPT_LABELS[mode] ?? '/';
}

const MAX_CANDIDATES = 6;
const MAX_CANDIDATE_WIDTH = 24;
/** Points down at the line below it. */
const CARET = '▾';
const SELECTED_MARK = '▸';

/**
 * From top to bottom: candidates, what is wrong or what to press, and the line itself. Each is exactly
 * `width` cells; how many there are depends on what there is to say.
 */
export function promptLines(content: PromptContent, width: number): Line[] {
  const { label, prompt } = content;
  const room = Math.max(1, width - label.length - 1);
  const edited = editedCells(prompt.line, room);
  const lines = [
    ...candidateLines(content, width),
    ...noteLines(content, edited.first, width),
    [span(`${label} `, 'accent'), ...inRole(edited.line, textRole(content))],
  ];
  return lines.map((line) => exactLine(line, width));
}

/** Green and red, as far as there are colours. */
function textRole({ prompt, standing }: PromptContent): Role {
  if (prompt.problem !== undefined || standing?.kind === 'wrong') return 'warning';
  return standing?.kind === 'right' ? 'good' : 'plain';
}

/** All but the cell under the cursor. */
function inRole(line: Line, role: Role): Line {
  return line.map((one) => (one.role === 'plain' ? span(one.text, role) : one));
}

function candidateLines({ candidates, selected }: PromptContent, width: number): Line[] {
  const room = Math.min(MAX_CANDIDATES, candidates.length);
  const top = firstVisible(0, selected, candidates.length, room);
  const shown = candidates.slice(top, top + room);
  const widest = Math.max(0, ...shown.map(({ text }) => text.length));
  const textWidth = Math.min(widest, MAX_CANDIDATE_WIDTH, Math.max(0, width - 2));
  return shown.map((candidate, index) => {
    const isSelected = top + index === selected;
    const text = truncate(sanitizeText(candidate.text), textWidth).padEnd(textWidth);
    const description = sanitizeText(candidate.description);
    const rest = truncate(`  ${description}`, Math.max(0, width - textWidth - 2));
    if (!isSelected) return [span(`  ${text}`, 'accent'), span(rest, 'dim')];
    return exactLine([span(`${SELECTED_MARK} ${text}${rest}`, 'selected')], width).map((one) =>
      span(one.text, 'selected'),
    );
  });
}

function noteLines(content: PromptContent, first: number, width: number): Line[] {
  const { label, prompt, hints, standing } = content;
  const typed = standing?.kind === 'wrong' ? standing.problem : undefined;
  const problem = prompt.problem ?? typed;
  if (problem === undefined)
    return [[span(' '), ...fitSegments([{ forms: hints, priority: 1, role: 'dim' }], width - 1)]];
  const wanted = label.length + 1 + cellAt(prompt.line.text, problem.column) - first;
  const caret = Math.max(0, Math.min(width - 1, Math.max(label.length, wanted)));
  // Who is still typing is told in passing.
  return problemLines(problem, caret, width, prompt.problem === undefined ? 'dim' : 'warning');
}

/** The message on the side of the caret that has room for it, or else above it. */
function problemLines(
  { message }: PromptProblem,
  caret: number,
  width: number,
  role: Role,
): Line[] {
  const text = sanitizeText(message);
  const pointer = span(CARET, 'warning');
  if (caret + 2 + text.length <= width)
    return [[span(' '.repeat(caret)), pointer, span(` ${text}`, role)]];
  if (text.length + 1 <= caret)
    return [[span(' '.repeat(caret - text.length - 1)), span(`${text} `, role), pointer]];
  const wrapped = wrapWords(text, Math.max(1, width - 1)).map((line) => [span(` ${line}`, role)]);
  return [...wrapped, [span(' '.repeat(caret)), pointer]];
}
