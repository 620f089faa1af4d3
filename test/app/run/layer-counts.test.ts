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

function counted(ids: readonly number[], summarised = 0): string {
  const counts = new LayerCounts(identities);
  const rows = createColumns(8);
  for (const [row, id] of ids.entries()) rows.identity[row] = id;
  rows.length = ids.length;
  counts.add(rows);
  return counts.text(summarised);
}

describe('the line of a recorder', () => {
  it('the line of a recorder counts I/Os and calls as what they are', () => {
    expect(counted([disk, call, call, volume])).toBe('2 I/Os, 2 calls');
    expect(counted([call])).toBe('1 call');
  });

  it('the line of a recorder adds aggregated I/O to that of disks', () => {
    expect(counted([disk], 999)).toBe('1k I/Os');
  });

  it('the line of a recorder says that there was nothing', () => {
    expect(counted([])).toBe('0 I/Os');
  });
});
