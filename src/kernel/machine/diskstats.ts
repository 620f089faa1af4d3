import { readFileSync, statfsSync } from 'node:fs';
import { isSystemError } from '../../base/system-error.ts';
import { packDevice } from '../../model/device.ts';

/**
 * One line of `/proc/diskstats`: the kernel's own counts, for %util and for comparison. Cumulative since boot (some
 * fields wrap at 2^32), of a disk or a partition. Times in ms. Fields that older kernels lack are 0.
 */
export interface DiskStats {
  readonly dev: number;
  readonly name: string;
  readonly reads: number;
  readonly readSectors: number;
  readonly readMs: number;
  readonly writes: number;
  readonly writtenSectors: number;
  readonly writeMs: number;
  /** A gauge: the current number, not a total. */
  readonly inFlight: number;
  /** Time with at least one request in flight. */
  readonly ioMs: number;
  readonly discards: number;
  readonly discardedSectors: number;
  readonly discardMs: number;
  readonly flushes: number;
  readonly flushMs: number;
}

/** By device number. Fields that an older kernel lacks are 0. */
export function parseDiskstats(text: string): Map<number, DiskStats> {
  const all = new Map<number, DiskStats>();
  for (const line of text.split('\n')) {
    const fields = line.trim().split(/\s+/);
    if (fields.length < 14) continue;
    const [major, minor, name] = fields as [string, string, string];
    const at = (index: number): number => Number(fields[index + 3] ?? 0);
    const dev = packDevice(Number(major), Number(minor));
    all.set(dev, {
      dev,
      name,
      reads: at(0),
      readSectors: at(2),
      readMs: at(3),
      writes: at(4),
      writtenSectors: at(6),
      writeMs: at(7),
      inFlight: at(8),
      ioMs: at(9),
      discards: at(11),
      discardedSectors: at(13),
      discardMs: at(14),
      flushes: at(15),
      flushMs: at(16),
    });
  }
  return all;
}

const DISKSTATS = '/proc/diskstats';

export function readDiskstats(path = DISKSTATS): Map<number, DiskStats> {
  return parseDiskstats(readFileSync(path, 'utf8'));
}

const PROC_MAGIC = 0x9fa0;

/** Empty where they are not the kernel's own: in a container, lxcfs may replace the file by one that counts other things. */
export function readKernelStats(): ReadonlyMap<number, DiskStats> {
  try {
    return statfsSync(DISKSTATS).type === PROC_MAGIC ? readDiskstats() : new Map();
  } catch (cause) {
    if (isSystemError(cause)) return new Map();
    throw cause;
  }
}

/** Several fields are 32 bits wide in the kernel. Where a count falls otherwise, another disk has the number now. */
export function growth(before: number, after: number): number {
  if (after >= before) return after - before;
  const wrapped = after + 2 ** 32 - before;
  return wrapped >= 0 && wrapped < 2 ** 31 ? wrapped : after;
}
