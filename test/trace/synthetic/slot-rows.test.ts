import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createColumns } from '../../../src/model/completion-columns.ts';
import { SLOT_NS, SlotRows } from '../../../src/trace/synthetic/slot-rows.ts';

function fill(times: readonly number[]): SlotRows {
  const rows = new SlotRows();
  times.forEach((time, index) => {
    rows.push(time, 1, 1, index, 512, 0);
  });
  rows.sort(SLOT_NS, 2 * SLOT_NS);
  return rows;
}

const anyTimes = fc.array(fc.integer({ min: SLOT_NS, max: 2 * SLOT_NS - 1 }), { maxLength: 3000 });

test('pending rows are delivered in order of completion, those of one moment as they were added', () => {
  fc.assert(
    fc.property(anyTimes, (times) => {
      const out = createColumns(4096);
      fill(times).take(out, 0, Infinity);
      const expected = times
        .map((time, index) => ({ time, index }))
        .sort((a, b) => a.time - b.time || a.index - b.index);
      expect([...out.completeNs.subarray(0, out.length)]).toEqual(expected.map((e) => e.time));
      expect([...out.sector.subarray(0, out.length)]).toEqual(expected.map((e) => e.index));
    }),
  );
});

test('taking pending rows stops at the time asked for and at the end of the buffer', () => {
  const rows = fill([SLOT_NS + 3, SLOT_NS + 1, SLOT_NS + 2, SLOT_NS + 4]);
  const byTime = createColumns(8);
  expect(rows.take(byTime, 0, SLOT_NS + 2)).toBe(2);
  const bySpace = createColumns(3);
  expect(rows.take(bySpace, 0, Infinity)).toBe(3);
  expect([...bySpace.sector]).toEqual([1, 2, 0]);
});

test('an I/O submitted before the trace started is left out', () => {
  const rows = new SlotRows();
  rows.push(1000, 600, 401, 0, 512, 0);
  rows.push(1000, 600, 400, 0, 512, 0);
  expect(rows.length).toBe(1);
});

test('pending rows beyond the first capacity are kept', () => {
  const times = Array.from({ length: 5000 }, (_, i) => SLOT_NS + ((i * 7919) % 1_000_000));
  const out = createColumns(8192);
  fill(times).take(out, 0, Infinity);
  expect(out.length).toBe(5000);
});
