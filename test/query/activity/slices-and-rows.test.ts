import fc from 'fast-check';
import { expect, test } from 'vitest';
import { compileFilter } from '../../../src/filter/match/match.ts';
import { createHistory } from '../../../src/history/history.ts';
import type { Activity } from '../../../src/model/activity.ts';
import { GROUPINGS, LATENCIES } from '../../../src/model/metric.ts';
import { reportActivity } from '../fixtures/at-once.ts';
import { parsed } from '../../filter/fixtures.ts';
import { anyTrace, appendTrace, createInfo, someKeys } from '../../history/fixtures.ts';
import type { TraceStep } from '../../history/fixtures.ts';

fc.configureGlobal({ seed: 20_101_127, endOnFailure: true });

const SLICE_NS = 1_000;
/** Matches everything, but has to be asked of each I/O. */
const ASKED_OF_EACH = 'lat>=0ns or not lat>=0ns';

const anyQuestion = fc.record({
  grouping: fc.constantFrom(...GROUPINGS.filter((grouping) => grouping !== 'file')),
  latency: fc.constantFrom(...LATENCIES),
  text: fc.constantFrom('', 'pid=1', 'disk=sda'),
  afterNs: fc.integer({ min: 0, max: 30 }).map((slices) => slices * SLICE_NS),
  lengthNs: fc.integer({ min: 1, max: 30 }).map((slices) => slices * SLICE_NS),
});

/** I/O of an identity that was never issued has no other I/O in its identity. */
function issued(step: TraceStep): TraceStep {
  const { row } = step;
  return Number.isNaN(row.deviceNs) ? { ...step, row: { ...row, queueNs: NaN } } : step;
}

/** Percentiles of slices leave out I/O without a queue latency. Sums differ in their last digits with the order. */
function figuresOf(row: Activity): unknown[] {
  const found = Object.entries(row).filter(([name]) => !/^p\d+Ns$/.test(name) && name !== 'tail');
  return found.map(([name, value]: [string, unknown]) => [
    name,
    typeof value === 'number' ? Number(value.toPrecision(7)) : value,
  ]);
}

test('a report is the same counted from slices and I/O by I/O, whatever the history has forgotten', () => {
  fc.assert(
    fc.property(
      anyTrace(8),
      anyQuestion,
      fc.integer({ min: 1, max: 1_000 }),
      (trace, { grouping, latency, text, afterNs, lengthNs }, detailRows) => {
        const info = createInfo(someKeys());
        const options = { info, budgetBytes: 2 ** 24, sliceNs: SLICE_NS, detailRows };
        const history = createHistory(options);
        appendTrace(history, info.identities, trace.map(issued), 7);
        const startNs = history.startNs + afterNs;
        const report = (asked: string) => {
          const filter = compileFilter(parsed(asked), info.identities, info);
          const shown = { grouping, latency };
          return reportActivity(history, startNs, startNs + lengthNs, filter, info, shown);
        };
        const ofSlices = report(text);
        const ofRows = report(text === '' ? ASKED_OF_EACH : `(${text}) (${ASKED_OF_EACH})`);
        expect(ofRows.spanNs).toBe(ofSlices.spanNs);
        expect(ofRows.undecidedCount).toBe(ofSlices.undecidedCount);
        expect(figuresOf(ofRows.totals)).toEqual(figuresOf(ofSlices.totals));
        for (const table of ['processes', 'disks'] as const) {
          const rowsOf = (rows: readonly Activity[]) => rows.map(figuresOf).map(String).sort();
          expect(rowsOf(ofRows[table])).toEqual(rowsOf(ofSlices[table]));
        }
      },
    ),
    { numRuns: 150 },
  );
});
