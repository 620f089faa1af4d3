/** Entries of the smallest table. All sizes are powers of two. */
const FIRST_ENTRIES = 128;
const MOST_FULL = 3 / 4;
/** The words of an entry: a hash, and a number + 1, which is 0 in a free entry. */
const ENTRY_WORDS = 2;

/** Different in each run, so that nobody can choose names that collide. */
const SEED = Math.floor(Math.random() * 2 ** 32);

/**
 * Finds the number of a thing by its hash, in 11 to 21 bytes each. A map of texts would take a few hundred, because V8
 * keeps a concatenated text as its parts.
 */
export class HashIndex {
  private entries = new Uint32Array(FIRST_ENTRIES * ENTRY_WORDS);
  private size = 0;

  /** `isSame` tells whether a number with this hash is the wanted one. */
  find(hash: number, isSame: (number: number) => boolean): number | undefined {
    const { entries } = this;
    for (let entry = this.firstOf(hash); entries[entry + 1] !== 0; entry = this.after(entry)) {
      if (entries[entry] !== hash) continue;
      const number = entries[entry + 1]! - 1;
      if (isSame(number)) return number;
    }
    return undefined;
  }

  /** Adds a number that is not in the index. */
  add(hash: number, number: number): void {
    this.size++;
    if (this.size * ENTRY_WORDS > this.entries.length * MOST_FULL) this.grow();
    this.put(hash, number + 1);
  }

  private put(hash: number, mark: number): void {
    const { entries } = this;
    let entry = this.firstOf(hash);
    while (entries[entry + 1] !== 0) entry = this.after(entry);
    entries[entry] = hash;
    entries[entry + 1] = mark;
  }

  private firstOf(hash: number): number {
    return (hash * ENTRY_WORDS) & (this.entries.length - 1);
  }

  private after(entry: number): number {
    return (entry + ENTRY_WORDS) & (this.entries.length - 1);
  }

  private grow(): void {
    const smaller = this.entries;
    this.entries = new Uint32Array(smaller.length * 2);
    for (let entry = 0; entry < smaller.length; entry += ENTRY_WORDS)
      if (smaller[entry + 1] !== 0) this.put(smaller[entry]!, smaller[entry + 1]!);
  }
}

/** A hash of 32 bits of whole numbers below 2^53 and texts. */
export function hashOf(...values: readonly (number | string)[]): number {
  let hash = SEED;
  for (const value of values)
    if (typeof value === 'string') hash = mixText(hash, value);
    else hash = mix(mix(hash, value), value / 2 ** 32);
  return hash >>> 0;
}

function mixText(hash: number, text: string): number {
  let mixed = mix(hash, text.length);
  for (let at = 0; at < text.length; at++) mixed = mix(mixed, text.charCodeAt(at));
  return mixed;
}

/** The low 32 bits of a number. */
function mix(hash: number, value: number): number {
  const mixed = Math.imul(hash ^ value, 0x9e3779b1);
  return mixed ^ (mixed >>> 15);
}
