import { describe, expect, it } from 'vitest';
import { StartFilter } from '../../../src/app/open/start-filter.ts';
import type { KernelFilter } from '../../../src/kernel/attach/kernel-filter.ts';
import { fittingFilter } from '../../../src/kernel/attach/kernel-filter.ts';
import type { SourceInfo } from '../../../src/trace/event-source.ts';
import { packDevice } from '../../../src/model/device.ts';
import { parsed } from '../../filter/fixtures.ts';

const SDA = packDevice(8, 0);
const DM_0 = packDevice(253, 0);
const DM_1 = packDevice(253, 1);

/** The start of a trace with a filter, on a machine whose disks come and go. */
class Start {
  readonly written: KernelFilter[] = [];
  private readonly disks = new Map([[SDA, 'sda']]);
  readonly filter: StartFilter;

  constructor(text: string, names: Readonly<Record<number, string>> = {}) {
    for (const [dev, name] of Object.entries(names)) this.disks.set(Number(dev), name);
    const found = (dev: number) => {
      const name = this.disks.get(dev);
      return name === undefined ? undefined : { dev, name };
    };
    const devices = () => [...this.disks].map(([dev, name]) => ({ dev, name }));
    this.filter = new StartFilter(parsed(text), {
      info: { device: found, devices } as Pick<SourceInfo, 'device' | 'devices'> as SourceInfo,
      setFilter: (filter) => {
        this.written.push(filter);
        return fittingFilter(filter);
      },
    });
  }

  /** What the kernel programs are given when this number is that of another disk. */
  rename(dev: number, name: string): KernelFilter | undefined {
    this.disks.set(dev, name);
    const before = this.written.length;
    this.filter.followDisks();
    return this.written[before];
  }
}

describe('the filter of the start', () => {
  it('the filter of the start names what is recorded, as far as the kernel decides', () => {
    expect(new Start('disk!=sda op=read lat>1ms').filter.recordedOnly).toBe('disk!=sda op=read');
    expect(new Start('disk=sda pid!=7,8').filter.recordedOnly).toBe('disk=sda pid!=7,8');
    expect(new Start('lat>1ms').filter.recordedOnly).toBe('');
  });

  it('the filter of the start names what is recorded, too, where one list is too long for the kernel', () => {
    const pids = Array.from({ length: 17 }, (_, index) => index + 1);
    expect(new Start(`op=read pid=${pids.join()}`).filter.recordedOnly).toBe('op=read');
  });

  it('the filter of the start excludes a volume by name, whatever number it has by now', () => {
    const start = new Start('disk!=backup', { [DM_0]: 'backup' });
    expect(start.written).toEqual([{ excludedDevs: [DM_0] }]);
    expect(start.rename(DM_0, 'data')).toEqual({});
    expect(start.rename(DM_1, 'backup')).toEqual({ excludedDevs: [DM_1] });
    expect(start.filter.recordedOnly).toBe('disk!=backup');
  });

  it('the filter of the start follows a volume that is asked for, too', () => {
    const start = new Start('disk=data', { [DM_0]: 'data' });
    expect(start.rename(DM_1, 'data')).toEqual({ devs: [DM_0, DM_1] });
    expect(start.rename(DM_0, 'backup')).toEqual({ devs: [DM_1] });
    expect(start.filter.recordedOnly).toBe('disk=data');
  });

  it('the filter of the start is written once while the disks have the same numbers', () => {
    const start = new Start('disk!=sda', { [DM_0]: 'data' });
    expect(start.rename(DM_0, 'other')).toBeUndefined();
    expect(start.rename(SDA, 'sda')).toBeUndefined();
  });

  it('the filter of the start does not exclude a disk that appears later, as its I/O is said to be recorded', () => {
    const start = new Start('disk!=backup op=read');
    expect(start.filter.recordedOnly).toBe('op=read');
    expect(start.rename(DM_0, 'backup')).toBeUndefined();
  });
});
