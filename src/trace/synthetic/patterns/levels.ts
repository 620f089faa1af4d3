import { NS_PER_SECOND } from '../../../base/time.ts';
import { Op } from '../../../model/operation.ts';
import { around, mixture } from '../distribution.ts';
import type { Mixture } from '../distribution.ts';
import type { FillSlot } from '../slot-rows.ts';
import { addEnclosure } from '../stage.ts';
import type { Stage } from '../stage.ts';
import { extent, fillCloud } from '../streams.ts';

const DISKS = 24;
const SECONDS_PER_DISK = 4;
const LEVELS_CYCLE_SECONDS = 120;
const SAME_BYTES = 128 * 1024;

/** Share and latency of each level, from this number of disks on. */
const STAGES: readonly { fromDisks: number; levels: readonly (readonly [number, number])[] }[] = [
  { fromDisks: 1, levels: [[1, 0.3e6]] },
  {
    fromDisks: 9,
    levels: [
      [0.7, 0.3e6],
      [0.3, 0.6e6],
    ],
  },
  {
    fromDisks: 14,
    levels: [
      [0.45, 0.3e6],
      [0.3, 0.8e6],
      [0.25, 1.4e6],
    ],
  },
  {
    fromDisks: 19,
    levels: [
      [0.3, 0.3e6],
      [0.2, 0.8e6],
      [0.3, 1.9e6],
      [0.2, 2.8e6],
    ],
  },
];

/** Repeated reads of the same 128 KiB from the disks' own caches, with one more disk every four seconds. */
export function levels(stage: Stage): FillSlot {
  const disks = addEnclosure(stage, DISKS, 'ST31000NSSUN1.0T');
  const identities = disks.map((dev, index) =>
    stage.identity(dev, { comm: 'dd', tgid: 7001 + index }, Op.read),
  );
  const queueNs = around(5e3, 0.2);
  const stages = STAGES.map(({ fromDisks, levels: parts }) => ({
    fromDisks,
    deviceNs: sum(parts),
  }));
  return (slot) => {
    const active = activeDisks(slot.startNs / NS_PER_SECOND);
    const deviceNs = stages.findLast(({ fromDisks }) => fromDisks <= active)!.deviceNs;
    for (const identity of identities.slice(0, active)) {
      const place = extent(64e9, SAME_BYTES);
      fillCloud(slot, {
        identity,
        perSecond: 200,
        deviceNs,
        queueNs,
        bytes: SAME_BYTES,
        extent: place,
      });
    }
  };
}

function activeDisks(seconds: number): number {
  return Math.min(DISKS, 1 + Math.floor((seconds % LEVELS_CYCLE_SECONDS) / SECONDS_PER_DISK));
}

function sum(parts: readonly (readonly [number, number])[]): Mixture {
  return mixture(parts.map(([share, levelNs]) => [share, around(levelNs, 0.008)] as const));
}
