import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { inspectBox } from '../../query/fixtures/at-once.ts';
import { BoxCount } from '../../../src/query/box/box-report.ts';
import { findSlowest, SlowestSearch } from '../../../src/query/box/slowest-search.ts';
import { createHistory } from '../../../src/history/history.ts';
import type { History } from '../../../src/history/history.ts';
import { createColumns } from '../../../src/model/completion-columns.ts';
import { compileFilter } from '../../../src/filter/match/match.ts';
import { NO_FILTER } from '../../../src/filter/filter.ts';
import { parsed } from '../../filter/fixtures.ts';
import { createInfo, someKeys } from '../fixtures.ts';
import { SeededRandom } from '../../random.ts';

fc.configureGlobal({ seed: 20_100_702 });

const SECOND = 1e9;
const ROWS = 100_000;
/** Enough that a walk has several parts, and the budget takes less than two of it. */
const BUDGET_BYTES = 2 ** 24;

/** Rows of ten seconds from `fromNs` on, with a few slow ones. */
function append(history: History, fromNs: number, seed: number): void {
  const rows = createColumns(ROWS);
  rows.length = ROWS;
  const random = new SeededRandom(seed);
  for (let row = 0; row < ROWS; row++) {
    rows.completeNs[row] = Math.floor(fromNs + (row / ROWS + random.next() * 1e-3) * 10 * SECOND);
    rows.deviceNs[row] = Math.floor(1e5 / (1e-4 + random.next()));
    rows.queueNs[row] = random.next() < 0.1 ? NaN : Math.floor(random.next() * 1e5);
    rows.bytes[row] = 512 * Math.floor(random.next() * 100);
    rows.sector[row] = Math.floor(random.next() * 1e6);
    rows.identity[row] = Math.floor(random.next() * 4);
  }
  history.append(rows);
}

function filled(detailRows = Infinity) {
  const info = createInfo(someKeys());
  const history = createHistory({ info, budgetBytes: BUDGET_BYTES, detailRows });
  append(history, 0, 1);
  append(history, 10 * SECOND, 2);
  return { info, history };
}

const FILTERS = ['', 'lat<50ms', 'op=write lat>1ms', 'size>=4k or op=read'];

function compiled(text: string, info: ReturnType<typeof createInfo>) {
  return compileFilter(text === '' ? NO_FILTER : parsed(text), info.identities, info);
}

/** Goes on one part at a time; between the parts something happens. */
function inParts<T>(
  one: { advance(shouldYield: () => boolean): T | undefined },
  between: (part: number) => void,
): { readonly result: T; readonly parts: number } {
  for (let part = 1; ; part++) {
    const result = one.advance(() => true);
    if (result !== undefined) return { result, parts: part };
    between(part);
  }
}

describe('what is read in parts', () => {
  test.each(FILTERS)(
    'a scan in turns equals one in one go, whatever arrives meanwhile: %s',
    (text) => {
      const { info, history } = filled();
      const filter = compiled(text, info);
      const box = { metric: 'total', startNs: 0, endNs: 40 * SECOND, low: 1e5, high: 1e9 } as const;
      const whole = inspectBox(history, box, filter, info);
      const counted = inParts(new BoxCount(history, box, filter, info), (part) => {
        if (part === 2) append(history, (20 + part) * SECOND, part);
      });
      expect(counted.parts).toBeGreaterThan(4);
      expect(counted.result).toEqual(whole);
    },
  );

  test.each(FILTERS)(
    'a search in turns finds the same slowest moment, whatever arrives meanwhile: %s',
    (text) => {
      const { info, history } = filled();
      const filter = compiled(text, info);
      const slowest = findSlowest(history, 0, Infinity, filter);
      const found = inParts(new SlowestSearch(history, 0, Infinity, filter), (part) => {
        if (part === 2) append(history, 20 * SECOND, 3);
      });
      expect(found.parts).toBeGreaterThan(4);
      expect(found.result.slowest).toEqual(slowest);
    },
  );

  test('a scan in turns equals one in one go where a part is aggregated', () => {
    const { info, history } = filled(60_000);
    expect(history.detailStartNs).toBeGreaterThan(5 * SECOND);
    const box = { metric: 'device', startNs: 0, endNs: 40 * SECOND, low: 0, high: 1e8 } as const;
    const filter = compiled('op=read', info);
    const whole = inspectBox(history, box, filter, info);
    expect(whole.fromSlices).toBeGreaterThan(0);
    expect(whole.fromRows).toBeGreaterThan(0);
    const { result, parts } = inParts(new BoxCount(history, box, filter, info), () => undefined);
    expect(parts).toBeGreaterThan(4);
    expect(result).toEqual(whole);
  });

  test('a scan starts again when the history drops what is still to be read', () => {
    const { info, history } = filled();
    const filter = compiled('', info);
    const box = {
      metric: 'total',
      startNs: 0,
      endNs: 10 * SECOND,
      low: 0,
      high: Infinity,
    } as const;
    const whole = inspectBox(history, box, filter, info);
    const { result } = inParts(new BoxCount(history, box, filter, info), (part) => {
      for (let more = 0; more < 6 && part === 2; more++)
        append(history, (20 + 10 * more) * SECOND, more);
    });
    expect(history.detailStartNs).toBeGreaterThan(10 * SECOND);
    expect(result.fromRows).toBe(0);
    expect(result.leastCount).toBeLessThanOrEqual(whole.count);
    expect(result.mostCount).toBeGreaterThanOrEqual(whole.count);
  });

  test('a scan lists the slowest I/Os unchanged though their memory is reused', () => {
    const { info, history } = filled();
    const filter = compiled('', info);
    const box = { metric: 'total', startNs: 0, endNs: 3 * SECOND, low: 0, high: Infinity } as const;
    const whole = inspectBox(history, box, filter, info);
    const count = new BoxCount(history, box, filter, info);
    // The last part remains: what came before it is forgotten meanwhile.
    let left = 0;
    const copy = new BoxCount(history, box, filter, info);
    left = inParts(copy, () => undefined).parts;
    const { result } = inParts(count, (part) => {
      if (part === left - 1) append(history, 20 * SECOND, 9);
    });
    expect(result.slowest).toEqual(whole.slowest);
  });

  test('a scan reports its progress, and no result before its end', () => {
    const { info, history } = filled();
    const box = { metric: 'total', startNs: 0, endNs: 40 * SECOND, low: 0, high: 1e9 } as const;
    const count = new BoxCount(history, box, compiled('', info), info);
    const shares = [count.share];
    while (count.advance(() => true) === undefined) shares.push(count.share);
    expect(shares[0]).toBeLessThan(0.2);
    expect(shares).toEqual([...shares].sort((a, b) => a - b));
    expect(count.share).toBe(1);
  });
});
