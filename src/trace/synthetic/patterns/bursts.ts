import { NS_PER_SECOND } from '../../../base/time.ts';
import { Op, RequestFlag } from '../../../model/operation.ts';
import { around } from '../distribution.ts';
import type { FillSlot } from '../slot-rows.ts';
import { scsiDevice } from '../stage.ts';
import type { Actor, Stage } from '../stage.ts';
import { extent, fillBurst, fillCloud, sinceOpened } from '../streams.ts';
import type { Stream, WindowedStream } from '../streams.ts';

const SIZE_BYTES = 960e9;
const EVERY_NS = 5 * NS_PER_SECOND;
const FLUSHER: Actor = { comm: 'kworker/u8:2', tgid: 118, indirect: true };
const BLOCK_WORKER: Actor = { comm: 'kworker/1:1H', tgid: 96, indirect: true };

/** Steady reads; every five seconds the kernel writes back dirty pages. */
export function bursts(stage: Stage): FillSlot {
  const dev = stage.addDisk({
    dev: scsiDevice(0),
    name: 'sda',
    sizeBytes: SIZE_BYTES,
    rotational: false,
    scheduler: 'mq-deadline',
    model: 'SAMSUNG MZ7LH960',
  });
  const reads = steadyReads(stage, dev);
  const writeback = flusherWrites(stage, dev);
  const flushes = flushesAfter(stage, dev);
  return (slot) => {
    const busy = sinceOpened(writeback.window, slot.startNs) !== undefined;
    fillCloud(slot, reads, { slowdown: busy ? 1.8 : 1 });
    fillBurst(slot, writeback);
    if (sinceOpened(flushes.window, slot.startNs) !== undefined) fillCloud(slot, flushes);
  };
}

function steadyReads(stage: Stage, dev: number): Stream {
  return {
    identity: stage.identity(dev, { comm: 'java', tgid: 2310 }, Op.read),
    perSecond: 900,
    deviceNs: around(180e3, 0.12),
    queueNs: around(6e3, 0.2),
    bytes: 16384,
    extent: extent(0, SIZE_BYTES),
  };
}

function flusherWrites(stage: Stage, dev: number): WindowedStream {
  return {
    identity: stage.identity(dev, FLUSHER, Op.write | RequestFlag.background),
    perSecond: 1200,
    deviceNs: around(1.2e6, 0.2),
    queueNs: around(1e6, 0.2),
    bytes: 65536,
    extent: extent(200e9, 90e9),
    window: { everyNs: EVERY_NS, fromNs: 2 * NS_PER_SECOND, forNs: 0.6 * NS_PER_SECOND },
  };
}

function flushesAfter(stage: Stage, dev: number): WindowedStream {
  return {
    identity: stage.identity(dev, BLOCK_WORKER, Op.flush | RequestFlag.preflush),
    perSecond: 30,
    deviceNs: around(4e6, 0.15),
    queueNs: around(20e3, 0.2),
    bytes: 0,
    window: { everyNs: EVERY_NS, fromNs: 2.6 * NS_PER_SECOND, forNs: 0.1 * NS_PER_SECOND },
  };
}
