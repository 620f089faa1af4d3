import { SECTOR_BYTES } from '../../../model/completion-columns.ts';
import { NS_PER_SECOND } from '../../../base/time.ts';
import { Op } from '../../../model/operation.ts';
import type { Random } from '../random.ts';
import { around } from '../distribution.ts';
import type { FillSlot, Slot } from '../slot-rows.ts';
import { addEnclosure } from '../stage.ts';
import type { Stage } from '../stage.ts';

const PTERODACTYL_DISKS = 48;
const SECONDS_PER_DISK = 2;
/** All disks added, then a pause before the next run. */
const PTERODACTYL_CYCLE_SECONDS = 120;
const RUN_SECONDS = PTERODACTYL_DISKS * SECONDS_PER_DISK;
const READ_BYTES = 128 * 1024;
const SECTORS = READ_BYTES / SECTOR_BYTES;
/** Rate of a disk's reads without contention; keeps sectors rising from slot to slot. */
const FASTEST_PER_SECOND = 1000;

/** Sequential 128 KiB reads, one more disk every two seconds, until the buses are full. */
export function pterodactyl(stage: Stage): FillSlot {
  const disks = addEnclosure(stage, PTERODACTYL_DISKS, 'ST31000NSSUN1.0T');
  const identities = disks.map((dev, index) =>
    stage.identity(dev, { comm: 'dd', tgid: 7001 + index }, Op.read),
  );
  const queueNs = around(5e3, 0.2);
  return (slot) => {
    const active = activeDisks(slot.startNs / NS_PER_SECOND);
    for (let disk = 0; disk < active; disk++) {
      fillDisk(slot, identities[disk]!, active, queueNs.sample(slot.random));
    }
  };
}

/** Number of active disks; 0 in the pause. */
export function activeDisks(seconds: number): number {
  const inRun = seconds % PTERODACTYL_CYCLE_SECONDS;
  return inRun < RUN_SECONDS ? 1 + Math.floor(inRun / SECONDS_PER_DISK) : 0;
}

function fillDisk(slot: Slot, identity: number, active: number, queueNs: number): void {
  const { random, rows } = slot;
  const spanNs = slot.endNs - slot.startNs;
  const perSecond = NS_PER_SECOND / typicalNs(active);
  const count = random.count((perSecond * slot.load * spanNs) / NS_PER_SECOND);
  const inRun = (slot.startNs / NS_PER_SECOND) % PTERODACTYL_CYCLE_SECONDS;
  const base = Math.floor(inRun * FASTEST_PER_SECOND * slot.load) * SECTORS;
  for (let i = 0; i < count; i++) {
    const completeNs = slot.startNs + ((i + random.next()) * spanNs) / count;
    const deviceNs = latencyNs(active, random);
    rows.push(completeNs, queueNs, deviceNs, base + i * SECTORS, READ_BYTES, identity);
  }
}

/** Median of `latencyNs`, which sets the rate of a disk with one request at a time. */
function typicalNs(active: number): number {
  if (active <= 8) return 1.4e6;
  if (active <= 12) return headNs(active);
  if (active <= 14) return NECK_NS;
  return active <= 20 ? wingNs(active) : tailNs(active);
}

function latencyNs(active: number, random: Random): number {
  if (active <= 8) return beakNs(active, random);
  if (active <= 12) return headNs(active) * humped(0.45, random);
  if (active <= 14) return NECK_NS * humped(0.2, random);
  if (active <= 20) return wingNs(active) * humped(0.35, random);
  return tailNs(active) * humped(0.35 + (active - 20) * 0.01, random);
}

const NECK_NS = 1.2e6;

/** A factor around 1, at most `reach` away, and rarely near the limits. */
function humped(reach: number, random: Random): number {
  return 1 + reach * (random.next() + random.next() + random.next() - 1.5) * (2 / 3);
}

/** Two lines that converge: hits and misses of the disks' own read-ahead. */
function beakNs(active: number, random: Random): number {
  const misses = random.next() < 0.4;
  const level = misses ? 2.3e6 - active * 0.09e6 : 0.8e6 + active * 0.04e6;
  return level * humped(0.04, random);
}

/** From the ninth disk on, the ports of the controller are shared: a bulge, then the neck. */
function headNs(active: number): number {
  return active === 10 || active === 11 ? 2e6 : 1.7e6;
}

/** Contention starts at once: the knee point of the throughput. */
function wingNs(active: number): number {
  return active <= 17 ? 2.6e6 + (active - 14) * 0.5e6 : 4.1e6 - (active - 17) * 0.2e6;
}

/** From here on the bus is full: each further disk makes all of them wait longer. */
function tailNs(active: number): number {
  return 3.5e6 + (active - 20) * 0.16e6;
}
