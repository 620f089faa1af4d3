/** A token of a filter. `column` and `length` count UTF-16 units, as strings do. */
export interface Token {
  readonly kind: 'word' | 'quoted' | 'operator' | 'connective' | '(' | ')' | ',';
  /** As typed; for quoted text, without quotes and escapes. */
  readonly text: string;
  readonly column: number;
  readonly length: number;
  /** The closing quote is missing. */
  readonly isOpen?: boolean;
}

const KINDS: readonly { readonly kind: Token['kind']; readonly pattern: RegExp }[] = [
  { kind: 'word', pattern: /[^\s()=!~<>,"&|]+/y },
  { kind: 'quoted', pattern: /"(?:[^"\\]|\\[^])*(?:"|\\?$)/y },
  { kind: 'operator', pattern: /!(?![=~])|[=!~<>]+/y },
  { kind: 'connective', pattern: /[&|]+/y },
  { kind: '(', pattern: /\(/y },
  { kind: ')', pattern: /\)/y },
  { kind: ',', pattern: /,/y },
];
const SPACE = /\s+/y;

/** Divides any text into tokens; the parser finds what makes no sense. */
export function readTokens(text: string): Token[] {
  const tokens: Token[] = [];
  for (let column = 0; column < text.length;) {
    const space = matchAt(SPACE, text, column);
    if (space > 0) {
      column += space;
      continue;
    }
    const token = tokenAt(text, column);
    tokens.push(token);
    column += token.length;
  }
  return tokens;
}

function tokenAt(text: string, column: number): Token {
  for (const { kind, pattern } of KINDS) {
    const length = matchAt(pattern, text, column);
    if (length === 0) continue;
    const piece = text.slice(column, column + length);
    return kind === 'quoted'
      ? { kind, column, length, ...unquote(piece) }
      : { kind, column, length, text: piece };
  }
  throw new Error(`no token at ${column}`);
}

function matchAt(pattern: RegExp, text: string, column: number): number {
  pattern.lastIndex = column;
  return pattern.exec(text)?.[0].length ?? 0;
}

/** Not of digits: names that are not UTF-8 have their bytes as `\351`. */
const ESCAPE = /\\(?:u([0-9a-fA-F]{4})|(\D))/g;

function unquote(piece: string): { text: string; isOpen?: boolean } {
  const isClosed = /^"(?:[^"\\]|\\[^])*"$/.test(piece);
  const inner = piece.slice(1, isClosed ? -1 : undefined);
  const text = inner.replace(ESCAPE, (_, code: string | undefined, character: string) =>
    code === undefined ? character : String.fromCharCode(Number.parseInt(code, 16)),
  );
  return isClosed ? { text } : { text, isOpen: true };
}

const PLAIN = /^[^\s()=!~<>,"&|\u0000-\u001f\u007f-\u009f]+$/;
const CONTROL = /[\u0000-\u001f\u007f-\u009f]/g;

/** A value as it has to be typed: in quotes if it would be misread without. */
export function formatWord(word: string): string {
  if (PLAIN.test(word)) return word;
  const escaped = word
    .replace(/["\\]/g, '\\$&')
    .replace(CONTROL, (c) => `\\u${c.charCodeAt(0).toString(16).padStart(4, '0')}`);
  return `"${escaped}"`;
}

/** The candidate that `word` is most likely a typo of; undefined if none is close. */
export function nearest(word: string, candidates: readonly string[]): string | undefined {
  const wanted = word.toLowerCase();
  if (wanted.length > LONGEST_GUESSED) return undefined;
  let best: string | undefined;
  let bestDistance = wanted.length < 4 ? 1 : 2;
  for (const candidate of candidates) {
    const distance = editDistance(wanted, candidate);
    if (distance > bestDistance || distance >= wanted.length) continue;
    if (best === undefined || distance < bestDistance) [best, bestDistance] = [candidate, distance];
  }
  return best;
}

/** The candidates, the most likely first; in the given order if `word` is not a typo of any. */
export function byNearness(word: string, candidates: readonly string[]): string[] {
  const wanted = word.toLowerCase();
  if (wanted.length > LONGEST_GUESSED) return [...candidates];
  const distances = new Map(candidates.map((one) => [one, editDistance(wanted, one)]));
  const distance = (one: string): number => distances.get(one) ?? Infinity;
  return candidates.toSorted((a, b) => distance(a) - distance(b));
}

const LONGEST_GUESSED = 30;

/** The number of letters to add, drop, replace, or swap with their neighbour. */
function editDistance(a: string, b: string): number {
  let before: number[] = [];
  let row = Array.from({ length: b.length + 1 }, (_, j) => j);
  for (let i = 1; i <= a.length; i++) {
    const next = [i];
    for (let j = 1; j <= b.length; j++) {
      const replaced = row[j - 1]! + (a[i - 1] === b[j - 1] ? 0 : 1);
      let least = Math.min(replaced, row[j]! + 1, next[j - 1]! + 1);
      const isSwap = i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1];
      if (isSwap) least = Math.min(least, before[j - 2]! + 1);
      next.push(least);
    }
    [before, row] = [row, next];
  }
  return row[b.length]!;
}
