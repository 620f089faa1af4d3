import { SECTOR_BYTES } from '../../../model/completion-columns.ts';
import { packDevice } from '../../../model/device.ts';
import type { Draw, Extent } from '../streams.ts';
import type { Slot } from '../slot-rows.ts';
import { scsiDevice, scsiName } from '../stage.ts';
import type { Actor, Stage } from '../stage.ts';

const SIZE_BYTES = 960e9;
/** What the volume and the block layer add to an I/O. */
const VOLUME_NS = 12e3;

/** A mirror: reads go to one of its disks, writes to both. */
export interface Mirror {
  readonly volume: number;
  readonly disks: readonly number[];
}

export function addMirror(stage: Stage): Mirror {
  const disks = [0, 1].map((index) =>
    stage.addDisk({
      dev: scsiDevice(index),
      name: scsiName(index),
      sizeBytes: SIZE_BYTES,
      rotational: false,
      scheduler: 'mq-deadline',
      model: 'SAMSUNG MZ7LH960',
      volumes: ['vg0-data'],
    }),
  );
  const volume = stage.addVolume({
    dev: packDevice(253, 0),
    name: 'vg0-data',
    kernelName: 'dm-0',
    sizeBytes: SIZE_BYTES,
    mounts: ['/srv', '/var'],
    liesOn: disks.map((_, index) => scsiName(index)),
  });
  return { volume, disks };
}

/** The identities of an I/O of the mirror, in all layers. */
export interface MirrorIdentities {
  readonly volume: number;
  readonly disks: readonly number[];
}

export function mirrorIdentities(
  stage: Stage,
  mirror: Mirror,
  actor: Actor,
  cmdFlags: number,
): MirrorIdentities {
  return {
    volume: stage.identity(mirror.volume, actor, cmdFlags),
    disks: mirror.disks.map((dev) => stage.identity(dev, actor, cmdFlags)),
  };
}

/** How long a disk takes, queue and device. */
export interface DiskTime {
  readonly queueNs: number;
  readonly deviceNs: number;
}

export interface MirrorIo {
  readonly identities: MirrorIdentities;
  readonly completeNs: number;
  readonly extent: Extent | undefined;
  readonly bytes: number;
  readonly file: number;
}

/** Adds a read, which goes to one disk; returns the time that the volume took, in ns. */
export function readMirror(slot: Slot, io: MirrorIo, time: DiskTime): number {
  const { random } = slot;
  return pushIo(slot, io, [[io.identities.disks[random.below(io.identities.disks.length)]!, time]]);
}

/** Adds a write or flush, which goes to each disk; the volume takes as long as the slowest. */
export function writeMirror(slot: Slot, io: MirrorIo, times: readonly DiskTime[]): number {
  return pushIo(
    slot,
    io,
    io.identities.disks.map((identity, i) => [identity, times[i]!]),
  );
}

function pushIo(
  { random, rows, startNs }: Slot,
  { identities, completeNs, extent, bytes, file }: MirrorIo,
  parts: readonly (readonly [identity: number, time: DiskTime])[],
): number {
  const sectors = bytes / SECTOR_BYTES;
  const place = extent && extent.firstSector + random.below(extent.sectors / sectors) * sectors;
  const offset = place === undefined ? NaN : random.below(4096) * bytes;
  const times = parts.map(([, { queueNs, deviceNs }]) => queueNs + deviceNs);
  const slowestNs = Math.max(...times);
  for (const [i, [identity, { queueNs, deviceNs }]] of parts.entries()) {
    const endNs = Math.max(startNs, completeNs - VOLUME_NS - (slowestNs - times[i]!));
    rows.push(endNs, queueNs, deviceNs, place ?? NaN, bytes, identity, file, offset);
  }
  const volumeNs = slowestNs + 2 * VOLUME_NS;
  rows.push(completeNs, 0, volumeNs, place ?? NaN, bytes, identities.volume, file, offset);
  return volumeNs;
}

/** Draws queue and device latency, in ns. */
export function diskTime(slot: Slot, queueNs: Draw, deviceNs: Draw): DiskTime {
  return { queueNs: queueNs.sample(slot.random), deviceNs: deviceNs.sample(slot.random) };
}
