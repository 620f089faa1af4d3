import { UNKNOWN_DEVICE } from '../../model/device.ts';
import { IdentityMark } from '../../model/identity.ts';
import { type IdentityTable } from '../../model/identity-table.ts';
import { isOfPrograms, LAYERS } from '../../model/layer.ts';
import { inWords } from '../abi/in-words.ts';
import { Dimension, IoCompletion, IoFlag } from '../abi/layout.ts';
import { decodeComm } from '../machine/decode-comm.ts';

const FIELD = inWords(IoCompletion.offsets);
const FIRST = FIELD.dev;
/** Flags of a record that are `IdentityMark`s. */
const MARKS = IoFlag.ownerUnknown | IoFlag.indirect;
/** Words of an identity: `dev` to the end of `via`. */
const IDENTITY_WORDS = IoCompletion.bytes / 4 - FIRST;
/** An entry has the words of the identity, then its index plus one, which is 0 in a free entry. */
const ENTRY_WORDS = IDENTITY_WORDS + 1;
const LAYER_MASK = 3;
const ENTRIES = 4096;
const PROBES = 8;

/**
 * Maps a record to the index of its identity without allocating an object or a string per I/O: an open-addressing
 * table in front of the `IdentityTable`. If all entries where an identity may be are taken, it replaces the first one,
 * whose identity is interned again the next time.
 */
export class IdentityCache {
  private readonly entries = new Uint32Array(ENTRIES * ENTRY_WORDS);
  private last = 0;

  constructor(private readonly table: IdentityTable) {}

  /** `at` is the word where the record starts. */
  index(words: Uint32Array, at: number): number {
    const from = at + FIRST;
    if (this.holds(this.last, words, from)) return this.entries[this.last + IDENTITY_WORDS]! - 1;
    const home = hash(words, at);
    for (let probe = 0; probe < PROBES; probe++) {
      const entry = ((home + probe) & (ENTRIES - 1)) * ENTRY_WORDS;
      if (this.entries[entry + IDENTITY_WORDS] === 0) return this.fill(entry, words, at);
      if (this.holds(entry, words, from)) {
        this.last = entry;
        return this.entries[entry + IDENTITY_WORDS]! - 1;
      }
    }
    return this.fill((home & (ENTRIES - 1)) * ENTRY_WORDS, words, at);
  }

  private holds(entry: number, words: Uint32Array, from: number): boolean {
    const entries = this.entries;
    for (let i = 0; i < IDENTITY_WORDS; i++) {
      if (entries[entry + i] !== words[from + i]) return false;
    }
    return entries[entry + IDENTITY_WORDS] !== 0;
  }

  private fill(entry: number, words: Uint32Array, at: number): number {
    const index = internRecord(this.table, words, at);
    // `internOfIo` counts the I/Os of this identity until it has an index of its own, so it must not be cached before.
    if (this.table.isOther(index) && !this.table.isFull) return index;
    this.entries.set(words.subarray(at + FIRST, at + FIRST + IDENTITY_WORDS), entry);
    this.entries[entry + IDENTITY_WORDS] = index + 1;
    this.last = entry;
    return index;
  }
}

function hash(words: Uint32Array, at: number): number {
  // Thread, operation with flags, error and device distinguish almost all identities.
  let value = Math.imul(words[at + FIELD.tid]!, 0x9e3779b1);
  value = Math.imul(value ^ words[at + FIELD.cmdFlags]!, 0x85ebca6b);
  value = Math.imul(value ^ words[at + FIELD.dev]! ^ words[at + FIELD.error]!, 0xc2b2ae35);
  return value >>> 16;
}

function internRecord(table: IdentityTable, words: Uint32Array, at: number): number {
  const errorAndFlags = words[at + FIELD.error]!;
  const flags = errorAndFlags >>> 16;
  const layer = (flags >>> Dimension.ioLayerShift) & LAYER_MASK;
  const dev = words[at + FIELD.dev]!;
  return table.internOfIo({
    // A wait or a call may have no disk.
    dev: dev === 0 && isOfPrograms(LAYERS[layer]!) ? UNKNOWN_DEVICE : dev,
    cmdFlags: words[at + FIELD.cmdFlags]!,
    tgid: words[at + FIELD.tgid]!,
    tid: words[at + FIELD.tid]!,
    comm: commAt(words, at + FIELD.comm),
    via: (flags & IoFlag.hasVia) === 0 ? undefined : commAt(words, at + FIELD.via),
    cgroup: words[at + FIELD.cgroup]! + words[at + FIELD.cgroup + 1]! * 2 ** 32,
    error: (errorAndFlags << 16) >> 16,
    marks: (flags & MARKS) | (flags & IoFlag.severalWriters ? IdentityMark.severalWriters : 0),
    layer: layer === 0 ? undefined : LAYERS[layer],
  });
}

function commAt(words: Uint32Array, word: number): string {
  const at = words.byteOffset + 4 * word;
  return decodeComm(new Uint8Array(words.buffer, at, IoCompletion.lengths.comm));
}
