/** Characters to quote: more would not help to find a wrong word. */
const MAX_QUOTED = 40;

export function shortened(word: string): string {
  return word.length > MAX_QUOTED ? `${word.slice(0, MAX_QUOTED)}…` : word;
}

/** A word as quoted in a message. */
export function quoted(word: string): string {
  return `"${shortened(word)}"`;
}
