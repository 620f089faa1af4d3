import { describe, expect, it } from 'vitest';
import { highestCpu } from '../../src/kernel/machine/cpus.ts';
import type { Disk } from '../../src/kernel/machine/disks.ts';
import { Control, Summary } from '../../src/kernel/abi/layout.ts';
import { offsetShift, SummaryDevices } from '../../src/kernel/attach/summary-devices.ts';
import { planSizes, summaryCount } from '../../src/kernel/attach/trace-sizes.ts';
import { OFFSET_BINS } from '../../src/model/fine-bins.ts';

function disks(count: number, requestLimit = 256, sizeBytes = 1e9): Disk[] {
  return Array.from({ length: count }, (_, index) => ({
    dev: index + 1,
    name: `d${index}`,
    sizeBytes,
    requestBased: true,
    requestLimit,
  }));
}

describe('the sizes of the maps', () => {
  it('the maps have room for every request of every disk several times over', () => {
    const { slots } = planSizes(disks(4, 1024), 8);
    expect(slots).toBe(16_384);
    expect(planSizes([], 1).slots).toBe(4096);
    expect(planSizes(disks(64, 65_536), 128).slots).toBe(65_536);
  });

  it('the ring has 8 MB per processor, at least 16 and at most 32 MB', () => {
    const ringOf = (cpus: number): number => planSizes([], cpus).ringBytes / 2 ** 20;
    expect([1, 2, 3, 4, 8, 384].map(ringOf)).toEqual([16, 16, 32, 32, 32, 32]);
    expect(planSizes([], 2, 2 ** 16).ringBytes).toBe(2 ** 16);
  });

  it('the maps leave room for new disks, and keep a memory budget', () => {
    expect(planSizes(disks(2), 2)).toMatchObject({ devices: 6, stripes: 2 });
    for (const count of [0, 1, 5, 10, 20, 40, 1000]) {
      const { devices, stripes } = planSizes(disks(count), 64);
      const bytes = summaryCount({ devices, stripes }) * Summary.bytes;
      expect(bytes).toBeLessThan(16e6);
      expect(devices).toBeGreaterThan(Math.min(count, 30));
    }
  });

  it('the maps spend nothing on disks that are not in use', () => {
    expect(planSizes(disks(8, 128, 0), 2).devices).toBe(planSizes([], 2).devices);
  });

  it('the maps have room for volumes, too', () => {
    const volumes = disks(3).map((disk) => ({ ...disk, requestBased: false }));
    expect(planSizes(volumes, 2).devices).toBe(planSizes([], 2).devices + 3);
  });

  it('the maps are sized by the highest CPU number', () => {
    expect(['0', '0-3', '0-3,8', '0,2-11'].map(highestCpu)).toEqual([0, 3, 8, 11]);
  });
});

describe('the table of devices with summaries', () => {
  const table = (capacity: number) =>
    new SummaryDevices(new Uint32Array(Control.bytes / 4), capacity);

  it('the device table covers a disk of any size with its bins', () => {
    for (const bytes of [512, 1e6, 64 << 20, 1e12, 3e13]) {
      const shift = offsetShift(bytes);
      expect(OFFSET_BINS * 2 ** shift * 512).toBeGreaterThanOrEqual(bytes);
      if (shift > 0) expect(OFFSET_BINS * 2 ** (shift - 1) * 512).toBeLessThan(bytes);
    }
  });

  it('the device table gives disks entries before volumes', () => {
    const devices = table(2);
    const all = disks(3).map((disk, index) => ({ ...disk, requestBased: index > 0 }));
    devices.track(all, 0);
    expect([0, 1].map((index) => devices.entry(index).dev)).toEqual([2, 3]);
  });

  it('the device table gives each disk an entry once, and follows its size', () => {
    const devices = table(4);
    devices.track(disks(2), 0);
    devices.track(disks(3, 256, 8e12), 0);
    expect([0, 1, 2, 3].map((index) => devices.entry(index).dev)).toEqual([1, 2, 3, 0]);
    expect(devices.entry(0).offsetShift).toBe(offsetShift(8e12));
  });

  it('disks that find no room in the device table use the shared entry', () => {
    const devices = table(2);
    devices.track(disks(5), 0);
    expect([0, 1, 2].map((index) => devices.entry(index).dev)).toEqual([1, 2, 0]);
  });

  it('the device table gives the entry of a disk that is gone to another one, after its last counts were read', () => {
    const devices = table(2);
    const [first, second, third] = disks(3) as [Disk, Disk, Disk];
    const later = 30e9;
    const devs = (): number[] => [0, 1].map((index) => devices.entry(index).dev);
    devices.track([first, second], 0);
    devices.track([second, third], 1e9);
    devices.wereRead(2e9);
    devices.track([second, third], later);
    expect(devs()).toEqual([1, 2]);
    devices.wereRead(later);
    devices.track([second, third], later);
    expect(devs()).toEqual([3, 2]);
  });

  it('the device table keeps the entry of a disk that comes back, however often it goes', () => {
    const devices = table(1);
    for (let second = 0; second < 60; second++) {
      devices.wereRead(second * 1e9);
      devices.track(second % 5 === 0 ? disks(1) : [], second * 1e9);
      expect(devices.entry(0).dev).toBe(1);
    }
  });

  it('a hundred disks that come and go one after the other all have an entry of their own', () => {
    const devices = table(4);
    const all = disks(100);
    const without = all.filter(({ dev }, index) => {
      const nowNs = index * 10e9;
      devices.wereRead(nowNs);
      devices.track(all.slice(index, index + 1), nowNs);
      return ![0, 1, 2, 3].some((entry) => devices.entry(entry).dev === dev);
    });
    expect(without).toEqual([]);
  });
});
