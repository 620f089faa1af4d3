import { escapeBytes, tryUtf8 } from '../../base/decode-name.ts';

/*
 * Logs are read as one character per byte, which is fast and loses nothing; names and quotes are decoded
 * afterwards.
 */
const NON_ASCII = /[\x80-\xff]/;

/** Decodes UTF-8; in any other text, bytes that are not UTF-8 are escaped, as in names of a live trace. */
export function decodeText(text: string): string {
  if (!NON_ASCII.test(text)) return text;
  const bytes = Buffer.from(text, 'latin1');
  return tryUtf8(bytes) ?? escapeBytes(bytes);
}

/** Trims spaces alone: `trim` would also take the byte A0 off, with which letters of UTF-8 may end. */
export function trimSpaces(bytes: string): string {
  return trimSpacesAtEnd(bytes.slice(/^ */.exec(bytes)![0].length));
}

/** Trims spaces at the end in linear time, which a regular expression would not. */
export function trimSpacesAtEnd(bytes: string): string {
  let end = bytes.length;
  while (bytes[end - 1] === ' ') end--;
  return bytes.slice(0, end);
}

/** V8 copies shorter substrings; longer ones share memory with the whole text. */
const SHARED_CHARACTERS = 13;
const KEPT_NAMES = 4096;
const kept = new Map<string, string>();

/**
 * Copies a name that may be kept for long. A substring keeps the whole text in memory, here a piece of the log: a
 * few thousand names would keep hundreds of megabytes.
 */
export function keepName(name: string): string {
  if (name.length < SHARED_CHARACTERS) return name;
  const before = kept.get(name);
  if (before !== undefined) return before;
  if (kept.size >= KEPT_NAMES) kept.clear();
  const own = Buffer.from(name, 'latin1').toString('latin1');
  kept.set(own, own);
  return own;
}

/** `12.000345` as whole seconds and ns, which is exact for any uptime. */
export interface Stamp {
  readonly seconds: number;
  readonly ns: number;
}

const NS_DIGITS = 9;

export function parseStamp(seconds: string, fraction: string): Stamp {
  const ns = Number(fraction.slice(0, NS_DIGITS).padEnd(NS_DIGITS, '0'));
  return { seconds: Number(seconds), ns };
}

export function nsBetween(from: Stamp, to: Stamp): number {
  return (to.seconds - from.seconds) * 1e9 + (to.ns - from.ns);
}

/** Converts a decimal number in units of `unitNs` to ns; NaN when it is not a number or negative. */
export function durationNs(text: string, unitNs: number): number {
  const value = Number(text);
  return value >= 0 ? Math.round(value * unitNs) : NaN;
}
