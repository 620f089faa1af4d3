import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { createHistory, MIN_BUDGET_BYTES } from '../../src/history/history.ts';
import type { History } from '../../src/history/history.ts';
import { Field } from '../../src/history/slices/slice.ts';
import { FINE_BINS } from '../../src/model/fine-bins.ts';
import { IdentityMark, OTHER_COMM } from '../../src/model/identity.ts';
import {
  anyTrace,
  appendTrace,
  columnsOf,
  countRow,
  createInfo,
  keyOf,
  queryCounts,
  someKeys,
  summaryOf,
  uniformSummary,
} from './fixtures.ts';
import type { Counts, Row } from './fixtures.ts';

// Shrinking a trace takes minutes: take `endOnFailure` out to hunt a failure down.
fc.configureGlobal({ seed: 20_100_701, endOnFailure: true });

const SLICE_NS = 1_000;
const COARSENING = [
  { width: 2, age: 4 },
  { width: 6, age: 20 },
  { width: 12, age: 60 },
];
const WIDEST_NS = 12 * SLICE_NS;
const KEYS = someKeys();

function createSmall(detailRows: number) {
  const info = createInfo(KEYS);
  const options = { info, sliceNs: SLICE_NS, coarsening: COARSENING, detailRows };
  return { info, history: createHistory({ ...options, budgetBytes: MIN_BUDGET_BYTES }) };
}

function expected(
  truth: readonly { row: Row; key: number; count: number }[],
  startNs: number,
  endNs: number,
): Counts {
  const counts: Counts = new Map();
  for (const { row, key, count } of truth) {
    if (row.completeNs >= startNs && row.completeNs < endNs) countRow(counts, row, key, count);
  }
  return counts;
}

function sumOf(history: History, field: number): number {
  let sum = 0;
  for (const slice of history.slices(-Infinity, Infinity)) {
    for (let entry = 0; entry < slice.entries; entry++) sum += slice.field(entry, field);
  }
  return sum;
}

describe('a query', () => {
  test('a query counts every I/O once, in its identity and bin, on both sides of the border between rows and slices', () => {
    fc.assert(
      fc.property(
        anyTrace(KEYS.length),
        fc.constantFrom(1, 3, 50),
        fc.constantFrom(64, 128, 10_000),
        fc.integer({ min: -1, max: 40 }),
        fc.integer({ min: 0, max: 40 }),
        (steps, batchRows, detailRows, first, width) => {
          const { history, info } = createSmall(detailRows);
          const truth = appendTrace(history, info.identities, steps, batchRows);
          const startNs = first * WIDEST_NS;
          const endNs = startNs + width * WIDEST_NS;
          expect(queryCounts(history, startNs, endNs)).toEqual(expected(truth, startNs, endNs));
          expect(queryCounts(history, -1e9, 1e9)).toEqual(expected(truth, -1e9, 1e9));
        },
      ),
      { numRuns: 300 },
    );
  });

  test('a query finds all rows after the border and needs only slices that end before it', () => {
    fc.assert(
      fc.property(anyTrace(KEYS.length), (steps) => {
        const { history, info } = createSmall(64);
        const truth = appendTrace(history, info.identities, steps, 7);
        const borderNs = history.detailStartNs;
        const rows = truth.filter(({ count, row }) => count === 1 && row.completeNs >= borderNs);
        const found = [...history.chunks(borderNs, Infinity)].flatMap(({ rows, from, to }) =>
          [...rows.completeNs.subarray(from, to)].filter((at) => at >= borderNs),
        );
        const single = rows.filter(({ key }) => key < KEYS.length);
        expect(found.sort((a, b) => a - b)).toEqual(
          single.map(({ row }) => row.completeNs).sort((a, b) => a - b),
        );
        for (const slice of history.slices(-Infinity, Infinity)) {
          const isCut = slice.startNs < borderNs && slice.endNs > borderNs;
          expect(isCut && borderNs > history.startNs).toBe(false);
        }
      }),
    );
  });

  test('a query takes everything from rows while none was dropped', () => {
    const { history } = createSmall(10_000);
    history.append(columnsOf([{ completeNs: 500 }, { completeNs: 90_000 }]));
    expect(history.detailStartNs).toBe(500);
    expect([...history.query(0, 100_000).slices]).toEqual([]);
  });

  test('a query returns kernel summaries of any age, marked as such whatever identity the source gave', () => {
    const { history, info } = createSmall(10_000);
    const row = { completeNs: 0, deviceNs: 50, queueNs: 5, sector: 0, bytes: 512, key: 0 };
    history.appendAggregate(uniformSummary(2_500, 0, 7, row));
    history.append(columnsOf([{ completeNs: 2_600 }]));
    const seen: [number, number][] = [];
    for (const slice of history.query(2_000, 3_000).slices) {
      expect(slice.aggregatesOnly).toBe(true);
      slice.forEachEntry(Field.count, (key, count) => {
        seen.push([info.identities.get(key).marks, count]);
      });
    }
    expect(seen).toEqual([[IdentityMark.noDetail | IdentityMark.ownerUnknown, 7]]);
  });

  test('a query has each kernel summary once, also when the memory for recent ones is used up', () => {
    const info = createInfo([keyOf()]);
    const history = createHistory({ info, budgetBytes: MIN_BUDGET_BYTES });
    const full = Uint32Array.from({ length: FINE_BINS }, () => 1);
    const bins = { device: full, queue: full, total: full };
    for (let quarter = 0; quarter < 2_000; quarter++) {
      const [startNs, endNs] = [quarter * 250e6, (quarter + 1) * 250e6];
      history.appendAggregate(summaryOf({ startNs, endNs, count: FINE_BINS, ...bins }));
      if (quarter % 7 !== 0) continue;
      let count = 0;
      for (const slice of history.query(0, Infinity).slices)
        slice.forEachEntry(Field.count, (_, some) => (count += some));
      expect(count).toBe((quarter + 1) * FINE_BINS);
    }
  });

  test('a query asks once per entry whether to visit its bins', () => {
    const { history } = createSmall(0);
    for (let second = 0; second < 20; second++) {
      history.append(columnsOf([0, 1, 2].map((key) => ({ completeNs: second * SLICE_NS, key }))));
    }
    const visited = new Set<number>();
    for (const slice of history.query(0, 5_000).slices) {
      slice.forEachBin(
        'device',
        (key) => {
          visited.add(key);
        },
        (key) => key !== 1,
      );
    }
    expect([...visited]).toEqual([0, 2]);
  });
});

describe('memory', () => {
  test('sums and maxima stay the same while slices age and the history shrinks', () => {
    fc.assert(
      fc.property(anyTrace(KEYS.length), (steps) => {
        const { history, info } = createSmall(64);
        const truth = appendTrace(history, info.identities, steps, 20);
        history.append(columnsOf([{ completeNs: 1e9, deviceNs: 0, queueNs: 0, bytes: 0 }]));
        const known = (value: number) => (Number.isNaN(value) ? 0 : value);
        const sum = (value: (row: Row) => number) =>
          truth.reduce((all, { row, count }) => all + count * known(value(row)), 0);
        expect(sumOf(history, Field.count)).toBe(sum(() => 1) + 1);
        expect(sumOf(history, Field.bytes)).toBe(sum((row) => row.bytes));
        expect(sumOf(history, Field.deviceNs)).toBe(sum((row) => row.deviceNs));
        expect(sumOf(history, Field.queueNs)).toBe(sum((row) => row.queueNs));
        let max = 0;
        for (const slice of history.slices(-Infinity, Infinity)) {
          for (let i = 0; i < slice.entries; i++)
            max = Math.max(max, slice.field(i, Field.maxDeviceNs));
        }
        expect(max).toBe(Math.max(0, ...truth.map(({ row }) => known(row.deviceNs))));
      }),
    );
  });

  test('slices grow wider with age and never overlap', () => {
    const { history } = createSmall(64);
    for (let second = 0; second < 300; second++) {
      history.append(columnsOf([{ completeNs: second * SLICE_NS + 1 }]));
    }
    const widths = [...history.slices(0, Infinity)].map((slice) => slice.endNs - slice.startNs);
    expect(new Set(widths)).toEqual(new Set([12_000, 6_000, 2_000, 1_000]));
    expect(widths).toEqual([...widths].sort((a, b) => b - a));
    let lastNs = -Infinity;
    for (const slice of history.slices(0, Infinity)) {
      expect(slice.startNs).toBeGreaterThanOrEqual(lastNs);
      lastNs = slice.endNs;
    }
  });

  test('a row that comes very late goes into a slice as wide as its age requires', () => {
    const { history } = createSmall(64);
    for (let second = 200; second < 300; second++) {
      history.append(columnsOf([{ completeNs: second * SLICE_NS }]));
    }
    history.append(columnsOf([{ completeNs: 207_500 }, { completeNs: 13_500 }]));
    history.append(columnsOf([{ completeNs: 301_000 }]));
    const old = [...history.slices(0, 215_000)].map(({ startNs, endNs }) => [startNs, endNs]);
    expect(old).toEqual([
      [12_000, 24_000],
      [192_000, 204_000],
      [204_000, 216_000],
    ]);
  });

  test('the history keeps its budget when every I/O has an identity and bins of its own', () => {
    const info = createInfo([]);
    const history = createHistory({ info, sliceNs: SLICE_NS, budgetBytes: MIN_BUDGET_BYTES });
    let count = 0;
    for (let second = 0; second < 700; second++) {
      const rows = Array.from({ length: 500 }, (_, i) => {
        const tid = (second * 7 + i) % 2_000;
        const spread = (second * 500 + i) * 2_654_435_761;
        return {
          key: info.identities.intern(keyOf({ tid, tgid: tid >> 1 })),
          completeNs: second * SLICE_NS + i,
          deviceNs: spread % 2 ** 34,
          queueNs: (spread * 31) % 2 ** 30,
          sector: spread % 2 ** 21,
          bytes: spread % 2 ** 20,
        };
      });
      count += rows.length;
      history.append(columnsOf(rows));
      expect(history.memoryBytes).toBeLessThanOrEqual(MIN_BUDGET_BYTES);
    }
    expect(sumOf(history, Field.count)).toBe(count);
    expect(history.rows).toBeGreaterThan(10_000);
  });

  test('what does not fit into a full slice is counted under its disk and operation', () => {
    const keys = Array.from({ length: 400 }, (_, tid) => {
      const comm = `c${tid}`;
      return keyOf({ tid, comm, cmdFlags: tid % 2, dev: tid % 3, error: tid % 5 === 0 ? -5 : 0 });
    });
    const { history, info } = (() => {
      const info = createInfo(keys);
      const budgetBytes = MIN_BUDGET_BYTES;
      return { info, history: createHistory({ info, sliceNs: SLICE_NS, budgetBytes }) };
    })();
    history.append(columnsOf(keys.map((_, key) => ({ key, completeNs: key }))));
    const counts = new Map<string, number>();
    let others = 0;
    for (const slice of history.slices(0, SLICE_NS)) {
      for (let entry = 0; entry < slice.entries; entry++) {
        const { dev, cmdFlags, error, comm } = info.identities.get(slice.identity(entry));
        const count = slice.field(entry, Field.count);
        const id = `${dev} ${cmdFlags} ${error}`;
        counts.set(id, (counts.get(id) ?? 0) + count);
        if (comm === OTHER_COMM) others += count;
      }
    }
    const wanted = new Map<string, number>();
    for (const { dev, cmdFlags, error } of keys) {
      const id = `${dev} ${cmdFlags} ${error}`;
      wanted.set(id, (wanted.get(id) ?? 0) + 1);
    }
    expect(counts).toEqual(wanted);
    expect(others).toBeGreaterThan(100);
  });

  test('processes that do not fit into a full slice are counted under their command, also in coarser slices', () => {
    const keys = Array.from({ length: 400 }, (_, tid) =>
      keyOf({ tid, comm: tid % 4 === 0 ? 'ld' : 'cc1', cgroup: 7 }),
    );
    const info = createInfo(keys);
    const history = createHistory({ info, sliceNs: SLICE_NS, budgetBytes: MIN_BUDGET_BYTES });
    const seconds = 20;
    for (let second = 0; second < seconds; second++)
      history.append(
        columnsOf(keys.map((_, key) => ({ key, completeNs: second * SLICE_NS + key }))),
      );
    history.append(columnsOf([{ key: 0, completeNs: 2_000 * SLICE_NS }]));
    const counts = new Map<string, number>();
    let folded = 0;
    for (const slice of history.slices(0, seconds * SLICE_NS)) {
      for (let entry = 0; entry < slice.entries; entry++) {
        const index = slice.identity(entry);
        const { comm, cgroup } = info.identities.get(index);
        const count = slice.field(entry, Field.count);
        counts.set(`${comm} ${cgroup}`, (counts.get(`${comm} ${cgroup}`) ?? 0) + count);
        if (info.identities.isOther(index)) folded += count;
      }
    }
    expect([...history.slices(0, SLICE_NS)][0]!.endNs).toBe(10 * SLICE_NS);
    expect(counts).toEqual(
      new Map([
        ['ld 7', 100 * seconds],
        ['cc1 7', 300 * seconds],
      ]),
    );
    expect(folded).toBeGreaterThan(100 * seconds);
  });

  test('calls of many processes take no entries from the I/O of disks, also in coarser slices', () => {
    const calls = Array.from({ length: 400 }, (_, tid) => keyOf({ tid, layer: 'calls' }));
    const writers = Array.from({ length: 100 }, (_, tid) => keyOf({ tid, cmdFlags: 1 }));
    const info = createInfo([...calls, ...writers]);
    const history = createHistory({ info, sliceNs: SLICE_NS, budgetBytes: MIN_BUDGET_BYTES });
    const seconds = 20;
    for (let second = 0; second < seconds; second++)
      history.append(
        columnsOf(
          [...calls, ...writers].map((_, key) => ({ key, completeNs: second * SLICE_NS + key })),
        ),
      );
    history.append(columnsOf([{ key: 0, completeNs: 2_000 * SLICE_NS }]));
    const counts = new Map<number, number>();
    for (const slice of history.slices(0, seconds * SLICE_NS)) {
      for (let entry = 0; entry < slice.entries; entry++) {
        const { layer, tid } = info.identities.get(slice.identity(entry));
        if (layer === undefined)
          counts.set(tid, (counts.get(tid) ?? 0) + slice.field(entry, Field.count));
      }
    }
    expect(counts).toEqual(new Map(writers.map(({ tid }) => [tid, seconds])));
  });

  test('the history refuses a budget that is too small for its parts', () => {
    expect(() => createHistory({ info: createInfo(), budgetBytes: 1 })).toThrow('bytes');
  });
});

describe('times', () => {
  test('an I/O just before the edge of a slice belongs to the slice before, to the last bit', () => {
    const info = createInfo();
    const history = createHistory({ info, sliceNs: 3, budgetBytes: MIN_BUDGET_BYTES });
    const before = (edge: number) => edge * (1 - Number.EPSILON / 2);
    const edges = Array.from({ length: 200 }, (_, i) => 3 * (i + 1));
    history.append(columnsOf(edges.map((edge) => ({ completeNs: before(edge) }))));
    for (const edge of edges) {
      const found = [...history.slices(before(edge), edge)];
      expect(found.some(({ endNs, startNs }) => endNs >= edge && startNs < edge)).toBe(true);
    }
    expect(sumOf(history, Field.count)).toBe(edges.length);
  });

  test('the history refuses rows whose time is NaN or infinite', () => {
    const { history } = createSmall(64);
    expect(() => {
      history.append(columnsOf([{ completeNs: NaN }]));
    }).toThrow('has a time');
  });
});

describe('the version', () => {
  test('the version of the history grows when something was added and only then', () => {
    const { history } = createSmall(64);
    expect(history.version).toBe(0);
    history.append(columnsOf([]));
    expect(history.version).toBe(0);
    history.append(columnsOf([{ completeNs: 5 }]));
    expect(history.version).toBe(1);
    expect([history.startNs, history.endNs]).toEqual([5, 5]);
  });
});
