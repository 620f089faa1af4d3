/** What JSON may hold as it is, but acts on a terminal: DEL, C1, and what turns or hides text. */
const HARMFUL = /[\x7f-\x9f\u200b-\u200f\u2028-\u202e\u2066-\u2069\ufeff]/g;

/** As `JSON.stringify`, with nothing in it that a terminal obeys; reads back as the same. */
export function safeJson(value: unknown, indent?: number): string {
  return JSON.stringify(value, undefined, indent).replace(HARMFUL, escaped);
}

function escaped(letter: string): string {
  return `\\u${letter.charCodeAt(0).toString(16).padStart(4, '0')}`;
}
