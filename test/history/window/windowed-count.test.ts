import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { RowChunk } from '../../../src/history/event-ring.ts';
import { createHistory } from '../../../src/history/history.ts';
import type { SliceView } from '../../../src/history/slices/slice-view.ts';
import { Field } from '../../../src/history/slices/slice.ts';
import { ColumnRing, columnOf } from '../../../src/history/window/column-ring.ts';
import { WindowedCount } from '../../../src/history/window/windowed-count.ts';
import type { WindowCounter } from '../../../src/history/window/windowed-count.ts';
import { columnsOf, createInfo, keyOf } from '../fixtures.ts';

fc.configureGlobal({ seed: 20_101_122, endOnFailure: true });

const SLICE_NS = 1_000;
const COLUMN_NS = 3_000;
const COLUMNS = 12;

class Counts extends ColumnRing {
  readonly bySlot = new Float64Array(COLUMNS);

  constructor() {
    super(COLUMNS, COLUMN_NS, 0);
  }

  protected emptySlot(slot: number): void {
    this.bySlot[slot] = 0;
  }
}

/** Counts I/Os per column; slices are never wider than a column. */
class PlainCounter implements WindowCounter {
  readonly ring = new Counts();

  addRows({ rows, from, to }: RowChunk, fromNs: number, toNs: number): void {
    for (let row = from; row < to; row++) this.add(rows.completeNs[row]!, 1, fromNs, toNs);
  }

  addSlice(view: SliceView, fromNs: number, toNs: number): void {
    view.forEachEntry(Field.count, (_, count) => {
      this.add(view.startNs, count, fromNs, toNs);
    });
  }

  private add(at: number, count: number, fromNs: number, toNs: number): void {
    const slot = this.ring.slotOf(columnOf(at, COLUMN_NS));
    if (at >= fromNs && at < toNs && slot >= 0) this.ring.bySlot[slot]! += count;
  }
}

const anyStep = fc.record({
  /** Completions that arrive. */
  arrivals: fc.array(fc.nat(60_000), { maxLength: 30 }),
  /** Where the window goes, on the edges of slices, and how long it is then. */
  startNs: fc.nat(50).map((slices) => slices * SLICE_NS),
  widthNs: fc.integer({ min: 1, max: 33 }).map((slices) => slices * SLICE_NS),
  /** A stretch of which nothing counts as counted any more. */
  forgets: fc.option(fc.tuple(fc.nat(60_000), fc.nat(9_000))),
  isInParts: fc.boolean(),
});

describe('a windowed count', () => {
  it('a windowed count is the count of its window, after any moving, dropping and counting', () => {
    let bordersMet = 0;
    fc.assert(
      fc.property(
        fc.array(anyStep, { minLength: 1, maxLength: 12 }),
        fc.integer({ min: 1, max: 200 }),
        (steps, detailRows) => {
          const info = createInfo([keyOf()]);
          const options = { info, sliceNs: SLICE_NS, budgetBytes: 2 ** 24, coarsening: [] };
          const history = createHistory({ ...options, detailRows });
          const counter = new PlainCounter();
          const count = new WindowedCount(history, counter);
          const all: number[] = [];
          for (const { arrivals, startNs, widthNs, forgets, isInParts } of steps) {
            all.push(...arrivals);
            const rows = columnsOf(arrivals.map((completeNs) => ({ completeNs })));
            history.append(rows);
            count.append(rows);
            count.moveTo(startNs, startNs + widthNs);
            if (forgets !== null) count.forget(forgets[0], forgets[0] + forgets[1]);
            count.advance(isInParts ? () => true : undefined);
            if (isInParts) continue;
            expect(count.isWhole).toBe(true);
            expect(count.share).toBe(1);
            const border = history.detailStartNs;
            if (border > startNs && border < startNs + widthNs) bordersMet++;
            expect(columnsIn(counter, count)).toEqual(plainly(all, count));
          }
        },
      ),
      { numRuns: 1000 },
    );
    expect(bordersMet).toBeGreaterThan(50);
  });

  it('a windowed count counts the newest first, and reports its progress', () => {
    const { history, counter, count } = filled(300_000);
    const shares: number[] = [];
    do {
      count.advance(() => true);
      shares.push(count.share);
      expect(count.isCounted(COLUMNS - 1)).toBe(true);
      expect(count.isCounted(0)).toBe(count.isWhole);
    } while (!count.isWhole);
    expect(shares.length).toBeGreaterThan(3);
    expect([...shares].sort((a, b) => a - b)).toEqual(shares);
    expect(counter.ring.bySlot.reduce((a, b) => a + b)).toBe(history.rows);
  });

  it('a windowed count does not read the history for I/O that arrives in its window', () => {
    const { history, counter, count } = filled(100);
    count.advance();
    const before = history.query.bind(history);
    let queries = 0;
    history.query = (startNs, endNs) => {
      queries++;
      return before(startNs, endNs);
    };
    count.append(columnsOf([{ completeNs: 5_000 }]));
    count.advance();
    count.moveTo(0, COLUMNS * COLUMN_NS);
    expect(queries).toBe(0);
    expect(counter.ring.bySlot.reduce((a, b) => a + b)).toBe(101);
  });
});

function filled(rows: number) {
  const info = createInfo([keyOf()]);
  const history = createHistory({ info, sliceNs: SLICE_NS });
  const spanNs = COLUMNS * COLUMN_NS;
  history.append(
    columnsOf(Array.from({ length: rows }, (_, i) => ({ completeNs: (i / rows) * spanNs }))),
  );
  const counter = new PlainCounter();
  return { history, counter, count: new WindowedCount(history, counter) };
}

function columnsIn({ ring }: PlainCounter, { startNs, endNs }: WindowedCount): number[] {
  const found: number[] = [];
  for (let column = columnOf(startNs, COLUMN_NS); column * COLUMN_NS < endNs; column++)
    found.push(ring.bySlot[ring.slotOf(column)] ?? NaN);
  expect(found.reduce((a, b) => a + b)).toBe(ring.bySlot.reduce((a, b) => a + b));
  return found;
}

function plainly(all: readonly number[], { startNs, endNs }: WindowedCount): number[] {
  const found: number[] = [];
  for (let column = columnOf(startNs, COLUMN_NS); column * COLUMN_NS < endNs; column++) {
    const from = Math.max(startNs, column * COLUMN_NS);
    const to = Math.min(endNs, (column + 1) * COLUMN_NS);
    found.push(all.filter((at) => at >= from && at < to).length);
  }
  return found;
}
