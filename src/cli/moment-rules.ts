import { parseDuration } from '../base/parse.ts';
import { parseMoment } from '../view/moment.ts';
import { rule } from './option-rules.ts';

/** Any will do: whether a word is a moment does not depend on it. */
const NOW_MS = 0;

function isMoment(word: string): boolean {
  return parseMoment(word, NOW_MS).ok;
}

/** What it means is known when the recording is open. */
export const START_AT = rule('a time such as 14:02, 50% or 90s', (text) => {
  const word = text.trim();
  const isShare = /^\d+(\.\d+)?%$/.test(word);
  return isShare || parseDuration(word).ok || isMoment(word) ? text : undefined;
});

const ZONED = /^\d{4}-\d\d-\d\d[T ]\d\d:\d\d.*(?:Z|[+-]\d\d:?\d\d)$/;

/** `2026-01-31T14:02Z`, `2026-01-31 14:02+01:00`: ms since the epoch. */
export function zonedMs(word: string): number | undefined {
  const ms = ZONED.test(word) ? Date.parse(word.replace(' ', 'T')) : NaN;
  return Number.isNaN(ms) ? undefined : ms;
}

export const TRACE_TIME = rule('a time such as 14:02, "3m ago" or +30s', (text) => {
  const word = text.trim();
  const isSinceStart = word.startsWith('+') && parseDuration(word.slice(1)).ok;
  return isSinceStart || zonedMs(word) !== undefined || isMoment(word) ? text : undefined;
});
