import { execFileSync } from 'node:child_process';
import { closeSync, readSync } from 'node:fs';
import koffi from 'koffi';
import { possibleCpus } from '../../src/kernel/machine/cpus.ts';
import { deviceMajor, deviceMinor } from '../../src/model/device.ts';
import { ioctl, SystemError } from './system.ts';

const libc = koffi.load(null);
const perfEventOpen = libc.func(
  'long syscall(long number, void *attributes, long pid, long cpu, long group, long flags)',
) as unknown as (
  number: number,
  attributes: Uint8Array,
  pid: number,
  cpu: number,
  group: number,
  flags: number,
) => number;

const PERF_EVENT_OPEN = process.arch === 'arm64' ? 241 : 298;
const PERF_TYPE_TRACEPOINT = 2;
const ATTRIBUTE_BYTES = 112;
/** The first flag of the attributes: not before PERF_EVENT_IOC_ENABLE, so that the filter comes first. */
const DISABLED = 1n;
const FLAGS_AT = 40;
const PERF_EVENT_IOC_ENABLE = 0x2400;
const PERF_EVENT_IOC_SET_FILTER = 0x40082406;
/** As the tracepoint's record has it: 20 bits of minor. */
const MINOR_BITS = 20;

/**
 * How often `block_rq_complete` was passed for one disk, counted by perf: another path through the kernel than BPF programs
 * take, and one that skips nothing.
 */
export class PerfCounter {
  private readonly fds: number[] = [];

  static open(dev: number): PerfCounter {
    const counter = new PerfCounter();
    try {
      counter.start(dev);
      return counter;
    } catch (cause) {
      counter.dispose();
      throw cause;
    }
  }

  read(): number {
    const value = Buffer.alloc(8);
    return this.fds.reduce((sum, fd) => {
      readSync(fd, value, 0, 8, null);
      return sum + Number(value.readBigUInt64LE(0));
    }, 0);
  }

  dispose(): void {
    this.fds.splice(0).forEach((fd) => {
      closeSync(fd);
    });
  }

  private start(dev: number): void {
    const number = deviceMajor(dev) * 2 ** MINOR_BITS + deviceMinor(dev);
    const text = Buffer.from(`dev == ${number}\0`);
    const id = eventId();
    for (let cpu = 0; cpu < possibleCpus(); cpu++) {
      const fd = openEvent(id, cpu);
      this.fds.push(fd);
      ioctl('PERF_EVENT_IOC_SET_FILTER', fd, PERF_EVENT_IOC_SET_FILTER, text);
    }
    for (const fd of this.fds) ioctl('PERF_EVENT_IOC_ENABLE', fd, PERF_EVENT_IOC_ENABLE, 0);
  }
}

function openEvent(id: number, cpu: number): number {
  const attributes = Buffer.alloc(ATTRIBUTE_BYTES);
  attributes.writeUInt32LE(PERF_TYPE_TRACEPOINT, 0);
  attributes.writeUInt32LE(ATTRIBUTE_BYTES, 4);
  attributes.writeBigUInt64LE(BigInt(id), 8);
  attributes.writeBigUInt64LE(DISABLED, FLAGS_AT);
  const fd = perfEventOpen(PERF_EVENT_OPEN, attributes, -1, cpu, -1, 0);
  if (fd < 0) throw new SystemError('perf_event_open', koffi.errno());
  return fd;
}

let knownId: number | undefined;

/** tracefs, which tells the number, is mounted for a moment and for nobody else. */
function eventId(): number {
  const script = 'mount -t tracefs none /mnt && cat /mnt/events/block/block_rq_complete/id';
  knownId ??= Number(execFileSync('unshare', ['-m', 'sh', '-c', script], { encoding: 'utf8' }));
  return knownId;
}
