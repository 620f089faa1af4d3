import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { decodeComm } from '../../src/kernel/machine/decode-comm.ts';
import { IdentityCache } from '../../src/kernel/live/identity-cache.ts';
import { inWords } from '../../src/kernel/abi/in-words.ts';
import { Dimension, IoCompletion, IoFlag, Layer } from '../../src/kernel/abi/layout.ts';
import { IdentityMark, type Identity } from '../../src/model/identity.ts';
import { IdentityTable } from '../../src/model/identity-table.ts';
import { LAYERS } from '../../src/model/layer.ts';

const WORDS = IoCompletion.bytes / 4;
const at = inWords(IoCompletion.offsets);

function record(identity: Identity): Uint32Array {
  const words = new Uint32Array(WORDS);
  words[at.dev] = identity.dev;
  words[at.cmdFlags] = identity.cmdFlags;
  words[at.tgid] = identity.tgid;
  words[at.tid] = identity.tid;
  const isShared = (identity.marks & IdentityMark.severalWriters) !== 0;
  const flags =
    (identity.marks & ~IdentityMark.severalWriters) |
    (identity.via === undefined ? 0 : IoFlag.hasVia) |
    (isShared ? IoFlag.severalWriters : 0) |
    (LAYERS.indexOf(identity.layer ?? 'disks') << Dimension.ioLayerShift);
  words[at.error] = (identity.error & 0xffff) | (flags << 16);
  words[at.cgroup] = identity.cgroup >>> 0;
  words[at.cgroup + 1] = Math.floor(identity.cgroup / 2 ** 32);
  new Uint8Array(words.buffer).set(Buffer.from(identity.comm), 4 * at.comm);
  new Uint8Array(words.buffer).set(Buffer.from(identity.via ?? ''), 4 * at.via);
  return words;
}

const identities = fc.record<Identity>({
  // 0 is no device.
  dev: fc.integer({ min: 1, max: 0xffff_ffff }),
  cmdFlags: fc.nat(0xffff_ffff),
  tgid: fc.nat(4_194_304),
  tid: fc.nat(4_194_304),
  comm: fc.string({ unit: 'grapheme-ascii', maxLength: 15 }),
  cgroup: fc.nat(Number.MAX_SAFE_INTEGER),
  error: fc.integer({ min: -4095, max: 255 }),
  marks: fc.constantFrom(
    0,
    IdentityMark.ownerUnknown,
    IdentityMark.indirect,
    IdentityMark.indirect | IdentityMark.severalWriters,
  ),
  via: fc.option(fc.string({ unit: 'grapheme-ascii', minLength: 1, maxLength: 15 }), {
    nil: undefined,
  }),
  layer: fc.constantFrom(undefined, 'volumes' as const, 'waits' as const),
});

describe('the cache of identities', () => {
  it('the cache of identities has the layers of the kernel programs, in their order', () => {
    expect(Object.keys(Layer)).toEqual(LAYERS);
  });

  it('the identity cache finds the identity of each record', () => {
    fc.assert(
      fc.property(
        fc.array(identities, { maxLength: 60 }),
        fc.infiniteStream(fc.nat(59)),
        (some, picks) => {
          const table = new IdentityTable();
          const cache = new IdentityCache(table);
          for (let i = 0; i < 3 * some.length; i++) {
            const identity = some[(picks.next().value as number) % some.length]!;
            expect(table.get(cache.index(record(identity), 0))).toEqual(identity);
          }
        },
      ),
    );
  });

  it('the identity cache is right with far more identities than it has room for', () => {
    const table = new IdentityTable();
    const cache = new IdentityCache(table);
    const base = { dev: 1, cmdFlags: 0, tgid: 9, comm: 'many', cgroup: 1, error: 0, marks: 0 };
    for (let round = 0; round < 2; round++) {
      for (let tid = 0; tid < 20_000; tid++) {
        expect(table.get(cache.index(record({ ...base, tid }), 0)).tid).toBe(tid);
      }
    }
    expect(table.size).toBe(20_000);
  });

  it('the identity cache distinguishes a process from itself under an earlier name', () => {
    const table = new IdentityTable();
    const cache = new IdentityCache(table);
    const one = { dev: 1, cmdFlags: 0, tgid: 9, tid: 9, cgroup: 1, error: 0, marks: 0 };
    const before = cache.index(record({ ...one, comm: 'bash' }), 0);
    const after = cache.index(record({ ...one, comm: 'dd' }), 0);
    expect(after).not.toBe(before);
    expect(cache.index(record({ ...one, comm: 'bash' }), 0)).toBe(before);
  });
});

describe('a command name', () => {
  const decode = (bytes: number[] | string) => decodeComm(Buffer.from(bytes as string));

  it('a command name ends at the first zero byte', () => {
    expect(decode('node\0rest')).toBe('node');
    expect(decode('123456789012345')).toBe('123456789012345');
  });

  it('a command name is UTF-8 and keeps control characters', () => {
    expect(decode('größe \x1b[2J')).toBe('größe \x1b[2J');
    expect(decode('日本')).toBe('日本');
  });

  it('a command name drops a last character that was cut in two', () => {
    expect(decodeComm(Buffer.from('x日本語語語語').subarray(0, 15))).toBe('x日本語語');
    expect(decodeComm(Buffer.from('größe der Maße').subarray(0, 15))).toBe('größe der Ma');
  });

  it('a command name that is not UTF-8 has its bytes escaped, as names of files have', () => {
    expect(decode([0x41, 0x9b, 0x42])).toBe('A\\233B');
    expect(decode([0xff, 0xfe, 0x41])).toBe('\\377\\376A');
    expect(decode('caf\\351')).toBe('caf\\\\351');
  });

  it('two command names look alike only if they are the same', () => {
    const latin = (name: string) => decodeComm(Buffer.from(name, 'latin1'));
    const names = ['café', 'caf\xc3\xa9', 'caf', 'caf\xc3', 'caf\\351', 'Gerät für Maße\xe9'];
    expect(new Set(names.map(latin)).size).toBe(names.length);
    expect(latin('Gerät für Maße\xe9')).toBe('Ger\\344t f\\374r Ma\\337e\\351');
  });
});
