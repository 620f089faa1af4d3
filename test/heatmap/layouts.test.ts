import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { JointMap } from '../../src/heatmap/joint/joint-map.ts';
import { LaneMap } from '../../src/heatmap/lanes/lane-map.ts';
import type { LaneSpec } from '../../src/heatmap/lanes/lane-map.ts';
import { fineBin, fineBinHigh, fineBinLow } from '../../src/model/fine-bins.ts';
import { createHistory, MIN_BUDGET_BYTES } from '../../src/history/history.ts';
import type { History } from '../../src/history/history.ts';
import type { Filter } from '../../src/filter/filter.ts';
import { compileFilter } from '../../src/filter/match/match.ts';
import {
  LANE_FIGURES,
  LATENCIES,
  OUTLIER_CUTS,
  SCALE_KINDS,
  WEIGHTS,
} from '../../src/model/metric.ts';
import type { HistoryInfo } from '../../src/history/slices/identity-facts.ts';
import { Verdict } from '../../src/filter/verdict.ts';
import { columnsOf, createInfo, LOOP, SDA, someKeys, uniformSummary } from '../history/fixtures.ts';
import type { Row } from '../history/fixtures.ts';
import { parsed } from '../filter/fixtures.ts';
import { anyRowInSlices, laneOwners, SLICE_NS, valueOf } from './fixtures.ts';

fc.configureGlobal({ seed: 20_100_701, endOnFailure: true });

const DISKS = [SDA, LOOP];

const anyRow = anyRowInSlices([10e3, 30e3, 1e6], [0, 36, 512, 4096, 65_536, 2 ** 20]);

const anyRows = fc.array(anyRow, { maxLength: 200 });
const anyFilter = fc.constantFrom('', 'pid!=1', 'disk=sda', 'size>=4k', 'lat>1ms').map(parsed);

/** Where the right edge goes, and how many of the rows have come by then. */
const anySteps = fc.array(
  fc.record({
    nowNs: fc.integer({ min: 0, max: 70 * SLICE_NS }),
    share: fc.double({ min: 0, max: 1, noNaN: true }),
  }),
  { minLength: 1, maxLength: 4 },
);

interface Played {
  readonly history: History;
  readonly passing: readonly Row[];
}

/** Gives a map its rows in parts, and moves it in between. */
function play(
  rows: readonly Row[],
  filterOf: Filter,
  steps: readonly { readonly nowNs: number; readonly share: number }[],
  createMap: (
    history: History,
    filter: ReturnType<typeof compileFilter>,
    info: HistoryInfo,
  ) => JointMap | LaneMap,
  detailRows?: number,
): Played {
  const info = createInfo(someKeys());
  const { identities } = info;
  const filter = compileFilter(filterOf, identities, info);
  const options = { info, sliceNs: SLICE_NS, budgetBytes: MIN_BUDGET_BYTES };
  const history = createHistory({ ...options, ...(detailRows !== undefined && { detailRows }) });
  const map = createMap(history, filter, info);
  let given = 0;
  for (const [i, { nowNs, share }] of steps.entries()) {
    const until = i === steps.length - 1 ? rows.length : Math.floor(share * rows.length);
    for (; given < until; given += 4) {
      const part = columnsOf(rows.slice(given, Math.min(until, given + 4)));
      history.append(part);
      map.append(part);
      if (given + 4 > until) given = until - 4;
    }
    map.update(nowNs);
  }
  const verdicts = filter.judgeRows(columnsOf([...rows]), 0, rows.length);
  const passing = rows.filter((_, i) => verdicts[i] === Verdict.yes);
  return { history, passing };
}

describe('the map of two values', () => {
  const anyView = fc.record({
    metric: fc.constantFrom(...LATENCIES),
    across: fc.constantFrom('size' as const, 'offset' as const),
    scale: fc.constantFrom(...SCALE_KINDS),
    weight: fc.constantFrom(...WEIGHTS),
    outlierCut: fc.constantFrom(...OUTLIER_CUTS),
    columnNs: fc.constantFrom(1, 2, 5).map((slices) => slices * SLICE_NS),
    columns: fc.constantFrom(1, 2, 20),
    bins: fc.integer({ min: 1, max: 40 }),
  });
  const disks = [
    { dev: SDA, sizeBytes: 2 ** 29 },
    { dev: LOOP, sizeBytes: 2 ** 29 },
  ];

  it('a map of two values equals counting each event, after any scrolling and growing', () => {
    fc.assert(
      fc.property(anyRows, anyView, anyFilter, anySteps, (rows, view, asked, steps) => {
        let joint!: JointMap;
        const { passing } = play(rows, asked, steps, (history, filter) => {
          joint = new JointMap(history, { ...view, filter, disks });
          return joint;
        });
        const inWindow = passing.filter(
          ({ completeNs }) => completeNs >= joint.startNs && completeNs < joint.endNs,
        );
        expect(contentsOf(joint)).toEqual(countPlainly(joint, inWindow));
        expect(joint.aggregated).toEqual({ count: 0, undecided: 0 });
      }),
      { numRuns: 300 },
    );
  });

  it('a map of two values does not draw aggregates, and says how many there are', () => {
    let bordersMet = 0;
    fc.assert(
      fc.property(
        fc.array(anyRow, { minLength: 40, maxLength: 200 }),
        anyView,
        fc.constantFrom('', 'pid!=1', 'disk=sda').map(parsed),
        fc.integer({ min: 1, max: 120 }),
        (unordered, view, asked, detailRows) => {
          const rows = [...unordered].sort((a, b) => a.completeNs - b.completeNs);
          let joint!: JointMap;
          const steps = [{ nowNs: 61 * SLICE_NS, share: 1 }];
          const create = (history: History, filter: ReturnType<typeof compileFilter>): JointMap => {
            joint = new JointMap(history, { ...view, filter, disks });
            return joint;
          };
          const { history, passing } = play(rows, asked, steps, create, detailRows);
          const inWindow = passing.filter(({ completeNs }) => completeNs >= joint.startNs);
          const known = inWindow.filter(({ completeNs }) => completeNs >= history.detailStartNs);
          if (known.length < inWindow.length) bordersMet++;
          expect(contentsOf(joint)).toEqual(countPlainly(joint, known));
          expect(joint.aggregated.count).toBe(inWindow.length - known.length);
        },
      ),
      { numRuns: 200 },
    );
    expect(bordersMet).toBeGreaterThan(20);
  });

  it('a map of two values leaves only aggregates undecided whose value is next to the limit', () => {
    const limits = [
      { asked: parsed('lat>1ms'), isNear: (row: Row) => isInBinOf(1e6, valueOf('total', row)) },
      // At the edge of a bin.
      { asked: parsed('size>=4k'), isNear: () => false },
    ];
    let decided = 0;
    fc.assert(
      fc.property(
        fc.array(anyRow, { minLength: 40, maxLength: 200 }),
        anyView,
        fc.constantFrom(...limits),
        (unordered, view, { asked, isNear }) => {
          const rows = [...unordered].sort((a, b) => a.completeNs - b.completeNs);
          let joint!: JointMap;
          // A window of all rows, because only the share of a slice in a window is estimated.
          const whole = { ...view, columnNs: SLICE_NS, columns: 70 };
          const create = (history: History, filter: ReturnType<typeof compileFilter>): JointMap =>
            (joint = new JointMap(history, { ...whole, filter, disks }));
          const steps = [{ nowNs: 61 * SLICE_NS, share: 1 }];
          const { history, passing } = play(rows, asked, steps, create, 1);
          const isAggregated = ({ completeNs }: Row): boolean => completeNs < history.detailStartNs;
          const matching = passing.filter(isAggregated).length;
          const { count, undecided } = joint.aggregated;
          expect(count).toBeLessThanOrEqual(matching);
          expect(count + undecided).toBeGreaterThanOrEqual(matching);
          expect(undecided).toBeLessThanOrEqual(rows.filter(isAggregated).filter(isNear).length);
          decided += count;
        },
      ),
      { numRuns: 100 },
    );
    expect(decided).toBeGreaterThan(1000);
  });
});

function isInBinOf(limit: number, value: number | undefined): boolean {
  return value !== undefined && fineBin(value) === fineBin(limit);
}

function contentsOf({ map, leftOut }: JointMap): unknown {
  const { left, right, withoutAcross, unmeasurable, undecided } = leftOut;
  return {
    cells: Array.from({ length: map.columns }, (_, column) =>
      Array.from({ length: map.bins + 2 }, (__, i) => map.counts[map.indexOf(column) - 1 + i]),
    ),
    weight: Array.from(map.pixels).reduce((a, b) => a + b, 0),
    columnMax: Array.from({ length: map.columns }, (_, column) => map.maxValue(column)),
    leftOut: { left, right, withoutAcross, unmeasurable, undecided },
  };
}

/** The same, row by row in the plainest way. */
function countPlainly({ map, across, acrossMetric }: JointMap, rows: readonly Row[]): unknown {
  const cells = Array.from({ length: map.columns }, () => new Array<number>(map.bins + 2).fill(0));
  const columnMax = new Array<number | undefined>(map.columns).fill(undefined);
  const leftOut = { left: 0, right: 0, withoutAcross: 0, unmeasurable: 0, undecided: 0 };
  let weight = 0;
  for (const row of rows) {
    const x = valueOf(acrossMetric, row);
    const y = valueOf(map.metric as 'device', row);
    if (x === undefined) leftOut.withoutAcross++;
    else if (y === undefined) leftOut.unmeasurable++;
    else {
      const column = across.binOf(x);
      if (column < 0) leftOut.left++;
      else if (column >= across.bins) leftOut.right++;
      else {
        cells[column]![map.scale.binOf(y) + 1]!++;
        columnMax[column] = Math.max(columnMax[column] ?? 0, y);
        weight += weightOf(map.weight, row);
      }
    }
  }
  return { cells, weight, columnMax, leftOut };
}

function weightOf(weight: (typeof WEIGHTS)[number], { bytes, deviceNs, queueNs }: Row): number {
  if (weight === 'count') return 1;
  if (weight === 'bytes') return bytes;
  return (Number.isNaN(deviceNs) ? 0 : deviceNs) + (Number.isNaN(queueNs) ? 0 : queueNs);
}

describe('the lanes of disks', () => {
  const anyView = fc.record({
    metric: fc.constantFrom(...LATENCIES),
    figure: fc.constantFrom(...LANE_FIGURES),
    columnNs: fc.constantFrom(1, 2, 5).map((slices) => slices * SLICE_NS),
    columns: fc.constantFrom(1, 2, 20),
  });

  it('disk lanes have exact counts, means and slowest I/Os, and the p99 within its fine bin', () => {
    fc.assert(
      fc.property(anyRows, anyView, anyFilter, anySteps, (rows, view, asked, steps) => {
        let lanes!: LaneMap;
        const { identities } = createInfo(someKeys());
        const { passing } = play(rows, asked, steps, (history, filter, info) => {
          lanes = new LaneMap(history, {
            ...view,
            filter,
            owners: laneOwners('disk', info, DISKS),
          });
          return lanes;
        });
        const { counts } = lanes;
        for (const [lane, dev] of [SDA, LOOP].entries())
          for (let column = 0; column < view.columns; column++) {
            const from = counts.startNs + column * view.columnNs;
            const values = passing
              .filter(({ completeNs }) => completeNs >= from && completeNs < from + view.columnNs)
              .filter(({ key }) => identities.get(key).dev === dev)
              .map((row) => valueOf(view.metric, row))
              .filter((value) => value !== undefined)
              .sort((a, b) => a - b);
            expect(counts.count(lane, column)).toBe(values.length);
            expect(counts.maxValue(lane, column)).toBe(values.at(-1));
            expectFigure(lanes, lane, column, values);
          }
      }),
      { numRuns: 200 },
    );
  });

  it('changing the figure of disk lanes recolours also a frozen picture', () => {
    const info = createInfo(someKeys());
    const history = createHistory({ info, budgetBytes: MIN_BUDGET_BYTES });
    const many = Array.from({ length: 99 }, () => ({ completeNs: 5e8, deviceNs: 20e3 }));
    history.append(columnsOf([...many, { completeNs: 5e8, deviceNs: 2e9 }]));
    const filter = compileFilter(parsed(''), info.identities, info);
    const size = { columnNs: 1e9, columns: 10, metric: 'device' } as const;
    const owners = laneOwners('disk', info, [SDA]);
    const spec = { ...size, filter, owners, figure: 'mean' } as const;
    const lanes = new LaneMap(history, spec);
    lanes.update(9e9);
    lanes.show({ ...spec, figure: 'p99' });
    lanes.update(9e9);
    const fresh = new LaneMap(history, { ...spec, figure: 'p99' });
    fresh.update(9e9);
    expect(lanes.colorRange).toEqual(fresh.colorRange);
  });

  it('disk lanes count aggregates, too', () => {
    fc.assert(
      fc.property(
        fc.array(anyRow, { minLength: 40, maxLength: 200 }),
        anyView,
        fc.integer({ min: 1, max: 120 }),
        (unordered, view, detailRows) => {
          const rows = [...unordered].sort((a, b) => a.completeNs - b.completeNs);
          let lanes!: LaneMap;
          const steps = [{ nowNs: 61 * SLICE_NS, share: 1 }];
          const { identities } = createInfo(someKeys());
          const create: Parameters<typeof play>[3] = (history, filter, info) => {
            const owners = laneOwners('disk', info, DISKS);
            return (lanes = new LaneMap(history, { ...view, filter, owners }));
          };
          play(rows, parsed(''), steps, create, detailRows);
          for (const [lane, dev] of [SDA, LOOP].entries()) {
            const here = rows.filter(
              ({ key, completeNs }) =>
                identities.get(key).dev === dev && completeNs >= lanes.counts.startNs,
            );
            expect(lanes.counts.laneTotal(lane)).toBe(here.length);
          }
        },
      ),
      { numRuns: 100 },
    );
  });

  it('disk lanes have summaries from the kernel counted once: exact means, the slowest in its fine bin', () => {
    const known = fc.integer({ min: 0, max: 10_000_000 }).map(Math.fround);
    const anyAggregate = fc.record({
      atNs: fc.integer({ min: 0, max: 60 * SLICE_NS }),
      count: fc.integer({ min: 1, max: 50 }),
      key: fc.nat(7),
      deviceNs: known,
      queueNs: known,
    });
    // In their order in time, as the kernel hands them out.
    const aggregates = fc
      .array(anyAggregate, { maxLength: 60 })
      .map((given) => [...given].sort((a, b) => a.atNs - b.atNs));
    const filters = fc.constantFrom('', 'disk=sda', 'disk=loop0').map(parsed);
    fc.assert(
      fc.property(aggregates, anyView, filters, anySteps, (given, view, asked, steps) => {
        const { lanes, passing } = playAggregates(given, view, asked, steps);
        const { counts } = lanes;
        for (const [lane, dev] of [SDA, LOOP].entries())
          for (let column = 0; column < view.columns; column++) {
            const from = counts.startNs + column * view.columnNs;
            const here = passing.filter(
              (aggregate) =>
                aggregate.dev === dev &&
                aggregate.atNs >= from &&
                aggregate.atNs < from + view.columnNs,
            );
            const count = here.reduce((sum, aggregate) => sum + aggregate.count, 0);
            expect(counts.count(lane, column)).toBe(count);
            if (count === 0) continue;
            const values = here.map((aggregate) =>
              valueOf(view.metric, rowOfAggregate(aggregate))!,
            );
            const sum = here.reduce((all, aggregate, i) => all + aggregate.count * values[i]!, 0);
            const mean = counts.value(lane, column, 'mean')!;
            expect(mean).toBeGreaterThanOrEqual((sum / count) * 0.999_999 - 1);
            expect(mean).toBeLessThanOrEqual((sum / count) * 1.000_001 + 1);
            const slowest = Math.max(...values);
            const maxNs = counts.maxValue(lane, column)!;
            expect(maxNs).toBeGreaterThanOrEqual(fineBinLow(fineBin(slowest)));
            expect(maxNs).toBeLessThanOrEqual(fineBinHigh(fineBin(slowest)));
          }
      }),
      { numRuns: 200 },
    );
  });
});

it('the mean of a disk lane leaves out queue time of I/O that was never issued, also of aggregates', () => {
  const info = createInfo(someKeys());
  const filter = compileFilter(parsed(''), info.identities, info);
  const issued = { deviceNs: 100e3, queueNs: 10e3 };
  const never = { deviceNs: NaN, queueNs: 50e6 };
  const rows = Array.from({ length: 300 }, (_, i) => ({
    completeNs: 20 * i,
    ...(i % 10 === 0 ? never : issued),
  }));
  const meanOf = (detailRows: number): number | undefined => {
    const sizes = { sliceNs: SLICE_NS, budgetBytes: MIN_BUDGET_BYTES, detailRows };
    const history = createHistory({ info, ...sizes });
    history.append(columnsOf(rows));
    const owners = laneOwners('disk', info, [SDA]);
    const shape = { metric: 'total', figure: 'mean', columnNs: SLICE_NS, columns: 10 } as const;
    const lanes = new LaneMap(history, { ...shape, filter, owners });
    lanes.update(9 * SLICE_NS);
    return lanes.value(0, 2);
  };
  expect(meanOf(1000)).toBe(110e3);
  expect(fineBin(meanOf(1)!)).toBe(fineBin(110e3));
});

it('disk lanes leave kernel summaries undecided when the filter asks for an owner', () => {
  const aggregate = { atNs: 500, count: 7, key: 3, deviceNs: 1e6, queueNs: 0 };
  const view = { metric: 'device', figure: 'mean', columnNs: SLICE_NS, columns: 1 } as const;
  const { lanes } = playAggregates([aggregate], view, parsed('pid!=1'), [{ nowNs: 600, share: 1 }]);
  expect(lanes.counts.undecidedTotal).toBe(7);
  expect(lanes.counts.laneTotal(1)).toBe(0);
});

interface Aggregate {
  readonly atNs: number;
  readonly count: number;
  readonly key: number;
  readonly deviceNs: number;
  readonly queueNs: number;
}

function rowOfAggregate({ atNs, key, deviceNs, queueNs }: Aggregate): Row {
  return { completeNs: atNs, key, deviceNs, queueNs, sector: 0, bytes: 4096 };
}

/** Gives lanes their summaries in parts, and moves them in between. */
function playAggregates(
  aggregates: readonly Aggregate[],
  view: Omit<LaneSpec, 'filter' | 'owners'>,
  asked: Filter,
  steps: readonly { readonly nowNs: number; readonly share: number }[],
): { lanes: LaneMap; passing: readonly (Aggregate & { readonly dev: number })[] } {
  const info = createInfo(someKeys());
  const { identities } = info;
  const filter = compileFilter(asked, identities, info);
  const history = createHistory({ info, sliceNs: SLICE_NS, budgetBytes: MIN_BUDGET_BYTES });
  const owners = laneOwners('disk', info, DISKS);
  const lanes = new LaneMap(history, { ...view, filter, owners });
  let given = 0;
  for (const [i, { nowNs, share }] of steps.entries()) {
    const until =
      i === steps.length - 1 ? aggregates.length : Math.floor(share * aggregates.length);
    for (; given < until; given++) {
      const aggregate = aggregates[given]!;
      const summary = uniformSummary(
        aggregate.atNs,
        aggregate.key,
        aggregate.count,
        rowOfAggregate(aggregate),
      );
      history.appendAggregate(summary);
      lanes.appendAggregate(summary);
    }
    lanes.update(nowNs);
  }
  const passing = aggregates
    .filter(({ key }) => filter.judge(key) === Verdict.yes)
    .map((aggregate) => ({ ...aggregate, dev: identities.get(aggregate.key).dev }));
  return { lanes, passing };
}

function expectFigure(
  lanes: LaneMap,
  lane: number,
  column: number,
  values: readonly number[],
): void {
  const shown = lanes.value(lane, column);
  if (values.length === 0) {
    expect(shown).toBeUndefined();
    return;
  }
  if (lanes.figure === 'mean') {
    expect(shown).toBeCloseTo(values.reduce((a, b) => a + b, 0) / values.length, 0);
    return;
  }
  const exact = values[Math.ceil(0.99 * values.length) - 1]!;
  expect(shown! / Math.max(1, exact)).toBeLessThanOrEqual(1.07);
  if (exact > 16) expect(shown! / exact).toBeGreaterThanOrEqual(0.93);
}
