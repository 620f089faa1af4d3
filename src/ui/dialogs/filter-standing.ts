import { completeFilter } from '../../filter/language/complete.ts';
import { FILTER_FIELDS } from '../../filter/fields.ts';
import { parseFilter } from '../../filter/language/parse.ts';
import { readTokens } from '../../filter/language/words.ts';
import type { EditedLine } from '../../view/line-editor.ts';
import type { PromptProblem } from '../../view/state.ts';

/** The state of a filter while it is typed. Half a word is not an error, because the rest may make it valid. */
export type FilterStanding =
  | { readonly kind: 'empty' | 'right' | 'unfinished' }
  | { readonly kind: 'wrong'; readonly problem: PromptProblem };

/** Endings that may make a text valid if no word of the language completes it. */
const ENDINGS = ['', '"', '=', '~', '&', '|', 's', '0s', '0', 'b'];

/** A filter is wrong only if nothing typed at the cursor can correct it. */
export function standingOf({ text, cursor }: EditedLine): FilterStanding {
  if (text.trim() === '') return { kind: 'empty' };
  const parsed = parseFilter(text);
  if (parsed.ok) return { kind: 'right' };
  const before = text.slice(0, cursor);
  // The text before the cursor is complete, so the error is in the rest.
  const isWhole = cursor < text.length && parseFilter(before).ok;
  if (!isWhole && canBecomeGood(before)) return { kind: 'unfinished' };
  const { column, message } = parsed.error;
  return { kind: 'wrong', problem: { column, message } };
}

/** Possible continuations of the text, most likely first. */
function* continued(before: string): Generator<string> {
  for (const ending of ENDINGS) yield before + ending;
  const { from, candidates } = completeFilter(before, before.length, {});
  for (const { text } of candidates) yield before.slice(0, from) + text;
  const word = readTokens(before).at(-1);
  if (word === undefined || word.column + word.length < before.length) return;
  for (const name of ERROR_NAMES)
    if (name.startsWith(word.text.toLowerCase())) yield before.slice(0, word.column) + name;
}

function canBecomeGood(before: string): boolean {
  for (const text of continued(before)) if (isGood(text)) return true;
  return false;
}

/** Names that the language accepts as errors, next to numbers. */
const ERROR_NAMES = [
  'any',
  'none',
  ...FILTER_FIELDS.filter(({ kind }) => kind === 'error').flatMap(({ choices }) =>
    choices.map(({ description }) => description.toLowerCase().replace(/:.*/, '')),
  ),
];

/** Whether the text is valid once its parentheses are closed. */
function isGood(text: string): boolean {
  const parsed = parseFilter(text + ')'.repeat(openParentheses(text)));
  return parsed.ok || parsed.error.column >= text.trimEnd().length;
}

function openParentheses(text: string): number {
  const depth = readTokens(text).reduce(
    (open, { kind }) => open + (kind === '(' ? 1 : kind === ')' ? -1 : 0),
    0,
  );
  return Math.max(0, depth);
}
