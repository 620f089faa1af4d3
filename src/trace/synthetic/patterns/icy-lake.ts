import { NS_PER_SECOND } from '../../../base/time.ts';
import { Op, RequestFlag } from '../../../model/operation.ts';
import { around } from '../distribution.ts';
import type { FillSlot } from '../slot-rows.ts';
import { addEnclosure } from '../stage.ts';
import type { Stage } from '../stage.ts';
import { extent, fillRun } from '../streams.ts';
import type { Draw, Run } from '../streams.ts';

const DISKS = 6;
/** One rotation of a disk at 7,200 revolutions per minute. */
const TURN_NS = 8.33e6;
const SHORTEST_NS = 0.6e6;
const WRITES_PER_SECOND = 216;

/**
 * One thread writes synchronously, each write to the next disk of the stripe. While it waits for one disk, the
 * others keep rotating, so the time that one disk gains another loses: lines that rise and fall in pairs.
 */
export function icyLake(stage: Stage): FillSlot {
  const disks = addEnclosure(stage, DISKS, 'ST31000NSSUN1.0T');
  const queueNs = around(8e3, 0.2);
  const scatter = around(1, 0.006);
  const lines = disks.map((dev, index) => ({
    identity: stage.identity(dev, { comm: 'nfsd', tgid: 1811 }, Op.write | RequestFlag.sync),
    index,
  }));
  return (slot) => {
    for (const { identity, index } of lines) {
      const levelNs = lineNs(index, slot.startNs / NS_PER_SECOND);
      fillRun(slot, logWrites(identity, queueNs, scaled(scatter, levelNs)));
    }
  };
}

function logWrites(identity: number, queueNs: Draw, deviceNs: Draw): Run {
  return {
    identity,
    perSecond: WRITES_PER_SECOND / DISKS,
    deviceNs,
    queueNs,
    bytes: 8192,
    extent: extent(100e9, 100e9),
    window: { everyNs: 3600 * NS_PER_SECOND, fromNs: 0, forNs: 3600 * NS_PER_SECOND },
  };
}

/** Latency of one line: a zigzag whose slope itself varies; neighbours mirror each other. */
export function lineNs(index: number, seconds: number): number {
  const pair = Math.floor(index / 2);
  const wander = 0.35 * Math.sin(seconds / (17 + 5 * pair));
  const phase = seconds / (58 + 13 * pair) + wander + 0.31 * pair;
  const zigzag = Math.abs(2 * (phase - Math.floor(phase)) - 1);
  const level = index % 2 === 0 ? zigzag : 1 - zigzag;
  return SHORTEST_NS + level * (TURN_NS - SHORTEST_NS);
}

function scaled(draw: Draw, factor: number): Draw {
  return { sample: (random) => draw.sample(random) * factor };
}
