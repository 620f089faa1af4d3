import { quoted } from '../base/quote.ts';
import { parseBytes, parseDuration } from '../base/parse.ts';
import type { Result } from '../base/result.ts';
import { err, ok } from '../base/result.ts';

/** What is allowed as the value of an option. */
export interface ValueRule<T = unknown> {
  /** A noun phrase, as `a whole number from 1 to 500`. */
  readonly allowed: string;
  /** The value of a word, or the error in it. */
  readonly parse: (word: string) => Result<T, string>;
}

/** A rule whose only error is that a word is not what is allowed. */
export function rule<T>(allowed: string, read: (word: string) => T | undefined): ValueRule<T> {
  return {
    allowed,
    parse: (word) => {
      const value = read(word);
      return value === undefined ? err(`${quoted(word)} is not ${allowed}`) : ok(value);
    },
  };
}

/** A choice. Case and dashes between letters do not matter; the value is the choice as it is listed. */
export function oneOf(
  choices: readonly string[],
  aliases: Readonly<Record<string, string>> = {},
): ValueRule<string> {
  const all = [...Object.entries(aliases), ...choices.map((name) => [name, name] as const)];
  const exact = new Map(all);
  const loose = new Map(all.map(([name, meant]) => [withoutDashes(name), meant]));
  return rule(
    `one of ${choices.join(', ')}`,
    (word) => exact.get(word) ?? loose.get(withoutDashes(word)),
  );
}

/** Removes dashes between letters: `icy-lake`, `icylake` and `Icy_Lake` are the same; the sign of a number stays. */
function withoutDashes(word: string): string {
  return word.toLowerCase().replaceAll(/(?<=[a-z])[-_](?=[a-z])/g, '');
}

function whole(min: number, max: number): ValueRule<number> {
  return rule(`a whole number from ${min} to ${max}`, (word) => {
    const value = /^\d+$/.test(word) ? Number(word) : NaN;
    return value >= min && value <= max ? value : undefined;
  });
}

/**
 * A duration in ns, with limits as a person writes them: `time('100ms', '10m')`. `d` for days is allowed if `max` has
 * it.
 */
export function time(min: string, max: string): ValueRule<number> {
  const read = max.endsWith('d') ? longDurationOf : durationOf;
  const [low, high] = [read(min) ?? NaN, read(max) ?? NaN];
  return rule(`a time from ${min} to ${max}`, (word) => {
    const value = read(word);
    return value !== undefined && value >= low && value <= high ? value : undefined;
  });
}

/** A size in bytes. */
export function size(min: string, max: string): ValueRule<number> {
  const [low, high] = [bytesOf(min) ?? NaN, bytesOf(max) ?? NaN];
  return rule(`a size from ${min} to ${max}`, (word) => {
    const value = bytesOf(word);
    return value !== undefined && value >= low && value <= high ? value : undefined;
  });
}

function powerOfTwo(min: string, max: string): ValueRule<number> {
  const { parse } = size(min, max);
  return rule(`a power of two from ${min} to ${max}`, (word) => {
    const bytes = parse(word);
    return bytes.ok && Number.isInteger(Math.log2(bytes.value)) ? bytes.value : undefined;
  });
}

/** The kernel's PATH_MAX, which includes the final NUL. */
const PATH_MAX = 4096;

function isPath(word: string): boolean {
  return word !== '' && Buffer.byteLength(word) < PATH_MAX && !word.includes('\0');
}

/** `-` for standard input or output. */
export const FILE_OR_DASH = rule('a file name, or -', (word) => (isPath(word) ? word : undefined));

/** A file only: the picture needs standard output for itself. */
export const FILE = rule('a file name', (word) =>
  isPath(word) && word !== '-' ? word : undefined,
);

export const SPEED = rule('a number from 0.1 to 100000, or max', (word) => {
  if (word === 'max') return Infinity;
  const value = /^\d+(\.\d+)?x?$/.test(word) ? Number.parseFloat(word) : NaN;
  return value >= 0.1 && value <= 100_000 ? value : undefined;
});

/** A share of one core; Infinity for no limit. */
export const BUDGET = rule('0.1% to 100% of a core, or off', (word) => {
  if (word === 'off') return Infinity;
  const percent = /^\d+(\.\d+)?%?$/.test(word) ? Number.parseFloat(word) : NaN;
  return percent >= 0.1 && percent <= 100 ? percent / 100 : undefined;
});

/** PIDs reach 2^22 on 64-bit Linux (`PID_MAX_LIMIT`). */
const MAX_PID = 2 ** 22;

/** One process ID, or several separated by commas. */
export const PIDS = rule('a process ID', (list) => {
  const words = list.split(',');
  const areIds = words.every((word) => /^\d{1,7}$/.test(word) && Number(word) <= MAX_PID);
  return areIds ? words.map(Number) : undefined;
});

/** One disk, or several separated by commas. Whether they exist is checked later. */
export const DISKS = rule('a disk such as sda, or major:minor', (list) => {
  const words = list.split(',');
  return words.every((word) => isPath(word)) ? words : undefined;
});

export interface Rotation {
  readonly bytes?: number;
  readonly ms?: number;
}

/** A shorter or smaller file would be full at once, with nothing but identities in it. */
const ROTATION_SIZE = size('1M', '1024T');
const ROTATION_TIME = time('1s', '365d');
export const ROTATION = rule<Rotation>(
  `${ROTATION_SIZE.allowed}, or ${ROTATION_TIME.allowed}`,
  (word) => {
    const [ns, bytes] = [ROTATION_TIME.parse(word), ROTATION_SIZE.parse(word)];
    if (ns.ok) return { ms: ns.value / 1e6 };
    return bytes.ok ? { bytes: bytes.value } : undefined;
  },
);

export const INTERVAL = time('100ms', '10m');
export const HISTORY = size('16M', '16G');
export const RING = powerOfTwo('64k', '1G');
export const ONCE_DURATION = time('100ms', '1h');
export const RECORD_DURATION = time('100ms', '365d');
/** From the smallest screen on that shows all figures. */
export const COLUMNS = whole(40, 1000);
export const ROWS = whole(12, 500);
export const SEED = whole(0, 2 ** 32 - 1);
export const RATE = whole(1, 1_000_000);
export const KEEP = whole(1, 999_999);

function durationOf(word: string): number | undefined {
  const parsed = parseDuration(word);
  return parsed.ok ? parsed.value : undefined;
}

function longDurationOf(word: string): number | undefined {
  const days = /^(\d{1,3})d$/.exec(word.trim());
  return days === null ? durationOf(word) : Number(days[1]) * 24 * 3600e9;
}

function bytesOf(word: string): number | undefined {
  const parsed = parseBytes(word);
  return parsed.ok ? parsed.value : undefined;
}
