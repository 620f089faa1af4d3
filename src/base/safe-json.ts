/**
 * Characters that JSON may contain unescaped but terminals interpret: DEL, C1, and those that hide text or change
 * its direction.
 */
const HARMFUL = /[\x7f-\x9f\u200b-\u200f\u2028-\u202e\u2066-\u2069\ufeff]/g;

/** As `JSON.stringify`, but escapes everything that a terminal interprets; parses to the same value. */
export function safeJson(value: unknown, indent?: number): string {
  return JSON.stringify(value, undefined, indent).replace(HARMFUL, escaped);
}

function escaped(letter: string): string {
  return `\\u${letter.charCodeAt(0).toString(16).padStart(4, '0')}`;
}
