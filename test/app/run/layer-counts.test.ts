import { describe, expect, it } from 'vitest';
import { LayerCounts } from '../../../src/app/run/layer-counts.ts';
import { createColumns } from '../../../src/model/completion-columns.ts';
import { callFlags } from '../../../src/model/call.ts';
import { IdentityTable } from '../../../src/model/identity-table.ts';

const identities = new IdentityTable();
const owner = { dev: 1, tgid: 1, tid: 1, cgroup: 0, comm: 'db', marks: 0, error: 0, cmdFlags: 0 };
const disk = identities.intern(owner);
const volume = identities.intern({ ...owner, layer: 'volumes' });
const call = identities.intern({ ...owner, layer: 'calls', cmdFlags: callFlags('fsync') });

function countsOf(ids: readonly number[]): LayerCounts {
  const counts = new LayerCounts(identities);
  const rows = createColumns(8);
  for (const [row, id] of ids.entries()) rows.identity[row] = id;
  rows.length = ids.length;
  counts.add(rows);
  return counts;
}

function counted(ids: readonly number[]): string {
  return countsOf(ids).text();
}

describe('the line of a recorder', () => {
  it('the line of a recorder counts I/Os and calls as what they are', () => {
    expect(counted([disk, call, call, volume])).toBe('2 I/Os, 2 calls');
    expect(counted([call])).toBe('1 call');
  });

  it('the line of a recorder adds what is aggregated to its layer', () => {
    const counts = countsOf([disk, call]);
    counts.addSummary({ identity: disk, count: 999 });
    counts.addSummary({ identity: call, count: 19_499 });
    counts.addSummary({ identity: volume, count: 500 });
    expect(counts.text()).toBe('1.5k I/Os, 19.5k calls');
  });

  it('the line of a recorder names what a count may consist of', () => {
    expect(countsOf([disk, call]).together(2000)).toBe('2k I/Os and calls');
    expect(countsOf([call]).together(1)).toBe('1 call');
    expect(countsOf([]).together(1)).toBe('1 I/O');
  });

  it('the line of a recorder says that there was nothing', () => {
    expect(counted([])).toBe('0 I/Os');
  });
});
