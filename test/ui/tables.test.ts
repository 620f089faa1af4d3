import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { DiskActivity, ProcessActivity } from '../../src/model/activity.ts';
import { chosenDiskColumns } from '../../src/ui/tables/disk-columns.ts';
import { fitColumns, withExtras } from '../../src/ui/text/fit-columns.ts';
import { chosenProcessColumns } from '../../src/ui/tables/process-columns.ts';
import { term } from '../../src/filter/filter.ts';
import { rowTerms } from '../../src/ui/tables/row-terms.ts';
import { placeOf, rowIds } from '../../src/ui/tables/row-ids.ts';
import { selectedRow, shownProcesses, shownRows } from '../../src/ui/tables/selected-row.ts';
import { sortDisks, sortProcesses } from '../../src/ui/tables/sort-rows.ts';
import { lineText } from '../../src/ui/text/span.ts';
import { tableLines } from '../../src/ui/tables/table-lines.ts';
import type { TableContent } from '../../src/ui/tables/table-lines.ts';
import { DEFAULT_DISK_COLUMNS, DEFAULT_PROCESS_COLUMNS } from '../../src/view/table-columns.ts';
import { DEFAULT_VIEW, DISK_SORTS, PROCESS_SORTS } from '../../src/view/state.ts';
import type { ProcessSort } from '../../src/view/state.ts';
import {
  DISK,
  DISKS,
  EMPTY_REPORT,
  HOSTILE_NAMES,
  PROCESS,
  PROCESSES,
  REPORT,
} from './fixtures/chrome-state.ts';
import { rowIn } from './fixtures/row-in.ts';

function processColumns(sort: ProcessSort): TableContent<ProcessActivity, ProcessSort>['columns'] {
  // Nothing here is an estimate.
  const columns = DEFAULT_PROCESS_COLUMNS.filter((id) => id !== 'margin');
  return chosenProcessColumns('process-disk', columns, sort);
}

const PROCESS_COLUMNS = processColumns('wait');

const CONTENT: TableContent<ProcessActivity, ProcessSort> = {
  columns: PROCESS_COLUMNS,
  rows: PROCESSES,
  sort: 'wait',
  isAscending: false,
  isFocused: true,
  top: 0,
  emptyText: 'no I/O in the last 5 s',
  hints: ['Tab: disks'],
  hasErrors: ({ errors = 0 }) => errors > 0,
  isFaint: ({ tgid }) => tgid === undefined,
};

function texts(
  content: TableContent<ProcessActivity, ProcessSort>,
  width: number,
  height: number,
): string[] {
  return tableLines(content, width, height).map(lineText);
}

function titles(width: number, sort: ProcessSort): string[] {
  return fitColumns(processColumns(sort), width, sort).fitted.map(({ column }) => column.title);
}

const name = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 20 }),
  fc.constantFrom(...HOSTILE_NAMES),
);
const figure = fc.oneof(fc.double(), fc.constant(undefined));
const hostileRow = fc
  .record({
    comm: name,
    disk: name,
    tgid: fc.oneof(fc.nat(), fc.constant(undefined)),
    p99Ns: figure,
    maxNs: figure,
    readsPerSecond: fc.double(),
    writtenBytesPerSecond: fc.double(),
    waitShare: fc.double(),
    indirect: fc.boolean(),
    errors: fc.nat(),
  })
  .map((row) => ({ ...PROCESS, ...row }));

describe('a table', () => {
  it('a table is a rectangle of printable cells, whatever the names and figures are', () => {
    const rows = fc.array(hostileRow, { maxLength: 6 });
    const size = {
      width: fc.integer({ min: 1, max: 300 }),
      height: fc.integer({ min: 1, max: 9 }),
    };
    fc.assert(
      fc.property(
        rows,
        fc.record(size),
        fc.constantFrom(...PROCESS_SORTS),
        (all, { width, height }, sort) => {
          const lines = texts({ ...CONTENT, rows: all, sort }, width, height);
          expect(lines.map(({ length }) => length)).toEqual(Array<number>(height).fill(width));
          expect(lines.join('')).not.toMatch(/[^\x20-\x7e\xa1-\uffff]/);
        },
      ),
      { numRuns: 300 },
    );
  });

  it('a wider table never shows less', () => {
    for (const sort of PROCESS_SORTS) {
      for (let width = 1; width < 150; width++) {
        const wider = titles(width + 1, sort).map((title) => title.replace(/^[rw]MB/, 'MB'));
        const missing = titles(width, sort)
          .map((title) => title.replace(/^[rw]MB/, 'MB'))
          .filter((title) => !wider.includes(title));
        expect({ width, missing }).toEqual({ width, missing: [] });
      }
    }
  });

  it('a table keeps the column that it is sorted by', () => {
    expect(titles(40, 'wait')).toEqual(['PID', 'COMM', 'MB/s', 'P99', 'WAIT%']);
    expect(titles(40, 'max')).toContain('MAX');
    for (const sort of DISK_SORTS) {
      const { fitted } = fitColumns(chosenDiskColumns(DEFAULT_DISK_COLUMNS, sort, []), 40, sort);
      expect(fitted.some(({ column }) => column.sorts?.includes(sort))).toBe(true);
    }
  });

  it('a table has every column at 80', () => {
    expect(titles(80, 'wait')).toEqual([
      'PID',
      'COMM',
      'DISK',
      'R/s',
      'W/s',
      'MB/s',
      'P50',
      'P99',
      'MAX',
      'Q%',
      'WAIT%',
    ]);
  });

  it('a table marks the focus and the sorted column with characters', () => {
    expect(texts(CONTENT, 80, 3)[0]).toMatch(/^▸.*▾WAIT%/);
    expect(
      texts({ ...CONTENT, isFocused: false, sort: 'pid', isAscending: true }, 80, 3)[0],
    ).toMatch(/^ +▴PID/);
  });

  it('a table shows a window of its rows and says which', () => {
    const lines = texts({ ...CONTENT, top: 1 }, 140, 3);
    expect(lines[0]).toMatch(/2-3 of 5$/);
    expect(lines[1]).toContain('postgres');
    expect(lines[2]).toContain('kworker');
  });

  it('a table stays full when it is scrolled past its end', () => {
    expect(texts({ ...CONTENT, top: 99 }, 80, 3)[2]).toContain('rsync');
  });

  it('a table says so when there was no I/O', () => {
    expect(texts({ ...CONTENT, rows: [] }, 80, 3)[1]?.trim()).toBe('no I/O in the last 5 s');
  });

  it('a table marks I/O submitted on behalf of others even where the name is cut', () => {
    expect(texts(CONTENT, 80, 9)[3]).toContain('kworker/u16:2+f*');
    expect(texts(CONTENT, 40, 9)[3]).toContain('kworker/u1…*');
  });

  it('a table says how far estimates may be off, before it shows how much was moved', () => {
    const columns = chosenProcessColumns('process-disk', DEFAULT_PROCESS_COLUMNS, 'wait');
    const shown = (rows: readonly ProcessActivity[], width: number) =>
      texts({ ...CONTENT, rows, columns: withExtras(columns, rows, width, 'wait') }, width, 4);
    const [heading, ...lines] = shown([{ ...PROCESS, margin: 0.0312 }, PROCESS], 40);
    expect(heading).toMatch(/±%.*P99.*WAIT%/);
    const at = heading!.indexOf('±%');
    expect(lines.map((line) => line.slice(at - 1, at + 2))).toEqual(['  3', '   ', '   ']);
    expect(shown([PROCESS], 200)[0]).not.toContain('±%');
  });

  it('a table says that utilization is a lower bound where some I/O has no times of its own', () => {
    const columns = chosenDiskColumns(DEFAULT_DISK_COLUMNS, 'util', [DISK]);
    const { column } = fitColumns(columns, 80, 'util').fitted.find(
      (one) => one.column.title === '%UTIL',
    )!;
    expect(column.cell({ ...DISK, isUtilizationPartial: true }, 6)).toBe('≥97');
    expect(column.cell(DISK, 6)).toBe('97');
  });

  it('a table says that the owner is not known', () => {
    expect(texts(CONTENT, 80, 9)[4]).toMatch(/^ +- \(no detail\) /);
  });

  it('a table says that the name of a process is not known', () => {
    const rows = [{ ...PROCESS, tgid: 3387, comm: '' }];
    expect(texts({ ...CONTENT, rows }, 80, 9)[1]).toMatch(/^ +3387 - +sda /);
  });

  it('a table marks a row with failed I/O', () => {
    expect(texts(CONTENT, 80, 9)[5]).toMatch(/^!/);
  });
});

describe('the selected row', () => {
  const selected = (row: number, height: number): string[] =>
    texts({ ...CONTENT, selected: row }, 80, height);

  it('the selected row is marked with a character and in one colour over its whole width', () => {
    const [heading, first, second] = tableLines({ ...CONTENT, selected: 1 }, 80, 6);
    expect(lineText(heading!)).toMatch(/^▸/);
    expect(lineText(first!)).toMatch(/^ /);
    expect(lineText(second!)).toMatch(/^▸4194303 postgres/);
    expect(new Set(second!.map(({ role }) => role))).toEqual(new Set(['selected']));
  });

  it('the selected row keeps the mark of errors', () => {
    const line = tableLines({ ...CONTENT, selected: 4 }, 80, 6)[5]!;
    expect(line[0]).toEqual({ text: '!', role: 'alarm' });
    expect(line.at(-1)?.role).toBe('selected');
  });

  it('the selected row has only its mark in the table without the focus', () => {
    const line = tableLines({ ...CONTENT, selected: 1, isFocused: false }, 80, 6)[2]!;
    expect(lineText(line)).toMatch(/^▸/);
    expect(line.map(({ role }) => role)).not.toContain('selected');
  });

  it('the selected row is always visible', () => {
    for (let height = 2; height <= 7; height++)
      for (let row = 0; row < PROCESSES.length + 3; row++)
        expect(
          selected(row, height)
            .slice(1)
            .filter((line) => /^[▸!]/.test(line)),
        ).not.toEqual([]);
  });

  it('the selected row is in the middle of a long table', () => {
    expect(selected(2, 4)[2]).toMatch(/^▸ +61 kworker/);
  });

  it('the selection stays on its row where another order or other figures move it', () => {
    const ofDisks = { ...DEFAULT_VIEW, focus: 'disks' } as const;
    const processRow = rowIn(REPORT, 1);
    const view = { ...DEFAULT_VIEW, processRow, diskRow: rowIn(REPORT, 2, ofDisks) };
    expect(selectedRow(view, REPORT)).toMatchObject({ comm: 'postgres' });
    expect(selectedRow({ ...view, processSort: 'pid' }, REPORT)).toMatchObject({
      comm: 'postgres',
    });
    const busier = PROCESSES.map((row) => (row.comm === 'rsync' ? { ...row, waitShare: 1 } : row));
    const next = { ...REPORT, processes: busier };
    expect(selectedRow(view, next)).toMatchObject({ comm: 'postgres' });
    expect(placeOf(processRow, shownRows(view, next), view.grouping)).toBe(2);
    expect(selectedRow({ ...view, focus: 'disks' }, REPORT)).toMatchObject({ disk: 'loop0' });
  });

  it('no row is selected until one is chosen, and none while the chosen one is not in the table', () => {
    expect(selectedRow(DEFAULT_VIEW, REPORT)).toBeUndefined();
    const view = { ...DEFAULT_VIEW, processRow: rowIn(REPORT, 0) };
    expect(selectedRow(view, EMPTY_REPORT)).toBeUndefined();
    const [gone, ...processes] = shownProcesses(view, REPORT);
    expect(selectedRow(view, { ...REPORT, processes })).toBeUndefined();
    expect(selectedRow(view, { ...REPORT, processes: [...processes, gone!] })).toBe(gone);
  });

  it('the selection stays on a row over all disks that gets a second disk', () => {
    const [busy] = REPORT.processes as readonly [ProcessActivity];
    const one = { ...REPORT, processes: [busy] };
    const two = { ...REPORT, processes: [{ ...busy, dev: undefined, disk: '2 disks' }] };
    for (const grouping of ['process', 'name', 'thread'] as const) {
      const view = { ...DEFAULT_VIEW, grouping };
      const processRow = rowIn(one, 0, view);
      expect(selectedRow({ ...view, processRow }, two)).toMatchObject({ disk: '2 disks' });
    }
  });

  it('a disk below two volumes has two rows that can be selected', () => {
    const [disk] = REPORT.disks as readonly [DiskActivity];
    const rows = [disk, { ...disk, isBeside: true }];
    const ids = rowIds(rows, 'process');
    expect(ids.map((id, place) => placeOf({ id, place }, rows, 'process'))).toEqual([0, 1]);
  });
});

describe('what a kernel thread submitted for a process', () => {
  const columns = chosenProcessColumns('process', DEFAULT_PROCESS_COLUMNS, 'wait');
  const written = { ...PROCESS, comm: 'dd', indirect: true, via: 'kworker/u8:1' };

  it('what a kernel thread submitted for a process is marked after its name, otherwise where others wrote to the file, too', () => {
    const rows = [written, { ...written, hasSeveralWriters: true }];
    const [, one, several] = texts({ ...CONTENT, columns, rows }, 80, 3);
    expect(one).toMatch(/ dd\* /);
    expect(several).toMatch(/ dd\+ /);
  });

  it('what a kernel thread submitted for a process has the thread in a column of its own where there is room', () => {
    const [heading, row] = texts({ ...CONTENT, columns, rows: [written] }, 200, 2);
    expect(heading).toMatch(/ VIA /);
    expect(row).toMatch(/ kworker\/u8:1 /);
    const titles = (one: typeof PROCESS): string[] =>
      withExtras(columns, [one], 200, 'wait').map(({ title }) => title);
    expect(titles(written)).toContain('VIA');
    expect(titles({ ...PROCESS, indirect: false })).not.toContain('VIA');
  });
});

describe('the line of the rows that do not fit', () => {
  const rows = Array.from({ length: 9 }, (_, tgid) => ({ ...PROCESS, tgid }));
  const last = (more: Partial<typeof CONTENT>): string =>
    texts(
      { ...CONTENT, rows, moreText: (hidden) => `${hidden.length} left out`, ...more },
      80,
      6,
    )[5]!;

  it('the line of the rows that do not fit has their number and sum', () => {
    expect(last({})).toMatch(/^ \.\.\. 5 more: 5 left out *$/);
  });

  it('the line of the rows that do not fit says how many are above, where the first are hidden', () => {
    expect(last({ selected: 4 })).toMatch(/^ \.\.\. 3 above, 2 below: 5 left out *$/);
    expect(last({ selected: 8 })).toMatch(/^ \.\.\. 5 above: 5 left out *$/);
  });
});

describe('rows of a name', () => {
  const columns = chosenProcessColumns('name', DEFAULT_PROCESS_COLUMNS, 'wait');
  const four = { ...PROCESS, tgid: undefined, comm: 'mysqld', processes: 4, indirect: false };

  it('the row of a name has the number of processes in place of a PID', () => {
    const [heading, row] = texts({ ...CONTENT, columns, rows: [four] }, 80, 2);
    expect(heading).toMatch(/^▸NAME +DISK/);
    expect(row).toMatch(/^ mysqld \(4\) /);
  });

  it('a row of a name says if more processes than it counts may belong to it', () => {
    const many = { ...four, hasMoreProcesses: true };
    expect(texts({ ...CONTENT, columns, rows: [many] }, 80, 2)[1]).toMatch(/^ mysqld \(4\+\) /);
    const one = { ...many, processes: 1 };
    expect(texts({ ...CONTENT, columns, rows: [one] }, 80, 2)[1]).toMatch(/^ mysqld \(1\+\) /);
  });

  it('columns of latency give way to names of their full length', () => {
    const worker = { ...four, comm: 'kworker/u16:12', processes: 1, indirect: true };
    const [heading, row] = texts({ ...CONTENT, columns, rows: [worker] }, 69, 2);
    expect(row).toMatch(/^ kworker\/u16:12\* /);
    expect(heading).toMatch(/ P99 /);
  });

  it('the row of a name cuts a long name before its number', () => {
    const long = { ...four, comm: 'a-name-of-15-by', processes: 12 };
    const [, row] = texts({ ...CONTENT, columns, rows: [long] }, 22, 2);
    expect(row).toMatch(/^ a-name-o… \(12\) /);
  });

  it('filtering by the row of a name filters by the name, not by a PID', () => {
    expect(rowTerms({ ...four, dev: undefined })).toEqual([term('comm', '=', 'mysqld')]);
    const one = { ...four, tgid: 7, processes: 1, dev: undefined };
    expect(rowTerms(one)).toEqual([term('comm', '=', 'mysqld')]);
  });
});

describe('rows of a thread', () => {
  const thread = { ...PROCESS, tgid: 7, tid: 12, comm: 'flusher', dev: undefined };
  const columns = chosenProcessColumns('thread', DEFAULT_PROCESS_COLUMNS, 'wait');

  it('the row of a thread has its number after that of its process', () => {
    const [heading, row] = texts({ ...CONTENT, columns, rows: [thread] }, 80, 2);
    expect(heading).toMatch(/^▸ +PID +TID COMM /);
    expect(row).toMatch(/^ +7 +12 flusher /);
  });

  it('filtering by the row of a thread filters by the thread, else by its process', () => {
    expect(rowTerms(thread)).toEqual([term('tid', '=', 12)]);
    expect(rowTerms({ ...thread, tid: undefined })).toEqual([term('pid', '=', 7)]);
  });

  it('threads of a process are sorted by their number where processes are sorted by PID', () => {
    const rows = [12, 3, 7].map((tid) => ({ ...thread, tid }));
    expect(sortProcesses(rows, 'pid').map(({ tid }) => tid)).toEqual([3, 7, 12]);
  });
});

describe('rows of a cgroup', () => {
  const cgroup = { ...PROCESS, tgid: undefined, comm: '/system.slice/mysqld.service', disk: '' };
  const columns = chosenProcessColumns('cgroup', DEFAULT_PROCESS_COLUMNS, 'wait');

  it('the row of a cgroup has a name with its end visible, and neither PID nor disk', () => {
    const [heading, row] = texts({ ...CONTENT, columns, rows: [cgroup] }, 80, 2);
    expect(heading).toMatch(/^▸CGROUP +STALL% +DISK/);
    expect(row).toMatch(/^ …\/mysqld.service +- +- /);
  });

  it('the row of a cgroup has the whole ID of a container where there is room', () => {
    const container = { ...cgroup, comm: 'containerd 0123456789ab pod 5f1b2c3d' };
    const [, row] = texts({ ...CONTENT, columns, rows: [container] }, 150, 2);
    expect(row).toContain(' containerd 0123456789ab pod 5f1b2c3d ');
  });

  it('the row of a cgroup has how much of the time its tasks were stalled, where that is known', () => {
    const rows = [{ ...cgroup, stalled: { some: 0.34, full: 0.1 } }, cgroup];
    const [heading, known, unknown] = texts({ ...CONTENT, columns, rows }, 80, 3);
    expect(heading).toMatch(/^▸CGROUP +STALL% +DISK/);
    expect(known).toMatch(/^ …\/mysqld.service +34 /);
    expect(unknown).toMatch(/^ …\/mysqld.service +- +- /);
  });

  it('filtering by the row of a cgroup filters by its name, or by its number while it has none', () => {
    const named = { ...cgroup, dev: undefined, cgroup: 7, cgroupName: 'docker 0123456789ab' };
    expect(rowTerms(named)).toEqual([term('cgroup', '=', 'docker 0123456789ab')]);
    expect(rowTerms({ ...named, cgroupName: undefined })).toEqual([term('cgroup', '=', '7')]);
  });

  it('rows of cgroups are sorted by name where processes are sorted by PID', () => {
    const rows = ['/b', '/a10', '/a9'].map((comm) => ({ ...cgroup, comm }));
    expect(sortProcesses(rows, 'pid').map(({ comm }) => comm)).toEqual(['/a9', '/a10', '/b']);
  });

  it('the table of cgroups keeps the column that sorts it by name', () => {
    const [heading] = texts({ ...CONTENT, columns, rows: [cgroup], sort: 'pid' }, 40, 2);
    expect(heading).toMatch(/^▸CGROUP▾/);
  });
});

describe('the order of rows', () => {
  it.each(PROCESS_SORTS)(
    'the order of processes by %s does not depend on the order they came in',
    (sort) => {
      expect(sortProcesses(PROCESSES.toReversed(), sort)).toEqual(sortProcesses(PROCESSES, sort));
    },
  );

  it.each(DISK_SORTS)(
    'the order of disks by %s does not depend on the order they came in',
    (sort) => {
      expect(sortDisks(DISKS.toReversed(), sort)).toEqual(sortDisks(DISKS, sort));
    },
  );

  it('rows sorted by an unknown value come last', () => {
    expect(sortProcesses(PROCESSES, 'p99').at(-1)?.p99Ns).toBeUndefined();
    expect(sortDisks(DISKS, 'util').at(-1)?.disk).toBe('loop0');
  });

  it('disk names are sorted by the numbers in them', () => {
    const disks = ['sd10', 'sd9', 'sd1'].map((disk, dev) => ({ ...DISK, disk, dev }));
    expect(sortDisks(disks, 'name').map(({ disk }) => disk)).toEqual(['sd1', 'sd9', 'sd10']);
  });
});
