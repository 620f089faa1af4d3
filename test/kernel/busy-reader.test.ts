import { describe, expect, it } from 'vitest';
import { BusyReader } from '../../src/kernel/counts/busy-reader.ts';
import { parseDiskstats } from '../../src/kernel/machine/diskstats.ts';
import { packDevice } from '../../src/model/device.ts';

const SDA = packDevice(8, 0);
const SDB = packDevice(8, 16);
const MS = 1e6;

/** A machine with two disks that are busy for a part of the time, and a clock. */
class Machine {
  nowMs = 0;
  readings = 0;
  /** What a reading takes. */
  readMs = 0;
  comparable: readonly number[] = [SDA, SDB];
  private readonly busyMs = new Map([
    [SDA, 0],
    [SDB, 0],
  ]);
  readonly reader = new BusyReader({
    readStats: () => this.read(),
    nowNs: () => this.nowMs * MS,
    nowMs: () => this.nowMs,
    isComparable: (dev) => this.comparable.includes(dev),
  });

  private read() {
    this.readings++;
    this.nowMs += this.readMs;
    const line = (numbers: string, name: string, dev: number): string =>
      `${numbers} ${name} 0 0 0 0 0 0 0 0 0 ${this.busyMs.get(dev)!} 0`;
    return parseDiskstats([line('8 0', 'sda', SDA), line('8 16', 'sdb', SDB)].join('\n'));
  }

  pass(ms: number, busy: Partial<Record<number, number>>): void {
    this.nowMs += ms;
    for (const [dev, share] of Object.entries(busy))
      this.busyMs.set(Number(dev), this.busyMs.get(Number(dev))! + ms * (share ?? 0));
  }

  /** Busy ms and known ms of what came since the last call. */
  taken(dev: number): readonly [busyMs: number, knownMs: number] {
    let [busyMs, knownMs] = [0, 0];
    for (const found of this.reader.take()) {
      if (found.dev !== dev) continue;
      busyMs += found.busyNs / MS;
      knownMs += (found.toNs - found.fromNs) / MS;
    }
    return [busyMs, knownMs];
  }
}

describe('how long disks were busy', () => {
  it('how long disks were busy is not reported of disks whose I/O all has rows', () => {
    const machine = new Machine();
    for (let second = 0; second < 5; second++) {
      machine.reader.look();
      machine.pass(1000, { [SDA]: 0.5 });
    }
    machine.reader.tookCounts(new Set([SDB]));
    expect(machine.taken(SDA)).toEqual([0, 0]);
  });

  it('how long disks were busy is reported once, also where I/O without rows comes, stops and comes again', () => {
    const machine = new Machine();
    machine.reader.look();
    for (let second = 0; second < 5; second++) {
      machine.pass(1000, { [SDA]: 0.5, [SDB]: 0.5 });
      machine.reader.look();
      if (second === 0 || second === 4) machine.reader.tookCounts(new Set([SDA]));
      if (second === 4) machine.reader.tookCounts(new Set([SDB]));
    }
    const found = machine.reader.take();
    const stretches = (dev: number) =>
      found.filter((one) => one.dev === dev && one.toNs > one.fromNs);
    const starts = stretches(SDA).map(({ fromNs }) => fromNs / MS);
    expect(starts.sort((a, b) => a - b)).toEqual([0, 1000, 2000, 3000, 4000]);
    expect(stretches(SDB).map(({ fromNs }) => fromNs / MS)).toEqual([2000, 3000, 4000]);
  });

  it('how long disks were busy is reported from before the first I/O without rows, by the look before it', () => {
    const machine = new Machine();
    machine.reader.look();
    machine.pass(1000, { [SDA]: 0.25 });
    machine.reader.look();
    machine.pass(100, { [SDA]: 1 });
    machine.reader.tookCounts(new Set([SDA]));
    expect(machine.taken(SDA)).toEqual([350, 1100]);
    machine.pass(100, { [SDA]: 0.5 });
    machine.reader.tookCounts(new Set([SDA]));
    expect(machine.taken(SDA)).toEqual([50, 100]);
  });

  it('how long disks were busy is reported once, also while it is idle between two bursts, and no more after two seconds', () => {
    const machine = new Machine();
    machine.reader.look();
    machine.reader.tookCounts(new Set([SDA]));
    for (let second = 0; second < 10; second++) {
      machine.pass(1000, {});
      machine.reader.look();
    }
    expect(machine.taken(SDA)).toEqual([0, 2000]);
    expect(machine.taken(SDA)).toEqual([0, 0]);
  });

  it('how long disks were busy is unknown where the kernel counts none of the I/O, or the trace leaves some out', () => {
    const machine = new Machine();
    machine.comparable = [];
    machine.reader.look();
    machine.pass(1000, { [SDA]: 1 });
    machine.reader.tookCounts(new Set([SDA]));
    expect(machine.taken(SDA)).toEqual([0, 0]);
  });

  it('how long disks were busy is read less often where a reading takes long: for a two-hundredth of the time', () => {
    const machine = new Machine();
    machine.readMs = 4;
    for (let frame = 0; frame < 200; frame++) {
      machine.pass(100, { [SDA]: 1 });
      machine.reader.tookCounts(new Set([SDA]));
    }
    expect(machine.readings * machine.readMs).toBeLessThanOrEqual(machine.nowMs / 200 + 4);
    expect(machine.readings).toBeGreaterThan(15);
  });
});
