import { describe, expect, it } from 'vitest';
import { createHistory, MIN_BUDGET_BYTES } from '../../../src/history/history.ts';
import type { History } from '../../../src/history/history.ts';
import { columnsOf, createInfo, keyOf, SDA, summaryOf } from '../fixtures.ts';

const SECOND = 1e9;

/** A row of `busyNs` at the start of each second, and I/O without rows in the seconds of `aggregated`. */
function historyOf(seconds: number, busyNs: number, aggregated: readonly number[]): History {
  const history = createHistory({ info: createInfo(), budgetBytes: MIN_BUDGET_BYTES });
  for (let second = 0; second < seconds; second++) {
    const completeNs = second * SECOND + busyNs;
    history.append(columnsOf([{ completeNs, deviceNs: busyNs, queueNs: 0 }]));
    if (!aggregated.includes(second)) continue;
    const startNs = second * SECOND;
    history.appendAggregate(summaryOf({ startNs, endNs: startNs + SECOND, count: 1000 }));
  }
  history.append(columnsOf([{ completeNs: seconds * SECOND, deviceNs: 0, queueNs: 0 }]));
  return history;
}

function count(history: History, second: number, share: number): void {
  const fromNs = second * SECOND;
  history.appendBusy({ dev: SDA, fromNs, toNs: fromNs + SECOND, busyNs: share * SECOND });
}

describe('utilization where I/O has no rows', () => {
  it('utilization where I/O has no rows is a lower bound by the rows while nothing else is known', () => {
    const history = historyOf(4, 100e6, [1, 2]);
    expect(history.utilization(SDA, 0, 4 * SECOND)).toBeCloseTo(0.1, 9);
    expect(history.isUtilizationPartial(SDA, 0, 4 * SECOND)).toBe(true);
    expect(history.isUtilizationPartial(SDA, 3 * SECOND, 4 * SECOND)).toBe(false);
  });

  it("utilization where I/O has no rows is the kernel's own count in those seconds, and that of the rows in the others", () => {
    const history = historyOf(4, 100e6, [1, 2]);
    for (const second of [0, 1, 2, 3]) count(history, second, 0.9);
    expect(history.utilization(SDA, 0, 4 * SECOND)).toBeCloseTo((0.1 + 0.9 + 0.9 + 0.1) / 4, 9);
    expect(history.isUtilizationPartial(SDA, 0, 4 * SECOND)).toBe(false);
    const columns = history.busySeries(SDA, 0, 4 * SECOND, SECOND)!;
    expect([...columns].map((share) => share.toFixed(3))).toEqual([
      '0.100',
      '0.900',
      '0.900',
      '0.100',
    ]);
  });

  it('utilization where I/O has no rows stays a lower bound where the count of one of the seconds is missing', () => {
    const history = historyOf(4, 100e6, [1, 2]);
    count(history, 1, 0.9);
    expect(history.utilization(SDA, 0, 4 * SECOND)).toBeCloseTo((0.1 + 0.9 + 0.1 + 0.1) / 4, 9);
    expect(history.isUtilizationPartial(SDA, 0, 4 * SECOND)).toBe(true);
  });

  it.each(['calls', 'waits'] as const)(
    'utilization is known from the rows where only %s of the disk have none',
    (layer) => {
      const info = createInfo([keyOf(), keyOf({ layer })]);
      const history = createHistory({ info, budgetBytes: MIN_BUDGET_BYTES });
      history.append(columnsOf([{ completeNs: 100e6, deviceNs: 100e6, queueNs: 0 }]));
      const sampled = summaryOf({ startNs: 0, endNs: SECOND, count: 1000, identity: 1 });
      history.appendAggregate(sampled);
      history.append(columnsOf([{ completeNs: SECOND, deviceNs: 0, queueNs: 0 }]));
      count(history, 0, 0.9);
      expect(history.utilization(SDA, 0, SECOND)).toBeCloseTo(0.1, 9);
      expect(history.isUtilizationPartial(SDA, 0, 2 * SECOND)).toBe(false);
    },
  );

  it('utilization where I/O has no rows is extrapolated from half a second of the count, not from less', () => {
    const [enough, tooLittle] = [500e6, 400e6].map((knownNs) => {
      const history = historyOf(1, 100e6, [0]);
      history.appendBusy({ dev: SDA, fromNs: 0, toNs: knownNs, busyNs: 0.9 * knownNs });
      return history.utilization(SDA, 0, SECOND);
    });
    expect(enough).toBeCloseTo(0.9, 9);
    expect(tooLittle).toBeCloseTo(0.1, 9);
  });

  it('utilization where I/O has no rows is the same in a wide column and in a report of its time', () => {
    for (const aggregated of [[3], [0, 1, 2, 3, 4, 5]]) {
      const history = historyOf(10, 100e6, aggregated);
      for (const second of aggregated) count(history, second, 0.9);
      const [share] = history.busySeries(SDA, 0, 10 * SECOND, 10 * SECOND)!;
      const busy = aggregated.length * 0.9 + (10 - aggregated.length) * 0.1;
      expect(history.utilization(SDA, 0, 10 * SECOND)).toBeCloseTo(busy / 10, 6);
      expect(share).toBeCloseTo(busy / 10, 6);
    }
  });

  it('utilization where I/O has no rows is never less than what the rows alone took', () => {
    const history = historyOf(2, 800e6, [0, 1]);
    for (const second of [0, 1]) count(history, second, 0.5);
    expect(history.utilization(SDA, 0, 2 * SECOND)).toBeCloseTo(0.8, 9);
  });

  it('utilization where I/O has no rows is known from the count alone where no I/O has a row', () => {
    const history = createHistory({ info: createInfo(), budgetBytes: MIN_BUDGET_BYTES });
    for (const startNs of [0, SECOND, 2 * SECOND])
      history.appendAggregate(summaryOf({ startNs, endNs: startNs + SECOND, count: 1000 }));
    expect(history.utilization(SDA, 0, 2 * SECOND)).toBeUndefined();
    for (const second of [0, 1]) count(history, second, 0.3);
    expect(history.utilization(SDA, 0, 2 * SECOND)).toBeCloseTo(0.3, 9);
  });

  it('utilization where I/O has no rows stays in the past when it is so old that seconds were united', () => {
    const history = historyOf(2, 100e6, [0, 1]);
    for (const second of [0, 1]) count(history, second, 0.6);
    history.append(columnsOf([{ completeNs: 7200 * SECOND, deviceNs: 0, queueNs: 0 }]));
    expect(history.utilization(SDA, 0, 2 * SECOND)).toBeCloseTo(0.6, 2);
  });
});
