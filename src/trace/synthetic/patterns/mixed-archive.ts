import { Op, RequestFlag } from '../../../model/operation.ts';
import { around, between } from '../distribution.ts';
import type { FillSlot } from '../slot-rows.ts';
import { scsiDevice } from '../stage.ts';
import type { Stage } from '../stage.ts';
import { extent, fillCloud, fillRun, sinceOpened } from '../streams.ts';
import type { Run, Stream } from '../streams.ts';
import { BATCH, everySeconds, NODE, RSYNC_WRITER } from './mixed-actors.ts';

const SIZE_BYTES = 8e12;
const FILES = extent(0, 5e12);
/** `BLK_STS_MEDIUM`: an unreadable sector. */
const MEDIUM_ERROR = 7;
/** All I/O waits while the disk reorganizes its shingled tracks. */
const STALL = everySeconds(60, 27, 5);
const queueNs = around(90e3, 0.35);

/** A slow, failing disk: long waits once a minute, and an occasional read error. */
export function archiveDisk(stage: Stage): FillSlot {
  const dev = stage.addDisk({
    dev: scsiDevice(1),
    name: 'sdb',
    sizeBytes: SIZE_BYTES,
    rotational: true,
    scheduler: 'mq-deadline',
    model: 'ST8000DM004-2CX1',
  });
  const reads = slowReads(stage.identity(dev, NODE, Op.read));
  const uploads = slowWrites(stage.identity(dev, NODE, Op.write | RequestFlag.sync));
  const failures = failedReads(stage.identity(dev, NODE, Op.read, MEDIUM_ERROR));
  const backup = backupWrites(stage.identity(dev, RSYNC_WRITER, Op.write));
  return (slot) => {
    const stalled = sinceOpened(STALL, slot.startNs) !== undefined;
    const variation = stalled ? { rate: 0.5, slowdown: 28 } : {};
    fillCloud(slot, reads, variation);
    fillCloud(slot, uploads, variation);
    fillCloud(slot, failures);
    if (!stalled) fillRun(slot, backup);
  };
}

function slowReads(identity: number): Stream {
  return {
    identity,
    perSecond: 16,
    bytes: 65536,
    deviceNs: around(15e6, 0.18),
    queueNs,
    extent: FILES,
  };
}

function slowWrites(identity: number): Stream {
  return {
    identity,
    perSecond: 9,
    bytes: 32768,
    deviceNs: around(21e6, 0.2),
    queueNs,
    extent: FILES,
  };
}

/** The disk retries for seconds before it reports an error. */
function failedReads(identity: number): Stream {
  return {
    identity,
    perSecond: 0.08,
    bytes: 4096,
    deviceNs: between(2.4e9, 3.6e9),
    queueNs,
    extent: extent(3e12, 4096 * 64),
  };
}

function backupWrites(identity: number): Run {
  return {
    identity,
    perSecond: 95,
    bytes: 1048576,
    deviceNs: around(8e6, 0.18),
    queueNs: around(2e6, 0.3),
    extent: extent(5.2e12, 2e12),
    window: BATCH,
  };
}
