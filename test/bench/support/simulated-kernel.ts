import { closeSync, ftruncateSync, mkdtempSync, openSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { inWords } from '../../../src/kernel/abi/in-words.ts';
import {
  Control,
  Counters,
  Detail,
  Dimension,
  Extent,
  Inflight,
  IoCompletion,
  IoFlag,
  Summary,
  SummaryDevice,
} from '../../../src/kernel/abi/layout.ts';
import { summaryCount } from '../../../src/kernel/attach/trace-sizes.ts';
import type { TraceSizes } from '../../../src/kernel/attach/trace-sizes.ts';
import { EPOCH_NS } from '../../../src/kernel/counts/epochs.ts';
import { mapMemory, PAGE_BYTES, wholePages } from '../../../src/kernel/native/mapping.ts';
import type { Mapping } from '../../../src/kernel/native/mapping.ts';
import { packDevice } from '../../../src/model/device.ts';
import { OP_CLASSES } from '../../../src/model/operation.ts';
import { SeededRandom } from '../../random.ts';
import { IoPool, OFFSET_SHIFT, OWNERS, RECORD_WORDS } from './io-pool.ts';
import type { PoolClass } from './io-pool.ts';
import { must } from '../../must.ts';

/** No machine has disks of this number, so nothing that the kernel counts is compared with them. */
const MAJOR = 511;
const MOST_DISKS = 8;

export function simulatedDev(disk: number): number {
  return packDevice(MAJOR, disk);
}

export const MAPS = ['ring', 'inflight', 'extents', 'summaries', 'counters', 'control'] as const;
export type MapName = (typeof MAPS)[number];

const IO = inWords(IoCompletion.offsets);
const HEADER_WORDS = 2;
const RECORD_BYTES = IoCompletion.bytes + 4 * HEADER_WORDS;
const SUM = Summary.offsets;
const COUNTER_WORDS = Counters.bytes / 8;
const HIGH_WORD = 2 ** 32;
export interface SimulatedSizes extends TraceSizes {
  readonly cpus: number;
  /** At most `MOST_DISKS`. */
  readonly disks: number;
}

interface Moment {
  readonly disk: number;
  readonly cpu: number;
  readonly nowNs: number;
}

/**
 * The kernel's side of a trace without a kernel: the maps as files in memory, and I/O that completes at any rate. It is
 * delivered, drawn and counted as bpf/detail.bpf.h, bpf/complete.bpf.h and bpf/summary.bpf.h do it, by what the reader
 * writes into the control map; only an owner's first I/O of a second is not delivered for that reason.
 */
export class SimulatedKernel {
  readonly folder = mkdtempSync('/dev/shm/ioheat-scale-');
  /** I/Os that have completed, all and by owner. */
  completed = 0;
  readonly owned = new Float64Array(OWNERS);
  private readonly maps: Readonly<Record<MapName, Mapping>>;
  private readonly pools: readonly IoPool[];
  private readonly random = new SeededRandom(1);
  private readonly isDelivered: Uint8Array;
  private readonly ring: Uint32Array;
  private readonly ends: BigUint64Array;
  private readonly counters: BigUint64Array;
  private readonly control: Uint32Array;
  private produced = 0;
  private round = 0;

  constructor(readonly sizes: SimulatedSizes) {
    const { ringBytes, slots, devices, stripes, cpus } = sizes;
    const summaries = summaryCount({ devices, stripes });
    const bytes: Record<MapName, number> = {
      // The page after the data takes the rest of a record that crosses its end, as the kernel's second copy does.
      ring: 3 * PAGE_BYTES + ringBytes,
      inflight: slots * Inflight.bytes,
      extents: slots * Extent.bytes,
      summaries: summaries * Summary.bytes,
      counters: cpus * Counters.bytes,
      control: Control.bytes,
    };
    const entries = MAPS.map((name) => [name, this.create(name, bytes[name])] as const);
    this.maps = Object.fromEntries(entries) as Record<MapName, Mapping>;
    this.pools = [...Array(MOST_DISKS).keys()].map(
      (seed) => new IoPool(simulatedDev(seed % sizes.disks), seed),
    );
    this.isDelivered = new Uint8Array(this.pools[0]!.size);
    this.ring = new Uint32Array(this.maps.ring.buffer, 2 * PAGE_BYTES);
    this.ends = new BigUint64Array(this.maps.ring.buffer, 0, (2 * PAGE_BYTES) / 8);
    this.counters = new BigUint64Array(this.maps.counters.buffer);
    this.control = new Uint32Array(this.maps.control.buffer);
    for (let disk = 0; disk < sizes.disks; disk++) {
      const entry = (Control.offsets.devices + disk * SummaryDevice.bytes) / 4;
      this.control[entry + SummaryDevice.offsets.dev / 4] = simulatedDev(disk);
      this.control[entry + SummaryDevice.offsets.offsetShift / 4] = OFFSET_SHIFT;
    }
  }

  private create(name: MapName, bytes: number): Mapping {
    const fd = openSync(join(this.folder, name), 'wx+');
    ftruncateSync(fd, wholePages(bytes));
    const mapping = mapMemory({ fd, bytes: wholePages(bytes), writable: true });
    closeSync(fd);
    return must(mapping);
  }

  /** I/Os that complete together. */
  get atOnce(): number {
    return this.pools[0]!.size;
  }

  /** All I/Os of a pool complete now, on one processor. */
  complete(): void {
    const { disks, cpus } = this.sizes;
    const pool = this.pools[this.round % MOST_DISKS]!;
    const disk = (this.round % MOST_DISKS) % disks;
    // Not in step with the pools: each processor has I/O of each disk.
    const cpu = Math.floor(this.random.next() * cpus);
    this.round++;
    const nowNs = Number(process.hrtime.bigint());
    const given = this.deliver(pool, nowNs);
    const at = { disk, cpu, nowNs };
    for (const one of pool.classes) this.count(pool, one, given, at);
    this.add(cpu, 'completed', pool.size);
    this.add(cpu, 'delivered', given.length);
    this.add(cpu, 'leftOut', pool.size - given.length);
    // After the summary: whoever sees this number can read all that it counts.
    this.add(cpu, 'summarised', pool.size - given.length);
    for (const io of given) this.isDelivered[io] = 0;
    this.completed += pool.size;
    for (let owner = 0; owner < OWNERS; owner++) this.owned[owner]! += pool.owned[owner]!;
  }

  private add(cpu: number, name: keyof typeof Counters.offsets, count: number): void {
    const at = cpu * COUNTER_WORDS + Counters.offsets[name] / 8;
    Atomics.add(this.counters, at, BigInt(count));
  }

  /** The slow ones and a sample, as far as the ring has room. */
  private deliver(pool: IoPool, nowNs: number): number[] {
    const { detail } = Control.offsets;
    const chance = this.control[(detail + Detail.offsets.chance) / 4]! / HIGH_WORD;
    const slowNs = chance === 0 ? 0 : this.longOf(detail + Detail.offsets.slowNs);
    const freeFrom = Number(Atomics.load(this.ends, 0));
    const room = Math.floor((this.sizes.ringBytes - (this.produced - freeFrom)) / RECORD_BYTES);
    const given: number[] = [];
    const give = (io: number, flags: number): void => {
      if (given.length === room) return;
      this.write(pool, io, nowNs + given.length, flags);
      this.isDelivered[io] = 1;
      given.push(io);
    };
    let at = 0;
    for (; at < pool.size && pool.totalNs(pool.slowest[at]!) >= slowNs; at++)
      give(pool.slowest[at]!, 0);
    for (at += this.skipped(chance); at < pool.size; at += 1 + this.skipped(chance))
      give(pool.slowest[at]!, IoFlag.sampled);
    Atomics.store(this.ends, PAGE_BYTES / 8, BigInt(this.produced));
    return given;
  }

  /** How many are left out until the next one is drawn. */
  private skipped(chance: number): number {
    if (chance === 0) return Infinity;
    return Math.floor(Math.log(1 - this.random.next()) / Math.log(1 - chance));
  }

  private longOf(byte: number): number {
    return this.control[byte / 4]! + this.control[byte / 4 + 1]! * HIGH_WORD;
  }

  private write(pool: IoPool, io: number, atNs: number, flags: number): void {
    const { ring } = this;
    const header = (this.produced % this.sizes.ringBytes) / 4;
    const at = header + HEADER_WORDS;
    ring.set(pool.records.subarray(io * RECORD_WORDS, (io + 1) * RECORD_WORDS), at);
    ring[at + IO.completeNs] = atNs % HIGH_WORD;
    ring[at + IO.completeNs + 1] = atNs / HIGH_WORD;
    ring[at + IO.fileOffset] = ring[at + IO.fileOffset + 1] = 0xffff_ffff;
    ring[at + IO.flags] = flags << 16;
    ring[header] = IoCompletion.bytes;
    this.produced += RECORD_BYTES;
  }

  /** Those that were not delivered, in the summary of their class. */
  private count(
    pool: IoPool,
    { opClass, count, sums, bins, slowest }: PoolClass,
    given: readonly number[],
    at: Moment,
  ): void {
    const own = given.filter((io) => pool.opClassOf(io) === opClass);
    const { words, longs } = this.summary(opClass, at);
    const grow = (offset: number, by: number): unknown =>
      Atomics.add(longs, offset / 8, BigInt(by));
    const largest = (values: Float64Array, order: readonly number[]): bigint =>
      BigInt(values[order.find((io) => this.isDelivered[io] === 0) ?? 0]!);
    const epoch = BigInt(Math.floor(at.nowNs / EPOCH_NS));
    const isNew = longs[SUM.maxEpoch / 8] !== epoch;
    const raise = (offset: number, to: bigint): void => {
      if (isNew || to > longs[offset / 8]!) longs[offset / 8] = to;
    };
    const less = pool.sumsOf(own);
    grow(SUM.begun, count - own.length);
    raise(SUM.maxDeviceNs, largest(pool.deviceNs, slowest.device));
    raise(SUM.maxQueueNs, largest(pool.queueNs, slowest.queue));
    longs[SUM.maxEpoch / 8] = epoch;
    grow(SUM.bytes, sums.bytes - less.bytes);
    grow(SUM.deviceNs, sums.deviceNs - less.deviceNs);
    grow(SUM.queueNs, sums.queueNs - less.queueNs);
    for (let i = 0; i < bins.length; i += 2) words[bins[i]!]! += bins[i + 1]!;
    for (const io of own) for (const word of pool.binWords(io)) words[word]! -= 1;
    grow(SUM.count, count - own.length);
  }

  private summary(
    opClass: number,
    { disk, cpu, nowNs }: Moment,
  ): { readonly words: Uint32Array; readonly longs: BigUint64Array } {
    const { stripes } = this.sizes;
    const epoch = Math.floor(nowNs / EPOCH_NS) % Dimension.epochs;
    const cell = (disk * OP_CLASSES.length + opClass) * Dimension.epochs + epoch;
    const index = cell * stripes + (cpu & (stripes - 1));
    const { buffer } = this.maps.summaries;
    const at = index * Summary.bytes;
    return {
      words: new Uint32Array(buffer, at, Summary.bytes / 4),
      longs: new BigUint64Array(buffer, at, SUM.device / 8),
    };
  }

  dispose(): void {
    for (const name of MAPS) this.maps[name].dispose();
    rmSync(this.folder, { recursive: true });
  }
}
