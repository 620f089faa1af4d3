import { describe, expect, it } from 'vitest';
import { compileFilter } from '../../../src/filter/match/match.ts';
import { History } from '../../../src/history/history.ts';
import { IdentityTable } from '../../../src/model/identity-table.ts';
import { latestIos } from '../../../src/query/slowest/latest-ios.ts';
import { parsed } from '../../filter/fixtures.ts';
import { columnsOf } from '../../history/fixtures.ts';

function historyOf(ends: readonly number[]) {
  const identities = new IdentityTable();
  const nobody = { dev: 1, cmdFlags: 0, tgid: 1, tid: 1, cgroup: 0, error: 0, marks: 0 };
  for (const comm of ['cat', 'dd']) identities.intern({ ...nobody, comm });
  const info = { identities, device: () => undefined, devices: () => [] };
  const history = new History({ budgetBytes: 1 << 24, info });
  history.append(columnsOf(ends.map((completeNs, i) => ({ completeNs, key: i % 2, result: i }))));
  const list = (endNs: number, filter = '') =>
    latestIos(history, endNs, compileFilter(parsed(filter), identities, info), info);
  return { list };
}

describe('the last I/Os before a time', () => {
  it('the last I/Os before a time are in the order in which they ended, though they arrived in another one', () => {
    const { list } = historyOf([50, 10, 40, 20, 30]);
    const { ios, isAll } = list(45);
    expect(ios.map(({ completeNs }) => completeNs)).toEqual([10, 20, 30, 40]);
    expect(ios.map(({ result }) => result)).toEqual([1, 3, 4, 2]);
    expect(isAll).toBe(true);
  });

  it('the last I/Os before a time are those that the filter matches', () => {
    const { list } = historyOf([10, 20, 30, 40]);
    expect(list(100, 'comm=dd').ios.map(({ completeNs }) => completeNs)).toEqual([20, 40]);
    expect(list(100, 'ret>=3').ios.map(({ completeNs }) => completeNs)).toEqual([40]);
  });

  it('the last I/Os before a time are at most a thousand, the last ones, which they say', () => {
    const { list } = historyOf(Array.from({ length: 9000 }, (_, i) => 10 * i));
    const { ios, isAll } = list(50_005);
    expect(ios).toHaveLength(1000);
    expect([ios[0]!.completeNs, ios.at(-1)!.completeNs]).toEqual([40_010, 50_000]);
    expect(isAll).toBe(false);
  });
});
