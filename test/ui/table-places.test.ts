import { describe, expect, test } from 'vitest';
import { UNKNOWN_DEVICE } from '../../src/model/device.ts';
import type { ActivityReport } from '../../src/model/activity.ts';
import { lineText } from '../../src/ui/text/span.ts';
import { placeTables } from '../../src/ui/tables/table-places.ts';
import { DEFAULT_VIEW } from '../../src/view/state.ts';
import { DISK, PROCESS, REPORT } from './fixtures/chrome-state.ts';

const NOTHING = {
  ...{ readsPerSecond: 0, writesPerSecond: 0, othersPerSecond: 41 },
  ...{ readBytesPerSecond: 0, writtenBytesPerSecond: 0 },
};
const FLUSHES: ActivityReport = {
  ...REPORT,
  processes: [{ ...PROCESS, ...NOTHING }],
  disks: [{ ...DISK, ...NOTHING }],
};

function tables(report: ActivityReport, width: number, view = DEFAULT_VIEW): string[][] {
  return placeTables(report, view, width).map(({ lines }) => lines(2).map(lineText));
}

describe('columns of names', () => {
  const named: ActivityReport = {
    ...REPORT,
    processes: [{ ...PROCESS, command: 'postgres: app db SELECT', user: 'postgres' }],
    disks: [{ ...DISK, mounts: ['/', '/srv'] }],
  };

  test('columns of names appear where every figure has its place: first the command line, then the user', () => {
    const headings = (width: number): string =>
      tables(named, width)
        .map(([line]) => line)
        .join('');
    for (const width of [80, 120, 160]) expect(headings(width)).not.toMatch(/COMMAND|USER|MOUNT/);
    expect(headings(190)).toMatch(/COMMAND/);
    expect(headings(190)).not.toMatch(/USER|MOUNT/);
    expect(headings(200)).toMatch(/USER.*COMMAND/);
    const [processes, disks] = tables(named, 230);
    expect(processes![1]).toMatch(/ postgres .* postgres: app db SELECT/);
    expect(disks![1]).toMatch(/ \/ \/srv *$/);
  });

  test('take no room where nothing is known, and figures are never dropped for them', () => {
    for (const [heading] of tables(REPORT, 230)) expect(heading).not.toMatch(/COMMAND|USER|MOUNT/);
    for (const [heading] of tables(named, 200)) expect(heading).toMatch(/rMB\/s +wMB\/s.* P50 /);
  });

  test('a command line that does not fit loses the folder of its program first', () => {
    const row = (command: string, width: number): string =>
      tables({ ...named, processes: [{ ...PROCESS, command }] }, width)[0]![1]!;
    const long = '/opt/python/3.11.7/bin/python3 backup.py /srv';
    expect(row(long, 190)).toMatch(/ …\/python3 backup.py …$/);
    expect(row(long, 300)).toMatch(/ \/opt\/python\/3.11.7\/bin\/python3 backup.py \/srv/);
    expect(row('/sbin', 190)).toMatch(/ \/sbin /);
    expect(row('/a-daemon-with-a-very-long-name', 190)).toMatch(/ \/a-daemon-with\S*…/);
    expect(row('tar c /srv/a/b/c/d/e/f/g', 190)).toMatch(/ tar c \/srv\S*…/);
  });

  test('columns of names show what a process wrote only as text', () => {
    const hostile = [{ ...PROCESS, command: 'a\x1b[31mb\nc', user: undefined }];
    const [[, row] = []] = tables({ ...named, processes: hostile }, 230);
    expect(row).not.toMatch(/[\x00-\x1f]/);
  });
});

describe('the tables of logs that lack operations, sizes or times', () => {
  const lacking = {
    ...{ readsPerSecond: undefined, writesPerSecond: undefined, othersPerSecond: 466 },
    ...{ readBytesPerSecond: undefined, writtenBytesPerSecond: undefined, errors: undefined },
  };
  const sized = { ...lacking, undividedBytesPerSecond: 3.3e6 };
  const reportOf = (...all: (typeof sized | typeof lacking)[]): ActivityReport => ({
    ...REPORT,
    processes: all.map((one) => ({ ...PROCESS, ...one })),
    disks: all.map((one) => ({ ...DISK, ...one })),
  });

  test.each([80, 170])(
    'have one rate, and no column of what no row has, at %i columns',
    (width) => {
      for (const [heading, row] of tables(reportOf(lacking), width)) {
        expect(heading).toMatch(/ IOPS /);
        expect(heading).not.toMatch(/[RWB]\/s|ERR/);
        expect(row).toMatch(/ 466 /);
      }
      for (const [heading, row] of tables(reportOf(sized), width)) {
        expect(heading).toMatch(/ IOPS +MB\/s /);
        expect(row).toMatch(/ 466 +3.3 /);
      }
    },
  );

  test('have the rate of all I/O next to reads and writes where other rows have operations', () => {
    const mixed = { ...REPORT, processes: [PROCESS, { ...PROCESS, ...lacking, waitShare: 0.1 }] };
    const [{ lines } = { lines: () => [] }] = placeTables(mixed, DEFAULT_VIEW, 170);
    const [heading, known, unknown] = lines(3).map(lineText);
    expect(heading).toMatch(/ IOPS +R\/s +W\/s +rMB\/s +wMB\/s /);
    expect(known).toMatch(/ 1.1k +812 +310 +6.4 +2.7 /);
    expect(unknown).toMatch(/ 466 +- +- +- +- /);
  });

  test('show waiting and queue depth as unknown without any time', () => {
    const untimed = { p50Ns: undefined, p99Ns: undefined, maxNs: undefined, queueShare: undefined };
    const report = {
      ...REPORT,
      processes: [{ ...PROCESS, ...untimed, waitShare: 0 }],
      disks: [{ ...DISK, ...untimed, queueDepth: 0 }],
    };
    const [processes, disks] = tables(report, 170);
    expect(processes![1]).toMatch(/( +-){5} *$/);
    expect(disks![1]).toMatch(/97( +-){5} *$/);
  });
});

describe('the tables of I/O that neither reads nor writes', () => {
  test.each([80, 160])(
    'the tables of I/O that neither reads nor writes have the rate of all I/O in place of zeros at %i columns',
    (width) => {
      for (const [heading, row] of tables(FLUSHES, width)) {
        expect(heading).toMatch(/ IOPS /);
        expect(heading).not.toMatch(/[RW]\/s/);
        expect(row).toMatch(/ 41 /);
      }
    },
  );

  test('the tables of I/O that neither reads nor writes have the chosen columns as soon as something is read or written', () => {
    const mixed = { ...FLUSHES, processes: [...FLUSHES.processes, PROCESS] };
    expect(tables(mixed, 160)[0]![0]).toMatch(/ R\/s +W\/s /);
    expect(tables({ ...FLUSHES, processes: [] }, 160)[0]![0]).toMatch(/ R\/s +W\/s /);
  });
});

test('the tables of waits have the rate of all of them, as many are in calls that neither read nor write', () => {
  for (const [heading] of tables(REPORT, 160, { ...DEFAULT_VIEW, layer: 'waits' })) {
    expect(heading).toMatch(/ WAIT\/s /);
    expect(heading).not.toMatch(/[RW]\/s/);
  }
});

test('the processes of volumes have no column for the queue, because volumes have none', () => {
  const inVolumes: ActivityReport = {
    ...REPORT,
    processes: [{ ...PROCESS, queueShare: undefined }],
  };
  const [processes, disks] = tables(inVolumes, 160, { ...DEFAULT_VIEW, layer: 'volumes' });
  expect(processes![0]).not.toMatch(/ Q% /);
  expect(disks![0]).toMatch(/ Q%/);
  expect(tables(REPORT, 160)[0]![0]).toMatch(/ Q% /);
});

test('the tables of a trace with total latencies alone have no column for the queue', () => {
  const view = { ...DEFAULT_VIEW, traceLatency: 'total' } as const;
  for (const [heading] of tables(REPORT, 160, view)) expect(heading).not.toMatch(/ Q%/);
});

test('the tables of a column in which nothing was traced do not say that it had no I/O', () => {
  const untraced = { ...REPORT, processes: [], disks: [], scope: 'column', spanNs: 0 } as const;
  for (const table of tables(untraced, 160))
    expect(table.join('\n')).toContain('the column was not traced');
});

describe('the tables of calls', () => {
  const view = { ...DEFAULT_VIEW, layer: 'calls' } as const;
  const unknown = { dev: UNKNOWN_DEVICE, disk: 'unknown', queueShare: undefined };
  const calls: ActivityReport = {
    ...REPORT,
    processes: [{ ...PROCESS, ...NOTHING, ...unknown }],
    disks: [{ ...DISK, ...NOTHING, ...unknown }],
  };

  test('the tables of calls have their own rate, and no columns in which nothing is known', () => {
    const [processes, disks] = tables(calls, 160, view);
    expect(processes![0]).toMatch(/ CALL\/s /);
    expect(processes![0]).not.toMatch(/ DISK | Q% /);
    expect(disks![0]).not.toMatch(/ Q% /);
    const known = { ...calls, processes: [...calls.processes, PROCESS] };
    expect(tables(known, 160, view)[0]![0]).toMatch(/ DISK /);
  });

  test('call them calls where there are none, and in the sum of the rows below', () => {
    const none = { ...calls, processes: [], disks: [] };
    expect(tables(none, 80, view).flat().join('\n')).toContain('no calls in the last');
    const many = { ...calls, processes: Array<typeof PROCESS>(20).fill(PROCESS) };
    const [table] = placeTables(many, view, 80);
    expect(table!.lines(8).map(lineText).join('\n')).toMatch(/\d+ more: .* calls\/s, /);
  });
});

test('where many processes of few names have most of the waiting, the table says how to add them up by name', () => {
  const lastLine = (
    some: Partial<typeof PROCESS>,
    view: Partial<typeof DEFAULT_VIEW> = {},
  ): string => {
    const processes = Array.from({ length: 40 }, (_, tgid) => ({
      ...PROCESS,
      ...{ tgid, comm: 'cc1', waitShare: 0.02, ...some },
    }));
    const [table] = placeTables({ ...REPORT, processes }, { ...DEFAULT_VIEW, ...view }, 120);
    return lineText(table!.lines(8).at(-1)!);
  };
  expect(lastLine({})).toMatch(/ 34 more: .* {2}G G G: by name/);
  expect(lastLine({}, { grouping: 'thread' })).toMatch(/ 34 more: .* {2}G: by name/);
  expect(lastLine({ waitShare: 0.01 })).toMatch(/ 34 more: (?!.*G:)/);
  expect(lastLine({}, { grouping: 'name' })).toMatch(/ 34 more: (?!.*G:)/);
});
