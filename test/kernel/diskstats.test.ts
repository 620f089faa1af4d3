import { describe, expect, it } from 'vitest';
import { parseDiskstats } from '../../src/kernel/machine/diskstats.ts';
import { diskstatsSince, utilization } from '../load/diskstats-since.ts';
import { packDevice } from '../../src/model/device.ts';

const LINE =
  ' 254       0 vda 100 5 2048 30 200 6 4096 40 3 500 70 7 1 512 9 11 12\n' +
  '   7       0 loop0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0\n';
const VDA = packDevice(254, 0);

describe('/proc/diskstats', () => {
  it('/proc/diskstats is read line by line, one per disk', () => {
    const all = parseDiskstats(LINE);
    expect([...all.values()].map(({ name }) => name)).toEqual(['vda', 'loop0']);
    expect(all.get(VDA)).toMatchObject({
      reads: 100,
      readSectors: 2048,
      writes: 200,
      writtenSectors: 4096,
      inFlight: 3,
      ioMs: 500,
      discards: 7,
      flushes: 11,
      flushMs: 12,
    });
  });

  it('/proc/diskstats of an older kernel lacks discards and flushes', () => {
    const short = LINE.split('\n')[0]!.split(' ').slice(0, -6).join(' ');
    expect(parseDiskstats(short).get(VDA)).toMatchObject({ writes: 200, discards: 0, flushes: 0 });
  });

  it('the difference of two reads of /proc/diskstats is right past a wrap at 32 bits', () => {
    const before = { ...parseDiskstats(LINE).get(VDA)!, ioMs: 2 ** 32 - 100 };
    const after = { ...before, reads: 110, inFlight: 1, ioMs: 400 };
    const grown = diskstatsSince(before, after);
    expect(grown).toMatchObject({ reads: 10, writes: 0, inFlight: 1, ioMs: 500, dev: VDA });
    expect(utilization(before, after, 1e9)).toBe(0.5);
  });

  it('the difference of two reads of /proc/diskstats is that of the new disk where it got the number of another', () => {
    const before = { ...parseDiskstats(LINE).get(VDA)!, reads: 2 ** 40, ioMs: 5000 };
    const after = { ...before, reads: 7, ioMs: 30 };
    expect(diskstatsSince(before, after)).toMatchObject({ reads: 7, ioMs: 30 });
  });

  it('a disk is never busier than all the time', () => {
    const before = parseDiskstats(LINE).get(VDA)!;
    expect(utilization(before, { ...before, ioMs: before.ioMs + 1010 }, 1e9)).toBe(1);
    expect(utilization(before, before, 0)).toBe(0);
  });
});
