import fc from 'fast-check';
import { expect, it } from 'vitest';
import { compileFilter } from '../../src/filter/match/match.ts';
import { LaneMap } from '../../src/heatmap/lanes/lane-map.ts';
import { LiveHeatmap } from '../../src/heatmap/time/live-heatmap.ts';
import { totalsOf } from '../../src/heatmap/time/totals.ts';
import { createHistory } from '../../src/history/history.ts';
import { IdentityMark } from '../../src/model/identity.ts';
import { inspectBox } from '../query/fixtures/at-once.ts';
import { parsed } from '../filter/fixtures.ts';
import {
  columnsOf,
  createInfo,
  keyOf,
  SDA,
  someKeys,
  uniformSummary,
} from '../history/fixtures.ts';
import type { Row } from '../history/fixtures.ts';
import { laneOwners, SLICE_NS } from './fixtures.ts';

fc.configureGlobal({ seed: 20_101_126 });

const ROW_KEYS = someKeys();
const COUNTED_KEYS = [1, 2, 3].map((tgid) =>
  keyOf({ tgid, comm: `p${tgid}`, marks: IdentityMark.noDetail }),
);
const deviceNs = fc.integer({ min: 1, max: 9_000 });

/** What happens in a stretch of time, and what is looked at when it is over. */
const anyStretch = fc.record({
  lengthNs: fc.integer({ min: 1, max: 2.5 * SLICE_NS }),
  counted: fc.uniqueArray(
    fc.record({
      key: fc.nat(COUNTED_KEYS.length - 1).map((key) => ROW_KEYS.length + key),
      count: fc.integer({ min: 1, max: 50 }),
      deviceNs,
    }),
    { maxLength: 2, selector: ({ key }) => key },
  ),
  rows: fc.array(
    fc.record({
      at: fc.double({ min: 0, max: 1, noNaN: true }),
      key: fc.nat(ROW_KEYS.length - 1),
      deviceNs,
    }),
    { maxLength: 4 },
  ),
  /** Of the right edge of the picture; undefined if nothing is looked at. */
  lookNs: fc.option(fc.oneof(fc.constant(0), fc.integer({ min: -15 * SLICE_NS, max: 300 }))),
});

const anyPicture = fc.record({
  text: fc.constantFrom('', 'disk=sda', 'dlat>1us', 'pid=1'),
  columnNs: fc.constantFrom(100, 250, SLICE_NS, 3 * SLICE_NS),
  columns: fc.integer({ min: 1, max: 40 }),
});

const row: Row = { completeNs: 0, deviceNs: 0, queueNs: 0, sector: 0, bytes: 4096, key: 0 };

it('aggregates that cross the edges of slices are counted alike as they arrive, from the history and in a box', () => {
  fc.assert(
    fc.property(fc.array(anyStretch, { maxLength: 40 }), anyPicture, (stretches, picture) => {
      const { text, columnNs, columns } = picture;
      const info = createInfo([...ROW_KEYS, ...COUNTED_KEYS]);
      const options = { info, sliceNs: SLICE_NS, budgetBytes: 2 ** 24, coarsening: [] };
      const history = createHistory(options);
      const filter = compileFilter(parsed(text), info.identities, info);
      const shape = { metric: 'device', columnNs, columns, filter } as const;
      const axis = {
        scale: 'log',
        outlierCut: 0,
        bins: 10,
        domain: { low: 1, high: 1e4 },
      } as const;
      const spec = { ...shape, ...axis, disks: [{ dev: SDA, sizeBytes: 2 ** 30 }] };
      const owners = laneOwners('process', info, [1, 3]);
      const laneSpec = { ...shape, figure: 'mean', owners } as const;
      const [map, lanes] = [new LiveHeatmap(history, spec), new LaneMap(history, laneSpec)];
      let nowNs = 0;
      for (const { lengthNs, counted, rows, lookNs } of stretches) {
        const startNs = nowNs;
        nowNs += lengthNs;
        const within = (at: number): number => Math.floor(startNs + at * (lengthNs - 1));
        const batch = columnsOf(rows.map(({ at, ...one }) => ({ ...one, completeNs: within(at) })));
        for (const each of [history, map, lanes]) each.append(batch);
        for (const { key, count, ...one } of counted) {
          const summary = uniformSummary(startNs, key, count, { ...row, ...one });
          for (const each of [history, map, lanes])
            each.appendAggregate({ ...summary, endNs: nowNs });
        }
        if (lookNs === null) continue;
        const atNs = Math.max(0, nowNs + lookNs);
        const fresh = new LiveHeatmap(history, spec);
        const freshLanes = new LaneMap(history, laneSpec);
        for (const each of [map, lanes, fresh, freshLanes]) each.update(atNs);
        expect(map.map.counts).toEqual(fresh.map.counts);
        expect(map.map.columnMax).toEqual(fresh.map.columnMax);
        for (let lane = 0; lane < 3; lane++)
          for (let column = 0; column < columns; column++) {
            const [counts, others] = [lanes.counts, freshLanes.counts];
            expect(counts.count(lane, column)).toBe(others.count(lane, column));
            expect(counts.maxValue(lane, column)).toBe(others.maxValue(lane, column));
          }
        const { all, unmeasurable } = totalsOf(map.map);
        const box = { metric: 'device', low: 0, high: Infinity } as const;
        const { startNs: fromNs, endNs: toNs } = map.map;
        const inBox = inspectBox(history, { ...box, startNs: fromNs, endNs: toNs }, filter, info);
        expect(inBox.count).toBe(all - unmeasurable);
      }
    }),
    { numRuns: 100 },
  );
});
