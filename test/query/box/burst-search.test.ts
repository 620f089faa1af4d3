import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { compileFilter } from '../../../src/filter/match/match.ts';
import { createHistory } from '../../../src/history/history.ts';
import { findBursts } from '../../../src/model/bursts.ts';
import type { SlowestOfColumn } from '../../../src/model/bursts.ts';
import { BurstSearch } from '../../../src/query/box/burst-search.ts';
import { columnsOf, createInfo, someKeys } from '../../history/fixtures.ts';
import { parsed } from '../../filter/fixtures.ts';

fc.configureGlobal({ seed: 20_100_701 });

const anyRow = fc.record({
  completeNs: fc.integer({ min: 0, max: 60e9 }),
  deviceNs: fc
    .oneof({ weight: 9, arbitrary: fc.integer({ min: 1e5, max: 2e5 }) }, fc.constant(1e7))
    .map(Math.fround),
  queueNs: fc.oneof(fc.constant(0), fc.constant(NaN)),
  key: fc.nat(7),
});

function historyOf(rows: readonly { readonly completeNs: number }[], detailRows?: number) {
  const info = createInfo(someKeys());
  const sizes = { budgetBytes: 2 ** 24, sliceNs: 1e9, ...(detailRows && { detailRows }) };
  const history = createHistory({ info, ...sizes });
  for (let from = 0; from < rows.length; from += 4)
    history.append(columnsOf(rows.slice(from, from + 4)));
  return { history, info };
}

describe('the search for bursts', () => {
  it('the bursts are those of a plain count over all I/O that matches the filter', () => {
    fc.assert(
      fc.property(
        fc.array(anyRow, { maxLength: 300 }),
        fc.constantFrom('', 'pid=1'),
        (rows, text) => {
          const { history, info } = historyOf(rows);
          const filter = compileFilter(parsed(text), info.identities, info);
          const slowest = new Map<number, SlowestOfColumn>();
          for (const { completeNs: atNs, deviceNs: latencyNs, key } of rows) {
            if (text !== '' && key >= 2) continue;
            const column = Math.floor(atNs / 1e9);
            if (latencyNs > (slowest.get(column)?.latencyNs ?? -1))
              slowest.set(column, { atNs, withinNs: 0, latencyNs });
          }
          const found = new BurstSearch(history, filter, 'device', 1e9).advance();
          expect(found).toEqual(findBursts(slowest));
        },
      ),
      { numRuns: 100 },
    );
  });

  it('bursts are found where I/O is aggregated, with the time that is uncertain', () => {
    const rows = Array.from({ length: 400 }, (_, i) => ({
      completeNs: i * 1e8,
      deviceNs: i % 100 === 50 ? 1e8 : 1e5,
      queueNs: 0,
    }));
    const { history, info } = historyOf(rows, 40);
    const filter = compileFilter(parsed(''), info.identities, info);
    const found = new BurstSearch(history, filter, 'total', 1e9).advance()!;
    expect(found.map(({ firstColumn }) => firstColumn)).toEqual([5, 15, 25, 35]);
    expect(found[0]!.withinNs).toBeGreaterThan(0);
    expect(found.at(-1)!.withinNs).toBeLessThanOrEqual(found[0]!.withinNs);
  });

  it('bursts below the limit of a filter are found where slower I/O was aggregated with them', () => {
    const rows = Array.from({ length: 400 }, (_, i) => ({
      completeNs: i * 1e8,
      deviceNs: i % 100 === 50 ? 1e8 : i % 10 === 7 ? 1e9 : 1e5,
      queueNs: 0,
    }));
    const { history, info } = historyOf(rows, 40);
    const filter = compileFilter(parsed('lat<500ms'), info.identities, info);
    const found = new BurstSearch(history, filter, 'total', 1e9).advance()!;
    expect(found.map(({ firstColumn }) => firstColumn)).toEqual([5, 15, 25, 35]);
  });

  it('the search can be done in parts', () => {
    const { history, info } = historyOf(
      Array.from({ length: 200 }, (_, i) => ({
        completeNs: i * 1e9,
        deviceNs: i === 90 ? 1e8 : 1e5,
      })),
    );
    const filter = compileFilter(parsed(''), info.identities, info);
    const search = new BurstSearch(history, filter, 'device', 1e9);
    let parts = 0;
    let found = search.advance(() => true);
    for (; found === undefined && parts < 1000; parts++) found = search.advance(() => true);
    expect(found).toHaveLength(1);
  });
});
