import { parseDuration } from '../base/parse.ts';
import { parseMoment, parseSinceStart } from '../view/moment.ts';
import { rule } from './option-rules.ts';

/** Any time will do: whether a word is a moment does not depend on it. */
const NOW_MS = 0;

function isMoment(word: string): boolean {
  return (parseSinceStart(word) ?? parseMoment(word, NOW_MS)).ok;
}

/** The value of `--at`. It is resolved when the recording is open. A duration alone is one after the first I/O, too. */
export const START_AT = rule('a time such as 14:02, "3m ago", 50% or +90s', (text) => {
  const word = text.trim();
  const isShare = /^\d+(\.\d+)?%$/.test(word);
  return isShare || parseDuration(word).ok || isMoment(word) ? text : undefined;
});

export const TRACE_TIME = rule('a time such as 14:02, "3m ago" or +30s', (text) =>
  isMoment(text) ? text : undefined,
);
