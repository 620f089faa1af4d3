import { describe, expect, it } from 'vitest';
import { watchStart } from '../../src/kernel/attach/start-detail.ts';
import type { KernelFilter } from '../../src/kernel/attach/kernel-filter.ts';
import { parseDiskstats } from '../../src/kernel/machine/diskstats.ts';
import type { Disk } from '../../src/kernel/machine/disks.ts';
import { packDevice } from '../../src/model/device.ts';

const SDA = packDevice(8, 0);
const SDB = packDevice(8, 16);
const DISKS: readonly Disk[] = [SDA, SDB].map((dev) => ({
  ...{ dev, name: `disk ${dev}`, sizeBytes: 1e9, requestBased: true, requestLimit: 64 },
}));
const LOAD_SECONDS = 0.5;

interface Rate {
  readonly reads: number;
  readonly msEach: number;
}

/** What the programs start with on a machine that does so much while they are loaded, by disk and second. */
function startWith({ sda, sdb = 0 }: { sda: Rate; sdb?: number }, filter?: KernelFilter) {
  const seconds = [0, LOAD_SECONDS];
  let looks = 0;
  const readStats = () => {
    const at = 100 + seconds[looks++]!;
    const reads = Math.round(sda.reads * at);
    return parseDiskstats(
      [
        `8 0 sda ${reads} 0 0 ${Math.round(reads * sda.msEach)} 0 0 0 0 0 0 0 0 0 0 0`,
        `8 1 sda1 ${reads} 0 0 ${Math.round(reads * sda.msEach)} 0 0 0 0 0 0 0 0 0 0 0`,
        `8 16 sdb 0 0 0 0 ${Math.round(sdb * at)} 0 0 0 0 0 0 0 0 0 0`,
      ].join('\n'),
    );
  };
  const clockMs = [0, LOAD_SECONDS * 1000];
  const nowMs = () => clockMs[looks - 1] ?? 0;
  return watchStart({ budget: 0.05, disks: DISKS, filter, readStats, nowMs })();
}

describe('what comes individually until the reader has measured what it can afford', () => {
  it('what comes individually at the start is all I/O where there is little of it', () => {
    expect(startWith({ sda: { reads: 3000, msEach: 1 } })).toEqual({ oneIn: 1, slowNs: 0 });
  });

  it('what comes individually at the start is no more than 3,300 a second within a budget of 5 %, while no code is compiled', () => {
    const { oneIn } = startWith({ sda: { reads: 100_000, msEach: 1 } });
    expect(oneIn).toBe(32);
  });

  it('the sample at the start follows the I/O of all disks, and counts that of partitions once', () => {
    const { oneIn } = startWith({ sda: { reads: 3000, msEach: 1 }, sdb: 3000 });
    expect(oneIn).toBe(2);
  });

  it('what comes individually at the start has what takes a multiple of the mean: at most as many as are drawn at random', () => {
    expect(startWith({ sda: { reads: 10_000, msEach: 2 } })).toEqual({ oneIn: 4, slowNs: 8e6 });
    expect(startWith({ sda: { reads: 50_000, msEach: 2 } })).toEqual({ oneIn: 16, slowNs: 32e6 });
    expect(startWith({ sda: { reads: 900_000, msEach: 2 } }).slowNs).toBe(32e6);
  });

  it('the sample at the start follows only the disks that the filter passes', () => {
    const load = { sda: { reads: 100_000, msEach: 1 }, sdb: 100 };
    expect(startWith(load, { devs: [SDB] }).oneIn).toBe(1);
    expect(startWith(load, { devs: [SDA] }).oneIn).toBe(32);
    expect(startWith(load, { excludedDevs: [SDA] }).oneIn).toBe(1);
    expect(startWith(load, { excludedDevs: [SDB] }).oneIn).toBe(32);
  });

  it('what comes individually at the start is all I/O of processes to which the filter is limited, as theirs may be little', () => {
    const load = { sda: { reads: 100_000, msEach: 1 } };
    expect(startWith(load, { tgids: [4711] }).oneIn).toBe(1);
  });

  it('what comes individually at the start is all I/O where the kernel does not count', () => {
    const start = watchStart({ budget: 0.05, disks: DISKS, readStats: () => new Map() });
    expect(start()).toEqual({ oneIn: 1, slowNs: 0 });
  });
});
