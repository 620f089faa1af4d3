import { callFlags } from '../../model/call.ts';
import type { Call } from '../../model/call.ts';
import type { CgroupNames } from '../../model/cgroup-names.ts';
import { packDevice } from '../../model/device.ts';
import type { DeviceInfo } from '../../model/device.ts';
import type { FileFacts } from '../../model/file.ts';
import { IdentityMark } from '../../model/identity.ts';
import type { Identity } from '../../model/identity.ts';
import type { IdentityTable } from '../../model/identity-table.ts';
import type { Layer } from '../../model/layer.ts';

const ROOT_CGROUP = '/';

/** A process that submits I/O. */
export interface Actor {
  readonly comm: string;
  readonly tgid: number;
  /** Default: the main thread of the process. */
  readonly tid?: number;
  /** The title of its service or container. Kernel threads, and processes without one, are in the root. */
  readonly cgroup?: string;
  /** A kernel thread that works for another process. */
  readonly indirect?: boolean;
  /** The kernel thread that submits what it writes to the page cache. */
  readonly via?: string;
}

/** Where a pattern adds its disks and interns its identities, once, before the first slot. */
export class Stage {
  readonly devices = new Map<number, DeviceInfo>();
  private readonly cgroupTitles: string[] = [];
  private readonly volumes = new Set<number>();
  private inodes = 0;

  constructor(private readonly identities: IdentityTable) {}

  addDisk(disk: DeviceInfo): number {
    this.devices.set(disk.dev, disk);
    return disk.dev;
  }

  /** Adds a device whose I/O is of the layer `volumes`. */
  addVolume(volume: DeviceInfo): number {
    this.volumes.add(volume.dev);
    return this.addDisk(volume);
  }

  /** The number of a file on a file system. */
  file(dev: number, path: string): number {
    return this.fileOf({ kind: 'file', dev, inode: ++this.inodes, generation: 1, path });
  }

  fileOf(file: FileFacts): number {
    return this.identities.files.intern(file);
  }

  get cgroups(): CgroupNames {
    return { name: (id) => this.cgroupTitles[id - 1] };
  }

  /** The id of a cgroup. Ids start at 1, because 0 means that there are no cgroups. */
  private cgroup(title: string): number {
    if (!this.cgroupTitles.includes(title)) this.cgroupTitles.push(title);
    return this.cgroupTitles.indexOf(title) + 1;
  }

  /** The identity of an I/O; `error` is a `blk_status_t`. */
  identity(dev: number, actor: Actor, cmdFlags: number, error = 0): number {
    const layer = this.volumes.has(dev) ? 'volumes' : undefined;
    return this.identities.intern({ ...this.ownerOn(dev, actor), cmdFlags, error, layer });
  }

  /** The identity of a wait in a call; `flags` are those of `Identity.cmdFlags`. */
  waitIdentity(dev: number, actor: Actor, call: Call, flags = 0): number {
    return this.programIdentity(dev, actor, 'waits', callFlags(call) | flags);
  }

  /** The identity of a call; `error` is a negative errno. */
  callIdentity(dev: number, actor: Actor, call: Call, flags = 0, error = 0): number {
    return this.programIdentity(dev, actor, 'calls', callFlags(call) | flags, error);
  }

  private programIdentity(
    dev: number,
    actor: Actor,
    layer: Layer,
    cmdFlags: number,
    error = 0,
  ): number {
    return this.identities.intern({ ...this.ownerOn(dev, actor), cmdFlags, layer, error });
  }

  private ownerOn(dev: number, actor: Actor): Identity {
    const isIndirect = actor.indirect === true || actor.via !== undefined;
    return {
      dev,
      cmdFlags: 0,
      tgid: actor.tgid,
      tid: actor.tid ?? actor.tgid,
      comm: actor.comm,
      cgroup: this.cgroup(actor.cgroup ?? ROOT_CGROUP),
      error: 0,
      marks: isIndirect ? IdentityMark.indirect : 0,
      via: actor.via,
    };
  }
}

/** Each of majors 8 and 65 to 71 has 16 SCSI disks with 16 minors each. */
const SCSI_MAJORS = [8, 65, 66, 67, 68, 69, 70, 71] as const;

/** Device number of the n-th SCSI disk, as the kernel assigns them. */
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

/** Adds identical rotating disks, as in a disk enclosure. */
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
