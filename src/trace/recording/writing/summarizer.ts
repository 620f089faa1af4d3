import type { CompletionColumns } from '../../../model/completion-columns.ts';
import { FINE_BINS, fineBin, OFFSET_BINS } from '../../../model/fine-bins.ts';
import { aggregateIdentity } from '../../../model/folded-identity.ts';
import { IdentityMark } from '../../../model/identity.ts';
import type { IdentityTable } from '../../../model/identity-table.ts';
import type { CompletionSummary } from '../../completion-summary.ts';

/** Length of a summary: a day has 8,640 of them. */
export const SUMMARY_SLICE_NS = 10e9;

/**
 * Number of processes per slice that keep their own aggregate; the I/O of others is aggregated by device and operation.
 */
const MOST_IDENTITIES = 1024;

type Mutable<T> = { -readonly [K in keyof T]: T[K] };
type Sum = Mutable<Required<Omit<CompletionSummary, 'countVariance'>>>;

/**
 * Aggregates I/O by process, device and operation over slices of time, for recordings that run for days. Rows may be
 * late by one slice.
 */
export class Summarizer {
  private readonly slices = new Map<number, Map<number, Sum>>();
  /** By index in the `IdentityTable`: index of the identity that aggregates use for it. */
  private readonly aggregateIdentities = new Map<number, number>();
  private latestNs = -Infinity;

  constructor(
    private readonly identities: IdentityTable,
    private readonly sizeOf: (dev: number) => number | undefined,
    private readonly sliceNs = SUMMARY_SLICE_NS,
  ) {}

  append(rows: CompletionColumns): void {
    for (let row = 0; row < rows.length; row++) {
      const atNs = rows.completeNs[row]!;
      if (atNs > this.latestNs) this.latestNs = atNs;
      this.add(this.sumOf(atNs, rows.identity[row]!), rows, row);
    }
  }

  /** The finished slices, in order; with `hasEnded` all of them, where the last one ends with the trace. */
  *take(hasEnded = false): Generator<CompletionSummary> {
    const { latestNs, sliceNs } = this;
    const overBefore = hasEnded ? Infinity : Math.floor(latestNs / sliceNs) - 1;
    const over = [...this.slices.keys()].filter((slice) => slice < overBefore);
    for (const slice of over.sort((a, b) => a - b)) {
      for (const sum of this.slices.get(slice)!.values())
        yield hasEnded ? { ...sum, endNs: Math.min(sum.endNs, latestNs + 1) } : sum;
      this.slices.delete(slice);
    }
  }

  private sumOf(atNs: number, key: number): Sum {
    const slice = Math.floor(atNs / this.sliceNs);
    let sums = this.slices.get(slice);
    if (sums === undefined) this.slices.set(slice, (sums = new Map<number, Sum>()));
    const wanted = this.aggregateIdentityOf(key);
    const known = sums.get(wanted);
    if (known !== undefined) return known;
    const kept = sums.size < MOST_IDENTITIES ? wanted : this.anonymous(wanted);
    const found = sums.get(kept);
    if (found !== undefined) return found;
    const sum = this.emptySum(slice, kept);
    sums.set(kept, sum);
    return sum;
  }

  private aggregateIdentityOf(key: number): number {
    const known = this.aggregateIdentities.get(key);
    if (known !== undefined) return known;
    const found = this.identities.intern(aggregateIdentity(this.identities.get(key)));
    this.aggregateIdentities.set(key, found);
    return found;
  }

  private anonymous(key: number): number {
    const { dev, cmdFlags, layer } = this.identities.get(key);
    const marks = IdentityMark.noDetail | IdentityMark.ownerUnknown;
    return this.identities.intern({ ...NOBODY, dev, cmdFlags, marks, layer });
  }

  private emptySum(slice: number, key: number): Sum {
    const sectors = (this.sizeOf(this.identities.get(key).dev) ?? UNKNOWN_SIZE_BYTES) / 512;
    return {
      startNs: slice * this.sliceNs,
      endNs: (slice + 1) * this.sliceNs,
      identity: key,
      ...{ count: 0, bytes: 0, errors: 0 },
      ...{ deviceNsSum: 0, queueNsSum: 0, maxDeviceNs: 0, maxQueueNs: 0 },
      device: new Uint32Array(FINE_BINS),
      queue: new Uint32Array(FINE_BINS),
      total: new Uint32Array(FINE_BINS),
      size: new Uint32Array(FINE_BINS),
      offset: new Uint32Array(OFFSET_BINS),
      offsetShift: Math.max(0, Math.ceil(Math.log2(sectors / OFFSET_BINS))),
    };
  }

  private add(sum: Sum, rows: CompletionColumns, row: number): void {
    const deviceNs = rows.deviceNs[row]!;
    const queueNs = rows.queueNs[row]!;
    const bytes = rows.bytes[row]!;
    sum.count++;
    sum.bytes += bytes;
    if (this.identities.get(rows.identity[row]!).error !== 0) sum.errors++;
    sum.size[fineBin(bytes)]!++;
    if (deviceNs >= 0) {
      sum.deviceNsSum += deviceNs;
      sum.maxDeviceNs = Math.max(sum.maxDeviceNs, deviceNs);
      sum.device[fineBin(deviceNs)]!++;
    }
    if (queueNs >= 0) {
      sum.queueNsSum += queueNs;
      sum.maxQueueNs = Math.max(sum.maxQueueNs, queueNs);
      sum.queue[fineBin(queueNs)]!++;
    }
    if (deviceNs + queueNs >= 0) sum.total[fineBin(deviceNs + queueNs)]!++;
    const sector = rows.sector[row]!;
    if (sector >= 0)
      sum.offset[Math.min(OFFSET_BINS - 1, Math.floor(sector / 2 ** sum.offsetShift))]!++;
  }
}

/** 2^40 bytes: for a disk of unknown size, offset bins are 4 GB wide. */
const UNKNOWN_SIZE_BYTES = 2 ** 40;

const NOBODY = { tgid: 0, tid: 0, comm: '', cgroup: 0, error: 0 } as const;
