import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { ProcessActivity } from '../../src/model/activity.ts';
import { matrixColumns, matrixRows } from '../../src/ui/tables/matrix.ts';
import { ACTIVITY, PROCESS } from './fixtures/chrome-state.ts';

/** So few I/Os that each figure is written out whole, and can be added up as it stands there. */
const anyRow = fc
  .record({
    tgid: fc.option(fc.integer({ min: 1, max: 4 }), { nil: undefined }),
    dev: fc.integer({ min: 1, max: 20 }),
    readsPerSecond: fc.integer({ min: 0, max: 4 }),
    writesPerSecond: fc.integer({ min: 0, max: 3 }),
    maxNs: fc.option(
      fc.integer({ min: 1, max: 9 }).map((ms) => ms * 1e6),
      { nil: undefined },
    ),
  })
  .map((row): ProcessActivity => ({
    ...PROCESS,
    ...ACTIVITY,
    ...row,
    comm: 'x',
    disk: `sd${row.dev}`,
  }));
const anyRows = fc.array(anyRow, { minLength: 1, maxLength: 40 });
const anyWidth = fc.integer({ min: 24, max: 200 });

const WHO_COLUMNS = 2;
const iopsOf = ({ readsPerSecond, writesPerSecond }: ProcessActivity): number =>
  readsPerSecond! + writesPerSecond!;
const sumOf = (values: readonly number[]): number => values.reduce((sum, value) => sum + value, 0);
const figure = (text: string): number => (text === '·' ? 0 : Number(text));

describe('the matrix', () => {
  it('a maximum that nothing is known of is no maximum of 0', () => {
    const row = { ...PROCESS, ...ACTIVITY, tgid: 1, comm: 'x' };
    const known = { ...row, dev: 1, disk: 'sda', maxNs: 3e6 };
    const unknown = { ...row, dev: 2, disk: 'sdb', maxNs: undefined };
    const matrix = matrixRows([known, unknown, { ...unknown, tgid: 2 }]);
    const cells = matrix.map((one) =>
      matrixColumns(matrix, 'max', 80)
        .slice(WHO_COLUMNS)
        .map((column) => column.cell(one, 7)),
    );
    expect(cells).toEqual([
      ['3ms', '-', '3ms'],
      ['·', '-', '-'],
    ]);
  });

  it('the matrix holds all I/O of the rows, in its cells as in its last column', () => {
    fc.assert(
      fc.property(anyRows, anyWidth, (rows, width) => {
        const matrix = matrixRows(rows);
        const columns = matrixColumns(matrix, 'iops', width);
        const disks = columns.slice(WHO_COLUMNS, -1);
        let all = 0;
        for (const row of matrix) {
          const total = figure(columns.at(-1)!.cell(row, 7));
          const cells = disks.map((column) => figure(column.cell(row, 7)));
          // Too narrow for a single disk, there is but the whole.
          if (disks.length > 0) expect(sumOf(cells)).toBe(total);
          all += total;
        }
        expect(all).toBe(sumOf(rows.map(iopsOf)));
      }),
    );
  });

  it('the matrix shows as many disks as fit, the busiest, by name, and the others as one column', () => {
    fc.assert(
      fc.property(anyRows, anyWidth, (rows, width) => {
        const titles = matrixColumns(matrixRows(rows), 'iops', width).map(({ title }) => title);
        const names = titles.slice(WHO_COLUMNS, -1).filter((title) => !title.startsWith('+'));
        const rest = titles.find((title) => title.startsWith('+'));
        const disks = new Set(rows.map(({ disk }) => disk));
        if (titles.length > WHO_COLUMNS + 1)
          expect(names.length + Number(rest?.slice(1) ?? 0)).toBe(disks.size);
        expect(names).toEqual(names.toSorted((a, b) => Number(a.slice(2)) - Number(b.slice(2))));
        const busyness = (disk: string): number =>
          sumOf(rows.filter((row) => row.disk === disk).map(iopsOf));
        const left = [...disks].filter((disk) => !names.includes(disk)).map(busyness);
        if (names.length > 0)
          expect(Math.min(...names.map(busyness))).toBeGreaterThanOrEqual(Math.max(0, ...left));
      }),
    );
  });

  it('the matrix takes the slowest of several where it shows the slowest', () => {
    const on = (dev: number, maxNs: number): ProcessActivity => ({
      ...PROCESS,
      dev,
      disk: `sd${dev}`,
      maxNs,
    });
    const rows = matrixRows([on(1, 3e6), on(2, 9e6), on(3, 5e6), on(4, 1e6)]);
    const columns = matrixColumns(rows, 'max', 52);
    expect(columns.map(({ title }) => title)).toEqual(['PID', 'COMM', 'sd2', '+3', 'MAX']);
    expect(columns.slice(WHO_COLUMNS).map((column) => column.cell(rows[0]!, 7))).toEqual([
      '9ms',
      '5ms',
      '9ms',
    ]);
  });

  it('the matrix has of a row what is the same on all disks: host, cgroup, command line, user', () => {
    const owner = { host: 'web1', cgroup: 7, cgroupName: 'db@web1', command: 'x -d', user: 'web' };
    const part = { ...PROCESS, ...owner };
    const [same] = matrixRows([part, { ...part, dev: 5 }]);
    expect(same).toMatchObject(owner);
    const moved = matrixRows([part, { ...part, dev: 5, cgroup: 8, cgroupName: 'web@web1' }]);
    expect(moved).toMatchObject([{ host: 'web1', cgroup: undefined, cgroupName: undefined }]);
    const unknown = { ...part, tgid: undefined, comm: '(unknown)' };
    const [several] = matrixRows([unknown, { ...unknown, dev: 5, host: 'db' }]);
    expect(several).toMatchObject({ host: undefined, cgroupName: 'db@web1' });
  });

  it('the matrix has one row for a process, and a dot where it did nothing', () => {
    const other = { ...PROCESS, tgid: 7, dev: 5, disk: 'sdz' };
    const rows = matrixRows([PROCESS, { ...PROCESS, dev: 5, disk: 'sdz' }, other]);
    expect(rows.map(({ tgid, disk }) => [tgid, disk])).toEqual([
      [PROCESS.tgid, '2 disks'],
      [7, 'sdz'],
    ]);
    const columns = matrixColumns(rows, 'wait', 120);
    expect(columns.map((column) => column.cell(rows[1]!, 7)).slice(WHO_COLUMNS)).toEqual([
      '·',
      '71',
      '71',
    ]);
  });
});
