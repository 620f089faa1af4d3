import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { Slowest } from '../../../src/query/slowest/slowest.ts';
import { columnsOf } from '../../history/fixtures.ts';

fc.configureGlobal({ seed: 20_100_701 });

describe('the slowest', () => {
  test('the slowest list keeps the largest of all values offered, the first of equals', () => {
    const values = fc.array(fc.oneof(fc.nat(20), fc.constant(-1)), { maxLength: 200 });
    const rows = columnsOf([]);
    fc.assert(
      fc.property(values, fc.nat(30), (offered, capacity) => {
        const slowest = new Slowest(capacity);
        offered.forEach((value, row) => {
          slowest.offer(value, rows, row);
        });
        const expected = offered
          .map((value, row) => ({ value, row }))
          .sort((a, b) => b.value - a.value)
          .slice(0, capacity);
        expect(slowest.sorted().map(({ row }) => row)).toEqual(expected.map(({ row }) => row));
      }),
      { numRuns: 500 },
    );
  });

  test('the slowest list keeps its rows when the memory that they came from has others', () => {
    const rows = columnsOf([5, 9, 7].map((completeNs) => ({ completeNs })));
    const slowest = new Slowest(2);
    const offer = (): void => {
      rows.completeNs.forEach((ns, row) => {
        slowest.offer(ns, rows, row);
      });
      slowest.keep();
      rows.completeNs.fill(8);
    };
    offer();
    offer();
    const kept = slowest.sorted().map(({ rows: { completeNs }, row }) => completeNs[row]);
    expect(kept).toEqual([9, 8]);
  });

  test('the slowest list says from which value on an offer is kept', () => {
    const rows = columnsOf([]);
    const slowest = new Slowest(2);
    expect(slowest.threshold).toBe(-Infinity);
    slowest.offer(5, rows, 0);
    expect(slowest.threshold).toBe(-Infinity);
    slowest.offer(9, rows, 1);
    expect(slowest.threshold).toBe(5);
    slowest.offer(7, rows, 2);
    expect(slowest.threshold).toBe(7);
    expect(new Slowest(0).threshold).toBe(Infinity);
  });

  test('the slowest list remembers the columns of a row', () => {
    const [first, second] = [columnsOf([{}]), columnsOf([{}])];
    const slowest = new Slowest(2);
    slowest.offer(1, first, 0);
    slowest.offer(2, second, 0);
    expect(slowest.sorted().map(({ rows }) => rows === second)).toEqual([true, false]);
  });
});
