import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { aggregateIdentity, otherIdentity } from '../../src/model/folded-identity.ts';
import {
  commandIsKnown,
  IdentityMark,
  operationIsUnknown,
  OTHER_COMM,
  ownerIsKnown,
} from '../../src/model/identity.ts';
import { IdentityTable } from '../../src/model/identity-table.ts';
import { OP_UNKNOWN } from '../../src/model/operation.ts';
import type { Identity } from '../../src/model/identity.ts';

fc.configureGlobal({ seed: 20_100_701 });

const small = fc.integer({ min: 0, max: 2 });
const anyKey: fc.Arbitrary<Identity> = fc.record({
  dev: small,
  cmdFlags: fc.constantFrom(0, 1, 1 | (1 << 11)),
  tgid: small,
  tid: small,
  comm: fc.constantFrom('', 'a', 'a b', '1 2'),
  cgroup: small,
  error: fc.constantFrom(0, -5),
  marks: fc.constantFrom(0, IdentityMark.indirect, IdentityMark.noDetail),
  layer: fc.constantFrom(undefined, 'volumes' as const),
});

describe('the identity table', () => {
  test('equal identities have one index, different ones different indexes, and an index gives its identity back', () => {
    fc.assert(
      fc.property(fc.array(anyKey), (sequence) => {
        const table = new IdentityTable();
        const indices = sequence.map((key) => table.intern(key));
        sequence.forEach((key, i) => {
          expect(table.get(indices[i]!)).toEqual(key);
          sequence.forEach((other, j) => {
            const isEqual = JSON.stringify(key) === JSON.stringify(other);
            expect(indices[i] === indices[j]).toBe(isEqual);
          });
        });
        expect(table.size).toBe(new Set(indices).size);
      }),
    );
  });

  test('a full identity table folds new identities per device, operation, success and kind', () => {
    fc.assert(
      fc.property(fc.array(anyKey, { minLength: 5 }), (sequence) => {
        const table = new IdentityTable(3);
        for (const key of sequence) {
          const interned = table.get(table.intern(key));
          const { dev, error, layer } = interned;
          expect({ dev, error, layer }).toEqual({
            ...{ dev: key.dev, error: key.error, layer: key.layer },
          });
          expect(interned.cmdFlags & 0xff).toBe(key.cmdFlags & 0xff);
          expect(interned.marks & IdentityMark.noDetail).toBe(key.marks & IdentityMark.noDetail);
        }
        const different = new Set(sequence.map((key) => JSON.stringify(key))).size;
        const own = sequence.map((key) => table.intern(key)).filter((at) => !table.isOther(at));
        expect(new Set(own).size).toBe(Math.min(3, different));
      }),
    );
  });

  test('further processes share an identity of their command in their cgroup, then of their command, then of all others', () => {
    const table = new IdentityTable(32);
    const key = { dev: 1, cmdFlags: 1, tgid: 0, tid: 0, comm: '', cgroup: 9, error: 0, marks: 0 };
    const ofProcess = (tgid: number, comm: string, cgroup = 9): Identity =>
      table.get(table.intern({ ...key, tgid, tid: tgid, comm, cgroup }));
    for (let tgid = 1; tgid <= 32; tgid++) expect(ofProcess(tgid, 'cc1').tgid).toBe(tgid);
    const known = [
      ['cc1', 1, 1],
      ['cc1', 2, 2],
      ['cc1', 3, 0],
      ['cc1', 4, 0],
      ['ld', 5, 0],
    ] as const;
    for (const [comm, cgroup, found] of known) {
      const shared = ofProcess(33, comm, cgroup);
      expect(shared).toMatchObject({ comm, cgroup: found, tgid: 0, dev: 1, cmdFlags: 1 });
      expect([commandIsKnown(shared), ownerIsKnown(shared)]).toEqual([true, false]);
      expect(ofProcess(34, comm, cgroup)).toBe(shared);
    }
    const other = ofProcess(35, 'as');
    expect([other.comm, commandIsKnown(other)]).toEqual([OTHER_COMM, false]);
    expect(ofProcess(1, 'cc1').tgid).toBe(1);
  });

  test('calls of any number of processes leave half of the indices to other I/O', () => {
    const table = new IdentityTable(64);
    const key = { dev: 1, cmdFlags: 1, tgid: 1, comm: 'sh', cgroup: 9, error: 0, marks: 0 };
    const owned = (layer: Identity['layer'], processes: number): number =>
      Array.from({ length: processes }, (_, tid) => ({ ...key, tid, layer })).filter(
        (identity) => !table.isOther(table.internOfIo(identity)),
      ).length;
    expect(owned('calls', 200)).toBe(32);
    expect(owned(undefined, 20)).toBe(20);
    const busy: Identity = { ...key, tid: 500, layer: 'calls' };
    const indices = Array.from({ length: 64 }, () => table.internOfIo(busy));
    expect(indices.map((index) => table.isOther(index))).toEqual(indices.map((_, at) => at < 63));
  });

  test('who wrote for a command stays known, and whether others wrote as well', () => {
    const table = new IdentityTable(16);
    const marks = IdentityMark.indirect | IdentityMark.severalWriters;
    const key = { dev: 1, cmdFlags: 1, tgid: 1, comm: 'cp', cgroup: 9, error: 0, marks };
    const last = Array.from({ length: 17 }, (_, tid) =>
      table.intern({ ...key, tid, via: 'kworker/u8:1' }),
    ).at(-1)!;
    expect(table.get(last)).toMatchObject({
      ...{ comm: 'cp', via: 'kworker/u8:1', tgid: 0 },
      marks: marks | IdentityMark.other | IdentityMark.ownerUnknown,
    });
  });

  test('a folded identity names no process, and its size stays unknown', () => {
    const key: Identity = {
      dev: 1,
      cmdFlags: 1 | (1 << 11),
      tgid: 7,
      tid: 8,
      comm: 'x',
      cgroup: 9,
      error: -5,
      marks: IdentityMark.indirect | IdentityMark.sizeUnknown,
    };
    expect(otherIdentity(key)).toEqual({
      dev: 1,
      cmdFlags: 1,
      tgid: 0,
      tid: 0,
      comm: OTHER_COMM,
      cgroup: 0,
      error: -5,
      marks: IdentityMark.other | IdentityMark.ownerUnknown | IdentityMark.sizeUnknown,
    });
  });

  test('the identity table knows the layers that it has seen', () => {
    const table = new IdentityTable(2);
    const key = { dev: 1, cmdFlags: 0, tgid: 7, tid: 7, comm: '', cgroup: 0, error: 0, marks: 0 };
    expect([...table.layers]).toEqual([]);
    table.intern(key);
    expect([...table.layers]).toEqual(['disks']);
    for (const tid of [8, 9]) table.intern({ ...key, tid, layer: 'volumes' });
    expect(table.isOther(table.intern({ ...key, tid: 10, layer: 'volumes' }))).toBe(true);
    expect([...table.layers]).toEqual(['disks', 'volumes']);
  });

  test('the operation of an aggregate is unknown where a log lacks it, and other where the kernel counted rare ones', () => {
    const none = { dev: 1, tgid: 0, tid: 0, comm: '', cgroup: 0, error: 0, cmdFlags: OP_UNKNOWN };
    const { errorUnknown, noDetail, ownerUnknown } = IdentityMark;
    const ofLog = { ...none, marks: errorUnknown };
    expect(operationIsUnknown(ofLog)).toBe(true);
    expect(operationIsUnknown(aggregateIdentity(ofLog))).toBe(true);
    expect(operationIsUnknown({ ...none, marks: noDetail | ownerUnknown })).toBe(false);
  });

  test('the identity table refuses an index that it never gave', () => {
    expect(() => new IdentityTable().get(0)).toThrow(RangeError);
  });
});
