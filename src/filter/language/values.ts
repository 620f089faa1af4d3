import { parseBytes, parseDuration } from '../../base/parse.ts';
import { err, ok } from '../../base/result.ts';
import type { Result } from '../../base/result.ts';
import { numberAtHost } from '../../model/identity-names.ts';
import { errnoNamed } from '../../model/request-text.ts';
import type { TermValue } from '../filter.ts';
import type { FilterField } from '../fields.ts';
import { formatWord, nearest } from './words.ts';

/** Reads the value of a field, or says what is wrong with it. */
export function parseValue(field: FilterField, word: string): Result<TermValue, string> {
  switch (field.kind) {
    case 'name':
      return ok(field.name === 'disk' ? word.replace(/^\/dev\/(mapper\/)?/, '') : word);
    case 'choice':
      return parseChoice(field, word);
    case 'error':
      return parseError(word);
    case 'duration':
      return parseLatency(field, word);
    case 'bytes':
      return parseSize(word);
    case 'id':
      return parseId(field, word);
    case 'sectors':
      return parseWhole(field, word);
    case 'result':
      return parseResult(word);
  }
}

/** Prints a value so that `parseValue` reads it. */
export function formatValue({ kind }: Pick<FilterField, 'kind'>, value: TermValue): string {
  if (typeof value === 'string') return formatWord(value);
  if (kind === 'duration') return inUnits(value, DURATION_UNITS, TIME_DECIMALS);
  return kind === 'bytes' ? inUnits(value, BYTE_UNITS, BYTE_DECIMALS) : String(value);
}

function parseChoice(field: FilterField, word: string): Result<TermValue, string> {
  const texts = field.choices.map(({ text }) => text);
  const choice = word.toLowerCase();
  if (texts.includes(choice)) return ok(choice);
  const guess = nearest(word, texts);
  if (guess !== undefined)
    return err(`no ${field.name} "${clipped(word)}"; did you mean ${guess}?`);
  return err(`no ${field.name} "${clipped(word)}"; values are ${texts.join(', ')}`);
}

/** Reads an errno by its name, or by number with either sign, because kernels differ in it. */
function parseError(word: string): Result<TermValue, string> {
  if (/^-?\d{1,4}$/.test(word)) return ok(Math.abs(Number(word)));
  const name = word.toLowerCase();
  if (name === 'any' || name === 'none') return ok(name);
  const known = errnoNamed(word);
  if (known !== undefined) return ok(known);
  return err(`"${clipped(word)}" is not an error; use any, none, or an errno such as 5 or EIO`);
}

/** Reads the result of a call, a whole number that may be negative: `0`, `-2`. */
function parseResult(word: string): Result<TermValue, string> {
  const value = Number(word);
  if (/^-?\d+$/.test(word) && Number.isSafeInteger(value)) return ok(value + 0);
  return err(`"${clipped(word)}" is not a result such as 0 or -2`);
}

/** Reads a latency. Minutes are rejected: for an I/O, `10m` is more likely a typo for 10ms. */
function parseLatency(field: FilterField, word: string): Result<TermValue, string> {
  if (/^\d+(\.\d+)?m?$/.test(word)) {
    const number = word.replace(/m$/, '');
    const what = word.endsWith('m') ? 'm is not a unit of latency' : 'a latency needs a unit';
    return err(`${what}; try ${clipped(number)}ms`);
  }
  const parsed = parseDuration(word.toLowerCase());
  if (parsed.ok && !/[mh]$/i.test(word)) return exact(parsed, word);
  const isName = /^[a-z]/i.test(word);
  const hint = field.name === 'dlat' && isName ? '; for a disk use disk=' : '';
  return err(`"${clipped(word)}" is not a latency such as 10ms or 150us${hint}`);
}

function parseSize(word: string): Result<TermValue, string> {
  const parsed = parseBytes(word);
  return parsed.ok
    ? exact(parsed, word)
    : err(`"${clipped(word)}" is not a size such as 64k or 1m`);
}

/** Reads the number of a process or thread; in a trace of several hosts, the host may follow: `1234@web1`. */
function parseId(field: FilterField, word: string): Result<TermValue, string> {
  const [, number, host] = /^(\d+)@([^]+)$/.exec(word) ?? [];
  const parsed = parseWhole(field, number ?? word);
  return parsed.ok ? ok(numberAtHost(parsed.value, host)) : parsed;
}

function parseWhole(field: FilterField, word: string): Result<number, string> {
  if (/^\d+$/.test(word)) return exact(ok(Number(word)), word);
  const hint = field.name === 'pid' && /^[a-z]/i.test(word) ? '; for a name use comm~' : '';
  return err(`"${clipped(word)}" is not a whole number${hint}`);
}

/** Rejects values that would be rounded: they stay exact in JSON and in text. */
function exact(parsed: Result<number, string>, word: string): Result<number, string> {
  if (!parsed.ok) return parsed;
  const value = Math.round(parsed.value);
  return Number.isSafeInteger(value) ? ok(value) : err(`"${clipped(word)}" is too large`);
}

interface Unit {
  readonly size: number;
  readonly suffix: string;
}

const DURATION_UNITS: readonly Unit[] = [
  { size: 1e9, suffix: 's' },
  { size: 1e6, suffix: 'ms' },
  { size: 1e3, suffix: 'us' },
  { size: 1, suffix: 'ns' },
];
const BYTE_UNITS: readonly Unit[] = [
  { size: 2 ** 40, suffix: 't' },
  { size: 2 ** 30, suffix: 'g' },
  { size: 2 ** 20, suffix: 'm' },
  { size: 2 ** 10, suffix: 'k' },
  { size: 1, suffix: '' },
];

/** Enough decimals for whole nanoseconds, so that a latency is printed in its own unit, not in a smaller one. */
const TIME_DECIMALS = 9;
/** With more decimals, a multiple of a power of two would be no shorter than its bytes. */
const BYTE_DECIMALS = 3;

/** Prints a value in the largest unit in which it is exact. */
function inUnits(value: number, units: readonly Unit[], decimals: number): string {
  for (const { size, suffix } of units) {
    const figure = Number((value / size).toFixed(decimals));
    if (figure >= 1 && Math.abs(figure * size - value) < 1e-3) return `${figure}${suffix}`;
  }
  return `${value}${units.at(-1)!.suffix}`;
}

const MOST_QUOTED = 24;

/** What was typed, shortened to fit into a message. */
export function clipped(word: string): string {
  return word.length > MOST_QUOTED ? `${word.slice(0, MOST_QUOTED)}…` : word;
}
