import type { IdentityTable } from '../model/identity-table.ts';
import { Completion, CompletionFlag } from './layout.ts';

const FIRST = Completion.words.dev;
/** Words that make a key, `dev` to the end of `comm`. */
const KEY_WORDS = Completion.bytes / 4 - FIRST;
/** The key's words, then its index plus one; 0 there marks a free entry. */
const ENTRY_WORDS = KEY_WORDS + 1;
const ENTRIES = 4096;
const PROBES = 8;

/**
 * From the words of a record to the index of its key, without making an object or a string for an
 * event: an open-addressing table in front of the `IdentityTable`. A full neighbourhood forgets its first
 * entry, which costs time, not truth.
 */
export class KeyCache {
  private readonly entries = new Uint32Array(ENTRIES * ENTRY_WORDS);
  private last = 0;

  constructor(private readonly keys: IdentityTable) {}

  /** `at`: the word where the record begins. */
  index(words: Uint32Array, at: number): number {
    const from = at + FIRST;
    if (this.holds(this.last, words, from)) return this.entries[this.last + KEY_WORDS]! - 1;
    const home = hash(words, from);
    for (let probe = 0; probe < PROBES; probe++) {
      const entry = ((home + probe) & (ENTRIES - 1)) * ENTRY_WORDS;
      if (this.entries[entry + KEY_WORDS] === 0) return this.fill(entry, words, at);
      if (this.holds(entry, words, from)) {
        this.last = entry;
        return this.entries[entry + KEY_WORDS]! - 1;
      }
    }
    return this.fill((home & (ENTRIES - 1)) * ENTRY_WORDS, words, at);
  }

  private holds(entry: number, words: Uint32Array, from: number): boolean {
    const entries = this.entries;
    for (let i = 0; i < KEY_WORDS; i++) {
      if (entries[entry + i] !== words[from + i]) return false;
    }
    return entries[entry + KEY_WORDS] !== 0;
  }

  private fill(entry: number, words: Uint32Array, at: number): number {
    const index = internRecord(this.keys, words, at);
    this.entries.set(words.subarray(at + FIRST, at + FIRST + KEY_WORDS), entry);
    this.entries[entry + KEY_WORDS] = index + 1;
    this.last = entry;
    return index;
  }
}

function hash(words: Uint32Array, from: number): number {
  // Thread, operation with flags, error and device tell almost all keys apart.
  let value = Math.imul(words[from + 3]!, 0x9e3779b1);
  value = Math.imul(value ^ words[from + 1]!, 0x85ebca6b);
  value = Math.imul(value ^ words[from]! ^ words[from + 4]!, 0xc2b2ae35);
  return value >>> 16;
}

function internRecord(keys: IdentityTable, words: Uint32Array, at: number): number {
  const field = Completion.words;
  const errorAndFlags = words[at + field.errorAndFlags]!;
  return keys.intern({
    dev: words[at + field.dev]!,
    cmdFlags: words[at + field.cmdFlags]!,
    tgid: words[at + field.tgid]!,
    tid: words[at + field.tid]!,
    comm: decodeComm(
      new Uint8Array(words.buffer, words.byteOffset + 4 * (at + field.comm), Completion.commBytes),
    ),
    cgroup: words[at + field.cgroup]! + words[at + field.cgroup + 1]! * 2 ** 32,
    error: (errorAndFlags << 16) >> 16,
    marks: (errorAndFlags >>> 16) & CompletionFlag.marks,
  });
}

const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/**
 * A command name as text, with nothing taken out but a last character that the kernel's limit of 15
 * bytes cut in two. Bytes that are not UTF-8 come as the characters U+0080 to U+00FF.
 */
export function decodeComm(bytes: Uint8Array): string {
  const end = bytes.indexOf(0);
  const name = end < 0 ? bytes : bytes.subarray(0, end);
  for (let cut = 0; cut <= 3 && cut <= name.length; cut++) {
    if (cut > 0 && (name[name.length - cut]! & 0x80) === 0) break;
    const text = tryUtf8(name.subarray(0, name.length - cut));
    if (text !== undefined) return text;
  }
  return Buffer.from(name).toString('latin1');
}

function tryUtf8(bytes: Uint8Array): string | undefined {
  try {
    return utf8.decode(bytes);
  } catch (cause) {
    if (cause instanceof TypeError) return undefined;
    throw cause;
  }
}
