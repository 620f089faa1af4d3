export const ESCAPE = 0x1b;

const BELL = 0x07;
const LEFT_BRACKET = 0x5b;
const BACKSLASH = 0x5c;

/** OSC, DCS, SOS, PM, APC: the string that follows ends with a terminator. */
const STRING_INTRODUCERS = new Set(Array.from(']PX^_', (introducer) => introducer.charCodeAt(0)));

/**
 * The index after the escape sequence that starts at `start`. A sequence that is interrupted by a control character or
 * the end of the line ends there: it must not swallow what follows.
 */
export function endOfSequence(text: string, start: number): number {
  const introducer = text.charCodeAt(start + 1);
  if (introducer === LEFT_BRACKET) return endOfControl(text, start + 2);
  if (STRING_INTRODUCERS.has(introducer)) return endOfString(text, start + 2);
  return endOfSimple(text, start + 1);
}

/** Parameters and intermediates, then one final byte. */
function endOfControl(text: string, start: number): number {
  let i = start;
  while (isBetween(text.charCodeAt(i), 0x20, 0x3f)) i++;
  return isBetween(text.charCodeAt(i), 0x40, 0x7e) ? i + 1 : i;
}

/** Ends with BEL or ST; a bare ESC starts another sequence. */
function endOfString(text: string, start: number): number {
  for (let i = start; i < text.length; i++) {
    const code = text.charCodeAt(i);
    if (code === BELL || code === 0x9c) return i + 1;
    if (code === ESCAPE) return text.charCodeAt(i + 1) === BACKSLASH ? i + 2 : i;
    if (code < 0x20) return i;
  }
  return text.length;
}

function endOfSimple(text: string, start: number): number {
  let i = start;
  while (isBetween(text.charCodeAt(i), 0x20, 0x2f)) i++;
  return isBetween(text.charCodeAt(i), 0x30, 0x7e) ? i + 1 : i;
}

/** False for NaN, which `charCodeAt` returns beyond the end. */
function isBetween(code: number, low: number, high: number): boolean {
  return code >= low && code <= high;
}
