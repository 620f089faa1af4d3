import { expect, test } from 'vitest';
import { EventRing } from '../../src/history/event-ring.ts';
import { BYTES_PER_ROW } from '../../src/model/completion-columns.ts';
import { columnsOf } from './fixtures.ts';

function times(ring: EventRing, startNs: number, endNs: number): number[] {
  return [...ring.overlapping(startNs, endNs)].flatMap(({ rows, from, to }) => [
    ...rows.completeNs.subarray(from, to),
  ]);
}

function rowsAt(...all: number[]) {
  return columnsOf(all.map((completeNs) => ({ completeNs })));
}

test('the event ring drops whole chunks, oldest first, and knows from when on it is complete', () => {
  const ring = new EventRing(4);
  const budget = 3 * (4 * BYTES_PER_ROW + 24);
  ring.append(rowsAt(1, 2, 9, 3), budget);
  ring.append(rowsAt(4, 5, 6, 7, 8, 10, 11, 12), budget);
  expect(ring.evictedNs).toBe(-Infinity);
  ring.append(rowsAt(13), budget);
  expect(ring.evictedNs).toBe(9);
  expect(times(ring, -Infinity, Infinity)).toEqual([4, 5, 6, 7, 8, 10, 11, 12, 13]);
  expect(ring.memoryBytes).toBeLessThanOrEqual(budget);
  ring.shrink(budget / 3);
  expect(times(ring, -Infinity, Infinity)).toEqual([13]);
  expect(ring.length).toBe(1);
});

test('a query on the event ring skips chunks and blocks outside, and misses no row inside', () => {
  const ring = new EventRing(8_192);
  const all = Array.from({ length: 20_000 }, (_, i) => i + (i % 7 === 0 ? 40 : 0));
  ring.append(rowsAt(...all), Infinity);
  const found = times(ring, 9_000, 9_100);
  const inRange = (at: number) => at >= 9_000 && at < 9_100;
  expect(found.filter(inRange)).toEqual(all.filter(inRange));
  expect(found.length).toBeLessThanOrEqual(3 * 1_024);
  expect(times(ring, 30_000, 40_000)).toEqual([]);
});

test('the event ring copies rows, so that the source may reuse its columns', () => {
  const ring = new EventRing(4);
  const batch = rowsAt(1, 2);
  ring.append(batch, Infinity);
  batch.completeNs.fill(99);
  expect(times(ring, 0, 10)).toEqual([1, 2]);
});
