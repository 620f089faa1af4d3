import { describe, expect, test } from 'vitest';
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

  test('appear where every figure has its place: first the command line, then the user', () => {
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

  test('show what a process wrote only as text', () => {
    const hostile = [{ ...PROCESS, command: 'a\x1b[31mb\nc', user: undefined }];
    const [[, row] = []] = tables({ ...named, processes: hostile }, 230);
    expect(row).not.toMatch(/[\x00-\x1f]/);
  });
});

describe('the tables of I/O that neither reads nor writes', () => {
  test.each([80, 160])('have the rate of all I/O in place of zeros at %i columns', (width) => {
    for (const [heading, row] of tables(FLUSHES, width)) {
      expect(heading).toMatch(/ IOPS /);
      expect(heading).not.toMatch(/[RW]\/s/);
      expect(row).toMatch(/ 41 /);
    }
  });

  test('have the chosen columns as soon as something is read or written', () => {
    const mixed = { ...FLUSHES, processes: [...FLUSHES.processes, PROCESS] };
    expect(tables(mixed, 160)[0]![0]).toMatch(/ R\/s +W\/s /);
    expect(tables({ ...FLUSHES, processes: [] }, 160)[0]![0]).toMatch(/ R\/s +W\/s /);
  });
});

test('the tables of waits have the rate of all of them, as many are in calls that neither read nor write', () => {
  for (const [heading] of tables(REPORT, 160, { ...DEFAULT_VIEW, layer: 'waits' })) {
    expect(heading).toMatch(/ IOPS /);
    expect(heading).not.toMatch(/[RW]\/s/);
  }
});
