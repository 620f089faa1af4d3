import { NS_PER_SECOND } from '../../../base/time.ts';
import { Op, RequestFlag } from '../../../model/operation.ts';
import { around } from '../distribution.ts';
import type { FillSlot, Slot } from '../slot-rows.ts';
import { addEnclosure } from '../stage.ts';
import type { Stage } from '../stage.ts';
import { extent, fillRun, sinceOpened } from '../streams.ts';
import type { Run, Window } from '../streams.ts';

const DISKS = 12;
const WRITES_PER_SECOND = 8000;
const WRITE_BYTES = 128 * 1024;
const CYCLE_NS = 60 * NS_PER_SECOND;
/** Writes that a shout delays: as many as are in the queues of the nearest disks. */
const HELD_PER_SECOND = 120;

/** When the delayed writes complete after each shout: within one and a half seconds. */
const SHOUTS: readonly Window[] = [20, 34].map((second) => ({
  everyNs: CYCLE_NS,
  fromNs: second * NS_PER_SECOND,
  forNs: 1.5 * NS_PER_SECOND,
}));

/** Streaming writes to a shelf of disks, with a shout next to it twice a minute. */
export function shouting(stage: Stage): FillSlot {
  const disks = addEnclosure(stage, DISKS, 'HUA721010KLA330');
  const actor = { comm: 'dd', tgid: 3120 };
  const runs = disks.map((dev) =>
    streamingWrites(stage.identity(dev, actor, Op.write | RequestFlag.sync)),
  );
  return (slot) => {
    for (const run of runs) fillRun(slot, run);
    for (const shout of SHOUTS) fillShout(slot, shout, runs);
  };
}

function streamingWrites(identity: number): Run {
  return {
    identity,
    perSecond: WRITES_PER_SECOND / DISKS,
    deviceNs: around(450e3, 0.14),
    queueNs: around(12e3, 0.25),
    bytes: WRITE_BYTES,
    extent: extent(0, 1e12),
    window: { everyNs: 10 * CYCLE_NS, fromNs: 0, forNs: 10 * CYCLE_NS },
  };
}

/** All delayed writes were at the device when the shout came, so their latencies rise with time. */
function fillShout(slot: Slot, shout: Window, runs: readonly Run[]): void {
  const { random, rows } = slot;
  const sinceNs = sinceOpened(shout, slot.startNs);
  if (sinceNs === undefined) return;
  const spanNs = slot.endNs - slot.startNs;
  const count = random.count((HELD_PER_SECOND * slot.load * spanNs) / NS_PER_SECOND);
  for (let i = 0; i < count; i++) {
    const inSlotNs = random.next() * spanNs;
    const run = runs[random.below(runs.length / 2)]!;
    const sector = run.extent.firstSector + random.below(1e6) * 256;
    rows.push(slot.startNs + inSlotNs, 12e3, sinceNs + inSlotNs, sector, run.bytes, run.identity);
  }
}
