import { packDevice } from '../model/device.ts';
import type { DeviceInfo } from '../model/device.ts';
import { IdentityMark } from '../model/identity-table.ts';
import type { IdentityTable } from '../model/identity-table.ts';

/** Who submits. */
export interface Actor {
  readonly comm: string;
  readonly tgid: number;
  /** Default: the thread with the number of its process. */
  readonly tid?: number;
  /** A kernel thread that works for somebody else. */
  readonly indirect?: boolean;
}

/** Where a pattern puts up its disks and interns its keys, once, before the first slot. */
export class Stage {
  readonly devices = new Map<number, DeviceInfo>();

  constructor(private readonly keys: IdentityTable) {}

  addDisk(disk: DeviceInfo): number {
    this.devices.set(disk.dev, disk);
    return disk.dev;
  }

  /** `error` as `blk_status_t`. */
  key(dev: number, actor: Actor, cmdFlags: number, error = 0): number {
    return this.keys.intern({
      dev,
      cmdFlags,
      tgid: actor.tgid,
      tid: actor.tid ?? actor.tgid,
      comm: actor.comm,
      cgroup: 0,
      error,
      marks: actor.indirect === true ? IdentityMark.indirect : 0,
    });
  }
}

/** Majors 8 and 65 to 71 have 16 SCSI disks of 16 minors each. */
const SCSI_MAJORS = [8, 65, 66, 67, 68, 69, 70, 71] as const;

/** Device number of the n-th SCSI disk, as the kernel gives them out. */
export function scsiDevice(index: number): number {
  const major = SCSI_MAJORS[Math.floor(index / 16)];
  if (major === undefined) throw new RangeError(`no SCSI disk ${index}`);
  return packDevice(major, (index % 16) * 16);
}

/** sda … sdz, sdaa …, as the kernel names them. */
export function scsiName(index: number): string {
  const last = String.fromCharCode(0x61 + (index % 26));
  const first = index < 26 ? '' : String.fromCharCode(0x60 + Math.floor(index / 26));
  return `sd${first}${last}`;
}

/** A row of equal rotating disks, as in a disk enclosure. */
export function addEnclosure(stage: Stage, disks: number, model: string): readonly number[] {
  return Array.from({ length: disks }, (_, index) =>
    stage.addDisk({
      dev: scsiDevice(index),
      name: scsiName(index),
      sizeBytes: 1e12,
      rotational: true,
      scheduler: 'mq-deadline',
      model,
    }),
  );
}
