import { expect, test } from 'vitest';
import { reportActivity } from '../fixtures/at-once.ts';
import { ActivityCount } from '../../../src/query/activity/activity-report.ts';
import { createHistory } from '../../../src/history/history.ts';
import { compileFilter } from '../../../src/filter/match/match.ts';
import { SeededRandom } from '../../random.ts';
import { parsed } from '../../filter/fixtures.ts';
import { columnsOf, createInfo, someKeys } from '../../history/fixtures.ts';

const SECOND = 1e9;
const ROWS = 100_000;
const immediately = (): boolean => true;

test('an activity report counted in turns equals the report of the moment when it was started', () => {
  const random = new SeededRandom(1, 1);
  const info = createInfo(someKeys());
  const history = createHistory({ info, budgetBytes: 2 ** 25 });
  const rows = (fromNs: number, count: number) =>
    columnsOf(
      Array.from({ length: count }, (_, i) => ({
        completeNs: fromNs + (i / count) * SECOND,
        deviceNs: random.below(1e6),
        key: random.below(8),
      })),
    );
  history.append(rows(0, ROWS));
  const filter = compileFilter(parsed('device>300us'), info.identities, info);
  const atOnce = reportActivity(history, 0, SECOND, filter, info);
  const inParts = new ActivityCount(history, 0, SECOND, filter, info);
  let report = inParts.advance(immediately);
  let parts = 1;
  for (; report === undefined; parts++) {
    // What is new, and other reports, are none of its business.
    history.append(rows(0.5 * SECOND, 100));
    expect(reportActivity(history, 0, 0.9 * SECOND, filter, info).totals).toBeDefined();
    report = inParts.advance(immediately);
  }
  expect(parts).toBeGreaterThan(3);
  expect(report.totals).toEqual(atOnce.totals);
  expect(report.processes).toEqual(atOnce.processes);
  expect(report.disks.map(({ disk, p99Ns }) => [disk, p99Ns])).toEqual(
    atOnce.disks.map(({ disk, p99Ns }) => [disk, p99Ns]),
  );
});

test('shares of waiting stay right where the history forgets rows while they are counted', () => {
  const info = createInfo(someKeys());
  const history = createHistory({ info, budgetBytes: 2 ** 24, detailRows: 80_000 });
  const rows = (second: number) =>
    columnsOf(
      Array.from({ length: 20_000 }, (_, i) => ({
        completeNs: (second + i / 20_000) * SECOND,
        deviceNs: 1000 * (second + 1),
        key: i % 8,
      })),
    );
  for (let second = 0; second < 4; second++) history.append(rows(second));
  const filter = compileFilter(parsed('device>=0ns'), info.identities, info);
  const inParts = new ActivityCount(history, 0, 4 * SECOND, filter, info);
  let report = inParts.advance(immediately);
  for (let second = 4; report === undefined; second++) {
    history.append(rows(second));
    report = inParts.advance(immediately);
  }
  const shares = report.processes.map(({ waitShare }) => waitShare);
  expect(shares.reduce((a, b) => a + b, 0)).toBeCloseTo(1, 9);
  expect(report.processes).toEqual(reportActivity(history, 0, 4 * SECOND, filter, info).processes);
});
