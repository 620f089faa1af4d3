import { describe, expect, it } from 'vitest';
import type { DiskTrend } from '../../src/model/trend.ts';
import { shownDisks } from '../../src/ui/charts/shown-disks.ts';

function disk(name: string, utilization: number, ...completions: number[]): DiskTrend {
  return {
    dev: name.codePointAt(2)!,
    disk: name,
    completions: Float64Array.from(completions),
    utilization,
    isUtilizationPartial: false,
  };
}

function names(all: readonly DiskTrend[], rows: number): string[] {
  return shownDisks(all, rows).disks.map((one) => one.disk);
}

const SDA = disk('sda', 0.1, 5, 5);
const SDB = disk('sdb', 0, NaN, 0);
const SDC = disk('sdc', 0, 3, 0);
const SDD = disk('sdd', 0.9, 1, 9);

describe('the disks of the charts', () => {
  it('the charts show the disks that had I/O in the time shown, and how many had none', () => {
    expect(shownDisks([SDA, SDB, SDC], 5)).toEqual({ disks: [SDA, SDC], idle: 1, more: 0 });
  });

  it('the charts show all disks where none had I/O', () => {
    expect(shownDisks([SDB], 5)).toEqual({ disks: [SDB], idle: 0, more: 0 });
    expect(shownDisks([], 5)).toEqual({ disks: [], idle: 0, more: 0 });
  });

  it('the charts show the busiest disks where there is no room for all, in the order of their names', () => {
    expect(names([SDA, SDC, SDD], 2)).toEqual(['sda', 'sdd']);
    expect(shownDisks([SDA, SDB, SDC, SDD], 2)).toMatchObject({ idle: 1, more: 1 });
  });
});
