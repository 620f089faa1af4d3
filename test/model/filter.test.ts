import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  compileFilter,
  FLAG_NAMES,
  formatFilter,
  hasConditions,
  isOpClass,
  keyPredicate,
  NO_FILTER,
} from '../../src/model/filter.ts';
import type { Filter } from '../../src/model/filter.ts';
import { KeyMark, KeyTable } from '../../src/model/key-table.ts';
import type { CompletionKey } from '../../src/model/key-table.ts';
import { Op, OP_CLASSES, RequestFlag } from '../../src/model/operation.ts';

fc.configureGlobal({ seed: 20_100_701 });

const sda = 8 << 20;
const key: CompletionKey = {
  dev: sda,
  cmdFlags: Op.write | RequestFlag.sync,
  tgid: 812,
  tid: 813,
  comm: 'mysqld',
  cgroup: 1,
  error: 0,
  marks: 0,
};

function passes(filter: Filter, changes: Partial<CompletionKey> = {}): boolean {
  return keyPredicate(filter)({ ...key, ...changes });
}

const names = {
  device: (dev: number) => (dev === sda ? { dev, name: 'sda' } : undefined),
};

describe('a filter', () => {
  test('without conditions lets everything pass', () => {
    expect(passes(NO_FILTER)).toBe(true);
    expect(hasConditions(NO_FILTER)).toBe(false);
    expect(compileFilter(NO_FILTER, new KeyTable()).passesAll).toBe(true);
  });

  test('asks each field for any of its values', () => {
    expect(passes({ devs: { values: [1, sda] } })).toBe(true);
    expect(passes({ devs: { values: [1] } })).toBe(false);
    expect(passes({ opClasses: { values: ['read', 'write'] } })).toBe(true);
    expect(passes({ opClasses: { values: ['read'] } })).toBe(false);
    expect(passes({ tgids: { values: [812] } })).toBe(true);
    expect(passes({ comms: { values: ['postgres'] } })).toBe(false);
    expect(passes({ flags: { values: ['fua', 'sync'] } })).toBe(true);
    expect(passes({ flags: { values: ['fua'] } })).toBe(false);
    expect(passes({ failed: false })).toBe(true);
    expect(passes({ failed: true })).toBe(false);
    expect(passes({ failed: true }, { error: -5 })).toBe(true);
  });

  test('passes what holds in every field', () => {
    const filter: Filter = { devs: { values: [sda] }, opClasses: { values: ['write'] } };
    expect(passes(filter)).toBe(true);
    expect(passes(filter, { dev: 1 })).toBe(false);
    expect(passes(filter, { cmdFlags: Op.read })).toBe(false);
  });

  test('turns round field by field', () => {
    expect(passes({ devs: { values: [sda], invert: true } })).toBe(false);
    expect(passes({ devs: { values: [1], invert: true } })).toBe(true);
    expect(passes({ flags: { values: ['sync'], invert: true } })).toBe(false);
  });

  test('takes no unknown owner for process 0', () => {
    for (const marks of [KeyMark.ownerUnknown, KeyMark.noDetail, KeyMark.other]) {
      expect(passes({ tgids: { values: [0] } }, { tgid: 0, marks })).toBe(false);
      expect(passes({ tgids: { values: [812], invert: true } }, { tgid: 0, marks })).toBe(true);
    }
  });

  test('compiled gives the plain answer, also for keys interned afterwards and asked twice', () => {
    const filters = fc.record(
      {
        devs: fc.record({
          values: fc.subarray([0, 1, 2]),
          invert: fc.boolean(),
        }),
        opClasses: fc.record({ values: fc.subarray([...OP_CLASSES]), invert: fc.boolean() }),
        flags: fc.record({ values: fc.subarray([...FLAG_NAMES]), invert: fc.boolean() }),
        failed: fc.boolean(),
      },
      { requiredKeys: [] },
    );
    const keys = fc.array(
      fc.record({
        dev: fc.integer({ min: 0, max: 3 }),
        cmdFlags: fc.constantFrom(0, 1, 2, 3, 34, 1 | RequestFlag.fua, RequestFlag.meta),
        error: fc.constantFrom(0, -5),
        tgid: fc.integer({ min: 0, max: 400 }),
      }),
      { maxLength: 400 },
    );
    fc.assert(
      fc.property(filters, keys, (filter, changes) => {
        const table = new KeyTable();
        const compiled = compileFilter(filter, table);
        const plain = keyPredicate(filter);
        for (const change of changes) {
          const index = table.intern({ ...key, ...change });
          expect(compiled.passesKey(index)).toBe(plain(table.get(index)));
          expect(compiled.passesKey(index)).toBe(plain(table.get(index)));
        }
        expect(compiled.passesAll).toBe(!hasConditions(filter));
      }),
    );
  });
});

describe('a filter in words', () => {
  test('reads as a person would type it', () => {
    const filter: Filter = {
      tgids: { values: [812] },
      opClasses: { values: ['write'] },
      devs: { values: [sda] },
    };
    expect(formatFilter(filter, names)).toBe('disk=sda op=write pid=812');
  });

  test('lists alternatives, turns round, and says whether I/O failed', () => {
    const filter: Filter = {
      devs: { values: [sda, (7 << 20) + 3], invert: true },
      flags: { values: ['sync', 'fua'] },
      failed: true,
    };
    expect(formatFilter(filter, names)).toBe('disk!=sda,7:3 flag=sync,fua error=any');
    expect(formatFilter({ failed: false }, names)).toBe('error=none');
  });

  test('quotes names that would be misread', () => {
    const filter: Filter = {
      comms: { values: ['kworker/u8:1', 'Web Content', 'a"b', '\u001b[2J'] },
    };
    expect(formatFilter(filter, names)).toBe(
      'comm=kworker/u8:1,"Web Content","a\\"b","\\u001b[2J"',
    );
  });

  test('is empty when nothing is asked', () => {
    expect(formatFilter(NO_FILTER, names)).toBe('');
  });

  test('knows the classes of operations by name', () => {
    expect([...OP_CLASSES, 'trim', ''].map(isOpClass)).toEqual([
      true,
      true,
      true,
      true,
      true,
      false,
      false,
    ]);
  });
});
