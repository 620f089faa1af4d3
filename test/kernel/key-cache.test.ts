import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { decodeComm, KeyCache } from '../../src/kernel/key-cache.ts';
import { Completion } from '../../src/kernel/layout.ts';
import { IdentityMark, IdentityTable, type Identity } from '../../src/model/identity-table.ts';

const WORDS = Completion.bytes / 4;
const at = Completion.words;

function record(key: Identity): Uint32Array {
  const words = new Uint32Array(WORDS);
  words[at.dev] = key.dev;
  words[at.cmdFlags] = key.cmdFlags;
  words[at.tgid] = key.tgid;
  words[at.tid] = key.tid;
  words[at.errorAndFlags] = (key.error & 0xffff) | (key.marks << 16);
  words[at.cgroup] = key.cgroup >>> 0;
  words[at.cgroup + 1] = Math.floor(key.cgroup / 2 ** 32);
  new Uint8Array(words.buffer).set(Buffer.from(key.comm), 4 * at.comm);
  return words;
}

const keys = fc.record<Identity>({
  dev: fc.nat(0xffff_ffff),
  cmdFlags: fc.nat(0xffff_ffff),
  tgid: fc.nat(4_194_304),
  tid: fc.nat(4_194_304),
  comm: fc.string({ unit: 'grapheme-ascii', maxLength: 15 }),
  cgroup: fc.nat(Number.MAX_SAFE_INTEGER),
  error: fc.integer({ min: -4095, max: 255 }),
  marks: fc.constantFrom(0, IdentityMark.ownerUnknown, IdentityMark.indirect),
});

describe('the cache of keys', () => {
  it('finds for each record the key that it spells', () => {
    fc.assert(
      fc.property(
        fc.array(keys, { maxLength: 60 }),
        fc.infiniteStream(fc.nat(59)),
        (some, picks) => {
          const table = new IdentityTable();
          const cache = new KeyCache(table);
          for (let i = 0; i < 3 * some.length; i++) {
            const key = some[(picks.next().value as number) % some.length]!;
            expect(table.get(cache.index(record(key), 0))).toEqual(key);
          }
        },
      ),
    );
  });

  it('stays right when there are far more keys than it holds', () => {
    const table = new IdentityTable();
    const cache = new KeyCache(table);
    const base = { dev: 1, cmdFlags: 0, tgid: 9, comm: 'many', cgroup: 1, error: 0, marks: 0 };
    for (let round = 0; round < 2; round++) {
      for (let tid = 0; tid < 20_000; tid++) {
        expect(table.get(cache.index(record({ ...base, tid }), 0)).tid).toBe(tid);
      }
    }
    expect(table.size).toBe(20_000);
  });

  it('tells a process from itself before it took another name', () => {
    const table = new IdentityTable();
    const cache = new KeyCache(table);
    const one = { dev: 1, cmdFlags: 0, tgid: 9, tid: 9, cgroup: 1, error: 0, marks: 0 };
    const before = cache.index(record({ ...one, comm: 'bash' }), 0);
    const after = cache.index(record({ ...one, comm: 'dd' }), 0);
    expect(after).not.toBe(before);
    expect(cache.index(record({ ...one, comm: 'bash' }), 0)).toBe(before);
  });
});

describe('a command name', () => {
  const decode = (bytes: number[] | string) => decodeComm(Buffer.from(bytes as string));

  it('ends at the first zero', () => {
    expect(decode('node\0rest')).toBe('node');
    expect(decode('123456789012345')).toBe('123456789012345');
  });

  it('is UTF-8 and keeps what a terminal would obey', () => {
    expect(decode('größe \x1b[2J')).toBe('größe \x1b[2J');
    expect(decode('日本')).toBe('日本');
  });

  it('loses a last character that was cut in two', () => {
    expect(decodeComm(Buffer.from('日本語語語語').subarray(0, 14))).toBe('日本語語');
  });

  it('that is no UTF-8 comes byte by byte', () => {
    expect(decode([0x41, 0x9b, 0x42])).toBe('A\x9bB');
    expect(decode([0xff, 0xfe, 0x41])).toBe('\xff\xfeA');
  });
});
