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

function tables(report: ActivityReport, width: number): string[][] {
  return placeTables(report, DEFAULT_VIEW, width).map(({ lines }) => lines(2).map(lineText));
}

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
