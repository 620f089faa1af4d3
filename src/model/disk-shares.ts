import type { DeviceInfo } from './device.ts';
import { unknownDeviceName } from './device.ts';
import type { IdentityTable } from './identity-table.ts';

/** A disk whose size is known. Plain data. */
export interface SizedDisk {
  readonly dev: number;
  /** Raw: sanitised when it is shown. */
  readonly name: string;
  readonly host?: string;
  readonly sizeBytes: number;
}

/**
 * The given disks if their sizes are known and differ, otherwise undefined. On the axis of the largest disk, all I/O of
 * a small one would be in one row of pixels.
 */
export function disksOfDifferentSize(
  disks: readonly Pick<DeviceInfo, 'dev' | 'sizeBytes'>[],
): SizedDisk[] | undefined {
  const sized = sizedDisks(disks);
  const isSame = sized?.every(({ sizeBytes }) => sizeBytes === sized[0]!.sizeBytes) ?? true;
  return isSame ? undefined : sized;
}

/** The given disks with their sizes; undefined unless every size is known. */
export function sizedDisks(
  disks: readonly (Pick<DeviceInfo, 'dev' | 'sizeBytes'> & Partial<DeviceInfo>)[],
): SizedDisk[] | undefined {
  const sized: SizedDisk[] = [];
  for (const { dev, name = unknownDeviceName(dev), host, sizeBytes = 0 } of disks) {
    if (!(sizeBytes > 0)) return undefined;
    sized.push({ dev, name, sizeBytes, ...(host !== undefined && { host }) });
  }
  return sized;
}

/** Offsets as shares of the disk that they are on, from 0 to 1. */
export class DiskShares {
  private bytes = new Float64Array(0);
  private learned = 0;
  private readonly sizes: ReadonlyMap<number, number>;

  constructor(
    readonly disks: readonly SizedDisk[],
    private readonly identities: Pick<IdentityTable, 'get' | 'size'>,
  ) {
    this.sizes = new Map(disks.map(({ dev, sizeBytes }) => [dev, sizeBytes]));
  }

  /** The size of each identity's disk in bytes; NaN for identities of other disks. */
  get bytesOf(): Float64Array {
    const { size } = this.identities;
    if (size > this.bytes.length) {
      const grown = new Float64Array(Math.max(size, 2 * this.bytes.length)).fill(NaN);
      grown.set(this.bytes);
      this.bytes = grown;
    }
    for (; this.learned < size; this.learned++) {
      const { dev } = this.identities.get(this.learned);
      this.bytes[this.learned] = this.sizes.get(dev) ?? NaN;
    }
    return this.bytes;
  }
}
