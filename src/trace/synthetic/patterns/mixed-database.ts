import { NS_PER_SECOND } from '../../../base/time.ts';
import { packDevice } from '../../../model/device.ts';
import { Op, RequestFlag } from '../../../model/operation.ts';
import { around } from '../distribution.ts';
import type { FillSlot, Slot } from '../slot-rows.ts';
import type { Stage } from '../stage.ts';
import { extent, fillBurst, fillCloud, fillRun } from '../streams.ts';
import type { Extent, Run, Stream, WindowedStream } from '../streams.ts';
import {
  ALWAYS,
  BLOCK_WORKER,
  everySeconds,
  FLUSHER,
  JAVA,
  JOURNAL,
  MYSQLD,
  MYSQLD_CLEANER,
  MYSQLD_LOG,
} from './mixed-actors.ts';

const SIZE_BYTES = 1e12;
const TABLES = extent(80e9, 420e9);
const REDO_LOG = extent(40e9, 8e9);
const SEARCH_INDEX = extent(620e9, 120e9);
const JOURNAL_AREA = extent(1e9, 1e9);
const WRITTEN_BACK = extent(760e9, 60e9);
const queueNs = around(2e3, 0.2);

/** Flash under a busy database: fast and steady, with varying load and short bursts of writeback. */
export function databaseDisk(stage: Stage): FillSlot {
  const dev = stage.addDisk({
    dev: packDevice(259, 0),
    name: 'nvme0n1',
    sizeBytes: SIZE_BYTES,
    rotational: false,
    scheduler: 'none',
    model: 'Samsung SSD 980 PRO 1TB',
  });
  const clouds = steadyClouds(stage, dev);
  const redoLog = redoLogWrites(stage, dev);
  const bursts = writeback(stage, dev);
  return (slot) => {
    const rate = loadWave(slot);
    for (const cloud of clouds) fillCloud(slot, cloud, { rate });
    fillRun(slot, redoLog);
    for (const burst of bursts) fillBurst(slot, burst);
  };
}

/** The load varies by a third over a little more than a minute. */
function loadWave(slot: Slot): number {
  return 1 + 0.33 * Math.sin((slot.startNs / NS_PER_SECOND / 70) * 2 * Math.PI);
}

function steadyClouds(stage: Stage, dev: number): readonly Stream[] {
  const reads = (perSecond: number, bytes: number, medianNs: number, where: Extent) => ({
    perSecond,
    bytes,
    deviceNs: around(medianNs, 0.16),
    queueNs,
    extent: where,
  });
  return [
    { identity: stage.identity(dev, MYSQLD, Op.read), ...reads(1100, 16384, 84e3, TABLES) },
    { identity: stage.identity(dev, JAVA, Op.read), ...reads(220, 32768, 101e3, SEARCH_INDEX) },
    {
      identity: stage.identity(dev, JAVA, Op.read | RequestFlag.readAhead),
      ...reads(40, 131072, 170e3, SEARCH_INDEX),
    },
    {
      identity: stage.identity(dev, MYSQLD_CLEANER, Op.write),
      perSecond: 260,
      bytes: 16384,
      deviceNs: around(38e3, 0.2),
      queueNs,
      extent: TABLES,
    },
    {
      identity: stage.identity(dev, BLOCK_WORKER, Op.flush | RequestFlag.preflush),
      perSecond: 55,
      bytes: 0,
      deviceNs: around(420e3, 0.18),
      queueNs,
    },
  ];
}

function redoLogWrites(stage: Stage, dev: number): Run {
  return {
    identity: stage.identity(dev, MYSQLD_LOG, Op.write | RequestFlag.sync),
    perSecond: 210,
    bytes: 4096,
    deviceNs: around(23e3, 0.15),
    queueNs,
    extent: REDO_LOG,
    window: ALWAYS,
  };
}

function writeback(stage: Stage, dev: number): readonly WindowedStream[] {
  const shared = { deviceNs: around(130e3, 0.25), queueNs };
  return [
    {
      identity: stage.identity(dev, FLUSHER, Op.write | RequestFlag.background),
      perSecond: 1500,
      bytes: 65536,
      extent: WRITTEN_BACK,
      window: everySeconds(5, 1, 0.3),
      ...shared,
    },
    {
      identity: stage.identity(dev, JOURNAL, Op.write | RequestFlag.sync | RequestFlag.meta),
      perSecond: 120,
      bytes: 12288,
      extent: JOURNAL_AREA,
      window: everySeconds(5, 1.3, 0.1),
      ...shared,
    },
  ];
}
