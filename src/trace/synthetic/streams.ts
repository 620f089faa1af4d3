import { NS_PER_SECOND } from '../../base/time.ts';
import type { Random } from './random.ts';
import type { Slot } from './slot-rows.ts';

/** A source of random latencies, in ns. */
export interface Draw {
  sample(random: Random): number;
}

/** A part of a disk. */
export interface Extent {
  readonly firstSector: number;
  readonly sectors: number;
}

export function extent(firstByte: number, bytes: number): Extent {
  return { firstSector: Math.floor(firstByte / 512), sectors: Math.floor(bytes / 512) };
}

/** Properties that all requests of a stream share. */
export interface Stream {
  readonly identity: number;
  readonly perSecond: number;
  readonly deviceNs: Draw;
  readonly queueNs: Draw;
  readonly bytes: number;
  /** Absent for requests without an offset: flushes. */
  readonly extent?: Extent;
}

/**
 * When a stream is active: for `forNs`, first at `fromNs`, then every `everyNs`. All three are multiples of a slot,
 * so a window is open for a whole slot or not at all.
 */
export interface Window {
  readonly everyNs: number;
  readonly fromNs: number;
  readonly forNs: number;
}

export interface WindowedStream extends Stream {
  readonly window: Window;
}

/** A sequential stream: `perSecond` requests, each starting where the last ended. */
export interface Run extends WindowedStream {
  readonly extent: Extent;
}

/** Per-slot multipliers of the stream's figures. */
export interface Variation {
  readonly rate?: number;
  readonly slowdown?: number;
}

/** Independent requests at random places in the extent: a cloud in the offset view. */
export function fillCloud(slot: Slot, stream: Stream, variation: Variation = {}): void {
  const { random, rows } = slot;
  const slowdown = variation.slowdown ?? 1;
  const spanNs = slot.endNs - slot.startNs;
  const rate = stream.perSecond * slot.load * (variation.rate ?? 1);
  const count = random.count((rate * spanNs) / NS_PER_SECOND);
  for (let i = 0; i < count; i++) {
    const completeNs = slot.startNs + random.next() * spanNs;
    const deviceNs = stream.deviceNs.sample(random) * slowdown;
    const queueNs = stream.queueNs.sample(random) * slowdown;
    const sector = anySector(stream, random);
    rows.push(completeNs, queueNs, deviceNs, sector, stream.bytes, stream.identity);
  }
}

/** Sequential requests: a diagonal in the offset view. */
export function fillRun(slot: Slot, run: Run): void {
  const { random, rows } = slot;
  const sinceNs = sinceOpened(run.window, slot.startNs);
  if (sinceNs === undefined) return;
  const perNs = (run.perSecond * slot.load) / NS_PER_SECOND;
  const spanNs = slot.endNs - slot.startNs;
  const first = Math.floor(sinceNs * perNs);
  const end = Math.floor((sinceNs + spanNs) * perNs);
  const stepNs = spanNs / (end - first);
  const sectorsEach = Math.max(1, Math.floor(run.bytes / 512));
  const places = Math.floor(run.extent.sectors / sectorsEach);
  for (let i = first; i < end; i++) {
    const completeNs = slot.startNs + (i - first + random.next()) * stepNs;
    const deviceNs = run.deviceNs.sample(random);
    const queueNs = run.queueNs.sample(random);
    const sector = run.extent.firstSector + (i % places) * sectorsEach;
    rows.push(completeNs, queueNs, deviceNs, sector, run.bytes, run.identity);
  }
}

/**
 * Many requests that are submitted at once and completed one by one while the window lasts: each waits for the
 * earlier ones, so the queue latency rises as a ramp.
 */
export function fillBurst(slot: Slot, burst: WindowedStream): void {
  const { random, rows } = slot;
  const openedNs = sinceOpened(burst.window, slot.startNs);
  if (openedNs === undefined) return;
  const spanNs = slot.endNs - slot.startNs;
  const count = random.count((burst.perSecond * slot.load * spanNs) / NS_PER_SECOND);
  for (let i = 0; i < count; i++) {
    const inSlotNs = random.next() * spanNs;
    const sinceBeginNs = openedNs + inSlotNs;
    const deviceNs = Math.min(burst.deviceNs.sample(random), sinceBeginNs);
    const queueNs = (sinceBeginNs - deviceNs) * (0.9 + 0.1 * random.next());
    const sector = anySector(burst, random);
    rows.push(slot.startNs + inSlotNs, queueNs, deviceNs, sector, burst.bytes, burst.identity);
  }
}

/** Time since the window opened, in ns; undefined while it is closed. */
export function sinceOpened(window: Window, atNs: number): number | undefined {
  const sinceNs = atNs - window.fromNs;
  const inCycleNs = sinceNs % window.everyNs;
  return sinceNs >= 0 && inCycleNs < window.forNs ? inCycleNs : undefined;
}

function anySector(stream: Stream, random: Random): number {
  if (stream.extent === undefined) return NaN;
  const sectorsEach = Math.max(1, Math.floor(stream.bytes / 512));
  const places = Math.floor(stream.extent.sectors / sectorsEach);
  return stream.extent.firstSector + random.below(places) * sectorsEach;
}
