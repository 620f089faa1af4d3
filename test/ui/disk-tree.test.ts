import { describe, expect, it } from 'vitest';
import { term } from '../../src/filter/filter.ts';
import type { DiskActivity } from '../../src/model/activity.ts';
import { diskTree } from '../../src/ui/tables/disk-tree.ts';
import { rowTerms } from '../../src/ui/tables/row-terms.ts';
import { sortDisks } from '../../src/ui/tables/sort-rows.ts';
import type { DiskSort } from '../../src/view/table-columns.ts';
import { DISK } from './fixtures/chrome-state.ts';

function disk(name: string, utilization: number): DiskActivity {
  return { ...DISK, dev: name.length + utilization * 1000, disk: name, utilization };
}

function volume(name: string, utilization: number, ...liesOn: string[]): DiskActivity {
  return { ...disk(name, utilization), layer: 'volumes', liesOn };
}

const SDA = disk('sda', 0.2);
const SDB = disk('sdb', 0.9);
const NVME = disk('nvme0n1', 0.5);
const MD = volume('md0', 0.7, 'sda', 'sdb');
const CRYPT = volume('cryptroot', 0.6, 'md0');

function names(
  disks: readonly DiskActivity[],
  beside: readonly DiskActivity[] = [],
  sort: DiskSort = 'util',
): string[] {
  const rows = diskTree(disks, beside, (some) => sortDisks(some, sort));
  return rows.map(
    (row) => `${row.branch ?? ''}${row.disk}${row.isBeside === true ? ' (beside)' : ''}`,
  );
}

describe('the table of disks', () => {
  it('the table of disks has volumes above what they lie on, and the disks without a volume as before', () => {
    expect(names([SDA, SDB, NVME], [CRYPT, MD])).toEqual([
      ...['cryptroot (beside)', '└md0 (beside)', ' ├sdb', ' └sda', 'nvme0n1'],
    ]);
  });

  it('the table of disks sorts members within their volume, and volumes among the disks next to them', () => {
    expect(names([SDA, SDB, NVME], [MD], 'name')).toEqual([
      ...['md0 (beside)', '├sda', '└sdb', 'nvme0n1'],
    ]);
    expect(names([SDA, SDB, NVME], [volume('md0', 0.1, 'sda', 'sdb')])).toEqual([
      ...['nvme0n1', 'md0 (beside)', '├sdb', '└sda'],
    ]);
  });

  it('the table of disks has the volumes in the sum, and the disks beside, where volumes are counted', () => {
    expect(names([MD], [SDA, SDB])).toEqual(['md0', '├sdb (beside)', '└sda (beside)']);
  });

  it('the table of disks repeats a disk under each volume on it, but sums it once', () => {
    const [root, home] = [volume('vg0-root', 0.4, 'sda'), volume('vg0-home', 0.1, 'sda')];
    expect(names([SDA], [root, home])).toEqual([
      ...['vg0-root (beside)', '└sda', 'vg0-home (beside)', '└sda (beside)'],
    ]);
  });

  it('the table of disks has a loop device above the disk of its file', () => {
    expect(names([SDA, { ...disk('loop0', 0.1), liesOn: ['sda'] }])).toEqual(['loop0', '└sda']);
  });

  it('the table of disks is a plain list without volumes, and where what lies below had no I/O', () => {
    expect(names([SDA, SDB])).toEqual(['sdb', 'sda']);
    expect(names([], [MD])).toEqual(['md0 (beside)']);
  });

  it('the table of disks ends where devices lie on each other in a circle', () => {
    const [a, b] = [volume('a', 0.1, 'b'), volume('b', 0.2, 'a')];
    expect(names([SDA], [a, b, volume('c', 0.3, 'a')]).length).toBeLessThan(12);
  });
});

describe('a row of the tree', () => {
  const rows = diskTree([SDA, SDB], [MD], (some) => sortDisks(some, 'name'));

  it('a row of the tree is a filter: a volume with the disks below it', () => {
    expect(rowTerms(rows[0])).toEqual([term('volume', '=', 'md0')]);
    expect(rowTerms(rows[1])).toEqual([term('disk', '=', 'sda')]);
  });

  it('a row of another layer in the tree leads there', () => {
    const [, below] = diskTree([MD], [SDA], (some) => some);
    expect(rowTerms(below)).toEqual([term('disk', '=', 'sda'), term('layer', '=', 'disks')]);
    const zram = { ...volume('zram0', 0.1), liesOn: undefined };
    const [, beside] = diskTree([SDA], [zram], (some) => some);
    expect(rowTerms(beside)).toEqual([term('disk', '=', 'zram0'), term('layer', '=', 'volumes')]);
  });
});
