import { Op, RequestFlag } from '../../../model/operation.ts';
import { around } from '../distribution.ts';
import type { FillSlot } from '../slot-rows.ts';
import { scsiDevice } from '../stage.ts';
import type { Stage } from '../stage.ts';
import { extent, fillBurst, fillCloud, fillRun, sinceOpened } from '../streams.ts';
import type { Run, Stream, WindowedStream } from '../streams.ts';
import {
  ALWAYS,
  BATCH,
  BLOCK_WORKER,
  everySeconds,
  FILES_FLUSHER,
  POSTGRES,
  RSYNC_READER,
} from './mixed-actors.ts';

const SIZE_BYTES = 4e12;
const FILES = extent(500e9, 2500e9);
const queueNs = around(60e3, 0.35);

/** A rotating disk: fast while it has little to do, slow for everybody while the batch reads it. */
export function filesDisk(stage: Stage): FillSlot {
  const dev = stage.addDisk({
    dev: scsiDevice(0),
    name: 'sda',
    sizeBytes: SIZE_BYTES,
    rotational: true,
    scheduler: 'mq-deadline',
    model: 'ST4000NM0035-1V4',
  });
  const queries = POSTGRES.map((actor) => queryReads(stage.identity(dev, actor, Op.read)));
  const log = logWrites(stage.identity(dev, POSTGRES[0]!, Op.write | RequestFlag.sync));
  const flushes = logFlushes(stage.identity(dev, BLOCK_WORKER, Op.flush | RequestFlag.preflush));
  const batch = batchReads(stage.identity(dev, RSYNC_READER, Op.read | RequestFlag.readAhead));
  const burst = writeback(stage.identity(dev, FILES_FLUSHER, Op.write | RequestFlag.background));
  return (slot) => {
    const slowdown = sinceOpened(BATCH, slot.startNs) === undefined ? 1 : 4;
    for (const query of queries) fillCloud(slot, query, { slowdown });
    fillCloud(slot, flushes, { slowdown });
    fillRun(slot, log);
    fillRun(slot, batch);
    fillBurst(slot, burst);
  };
}

function queryReads(identity: number): Stream {
  return {
    identity,
    perSecond: 11,
    bytes: 8192,
    deviceNs: around(6.5e6, 0.14),
    queueNs,
    extent: FILES,
  };
}

function logWrites(identity: number): Run {
  return {
    identity,
    perSecond: 14,
    bytes: 8192,
    deviceNs: around(0.7e6, 0.2),
    queueNs,
    extent: extent(200e9, 16e9),
    window: ALWAYS,
  };
}

function logFlushes(identity: number): Stream {
  return { identity, perSecond: 7, bytes: 0, deviceNs: around(9e6, 0.12), queueNs };
}

/** Reads a directory tree from front to back, at 110 MB/s. */
function batchReads(identity: number): Run {
  return {
    identity,
    perSecond: 210,
    bytes: 524288,
    deviceNs: around(3.6e6, 0.16),
    queueNs: around(0.5e6, 0.3),
    extent: extent(1000e9, 400e9),
    window: BATCH,
  };
}

function writeback(identity: number): WindowedStream {
  return {
    identity,
    perSecond: 160,
    bytes: 131072,
    deviceNs: around(5e6, 0.2),
    queueNs,
    extent: FILES,
    window: everySeconds(5, 3, 0.6),
  };
}
