import { FINE_BINS, fineBin } from '../model/fine-bins.ts';
import type { CompletionColumns } from '../model/completion-columns.ts';
import { ownerIsKnown } from '../model/filter.ts';
import { KeyMark } from '../model/key-table.ts';
import type { CompletionKey, KeyTable } from '../model/key-table.ts';
import { opClassIndex } from '../model/operation.ts';
import { BinPool } from './activity-group.ts';
import { ownerName } from './activity-rows.ts';
import type { BoxRows } from './box-rows.ts';
import { quantile } from './quantile.ts';
import type { BinList } from './slice.ts';

/** Groups with a histogram of their own, 5 KB each; further ones come without a median. */
export const MEASURED_GROUPS = 1024;

/** What a group adds up, in this order; together a cache line. Times in ns. */
const Sum = { count: 0, bytes: 1, waited: 2, errors: 3, measured: 4, min: 5, max: 6 } as const;
const SUMS = 8;

/** The histograms of one report, which is finished before the next one begins. */
const pool = new BinPool();

/** I/Os of one key that are known only in sum; what of them lies in the box. */
export interface EntryPart {
  readonly count: number;
  readonly bytes: number;
  readonly waitedNs: number;
  readonly errors: number;
}

/** Latencies of an entry: bins of `list`, each counted `factor` times, between two values. */
export interface EntryLatencies {
  readonly list: BinList;
  readonly filled: number;
  readonly factor: number;
  readonly minNs: number;
  readonly maxNs: number;
}

/** Who a group is. Its numbers are read with `BoxGroups`. */
export interface GroupFacts {
  readonly owner: CompletionKey;
  readonly opClass: number;
  isIndirect: boolean;
  /** Undefined when there are several, or when it is not known. */
  cgroup: number | undefined;
}

/** Adds up what is in a box, per process, disk and class of operation. */
export class BoxGroups {
  readonly groups: GroupFacts[] = [];
  private readonly keys: KeyTable;
  private readonly indexById = new Map<string, number>();
  /** By key: index of its group + 1, 0 when it has none yet; and whether its I/O failed. */
  private readonly groupOf: Uint32Array;
  private readonly failed: Uint8Array;
  private sums = new Float64Array(16 * SUMS);

  constructor(keys: KeyTable) {
    pool.clear();
    this.keys = keys;
    this.groupOf = new Uint32Array(keys.size);
    this.failed = new Uint8Array(keys.size);
  }

  /** Adds what `BoxRows` has found in a block of `rows`. */
  addRows({ key, bytes }: CompletionColumns, box: BoxRows, found: number): void {
    this.coverKeys(key, box.row, found);
    const { groupOf, failed, sums } = this;
    const { row: rowOf, waitedNs, latencyNs } = box;
    const bins = pool.counts;
    for (let i = 0; i < found; i++) {
      const row = rowOf[i]!;
      const group = groupOf[key[row]!]! - 1;
      const at = group * SUMS;
      sums[at + Sum.count]! += 1;
      sums[at + Sum.bytes]! += bytes[row]!;
      sums[at + Sum.errors]! += failed[key[row]!]!;
      if (waitedNs[i]! > 0) sums[at + Sum.waited]! += waitedNs[i]!;
      const latency = latencyNs[i]!;
      if (!(latency >= 0)) continue;
      sums[at + Sum.measured]! += 1;
      if (latency < sums[at + Sum.min]!) sums[at + Sum.min] = latency;
      if (latency > sums[at + Sum.max]!) sums[at + Sum.max] = latency;
      bins[originOf(group) + fineBin(latency)]! += 1;
    }
  }

  /** Beforehand, because a new group may move the arrays. */
  private coverKeys(key: Uint32Array, rowOf: Uint32Array, found: number): void {
    for (let i = 0; i < found; i++) {
      const index = key[rowOf[i]!]!;
      if (this.groupOf[index] === 0) this.admit(index);
    }
  }

  addEntry(key: number, part: EntryPart, latencies: EntryLatencies | undefined): void {
    if (this.groupOf[key] === 0) this.admit(key);
    const group = this.groupOf[key]! - 1;
    const { sums } = this;
    const at = group * SUMS;
    sums[at + Sum.count]! += part.count;
    sums[at + Sum.bytes]! += part.bytes;
    sums[at + Sum.waited]! += part.waitedNs;
    sums[at + Sum.errors]! += this.failed[key] === 1 ? part.count : part.errors;
    if (latencies !== undefined && latencies.filled > 0) this.addLatencies(group, latencies);
  }

  private addLatencies(group: number, latencies: EntryLatencies): void {
    const { list, filled, factor, minNs, maxNs } = latencies;
    const { sums } = this;
    const at = group * SUMS;
    sums[at + Sum.min] = Math.min(sums[at + Sum.min]!, minNs);
    sums[at + Sum.max] = Math.max(sums[at + Sum.max]!, maxNs);
    const origin = originOf(group);
    for (let i = 0; i < filled; i++) {
      const count = list.counts[i]! * factor;
      pool.counts[origin + list.bins[i]!]! += count;
      sums[at + Sum.measured]! += count;
    }
  }

  private admit(key: number): void {
    const facts = this.keys.get(key);
    const group = this.groupFor(facts);
    this.groupOf[key] = group + 1;
    this.failed[key] = facts.error === 0 ? 0 : 1;
    const known = this.groups[group]!;
    known.isIndirect &&= isIndirect(facts);
    if (known.cgroup !== facts.cgroup) known.cgroup = undefined;
  }

  private groupFor(key: CompletionKey): number {
    const opClass = opClassIndex(key.cmdFlags);
    const id = `${key.dev} ${opClass} ${ownerIsKnown(key) ? key.tgid : ''} ${ownerName(key)}`;
    const known = this.indexById.get(id);
    if (known !== undefined) return known;
    const group = this.groups.length;
    const cgroup = key.cgroup > 0 ? key.cgroup : undefined;
    this.groups.push({ owner: key, opClass, isIndirect: isIndirect(key), cgroup });
    this.indexById.set(id, group);
    this.makeRoom(group);
    return group;
  }

  private makeRoom(group: number): void {
    if (group <= MEASURED_GROUPS) pool.claim();
    if ((group + 1) * SUMS > this.sums.length) {
      const larger = new Float64Array(this.sums.length * 2);
      larger.set(this.sums);
      this.sums = larger;
    }
    this.sums[group * SUMS + Sum.min] = Infinity;
  }

  count(group: number): number {
    return this.sums[group * SUMS + Sum.count]!;
  }

  bytes(group: number): number {
    return this.sums[group * SUMS + Sum.bytes]!;
  }

  waitedNs(group: number): number {
    return this.sums[group * SUMS + Sum.waited]!;
  }

  errors(group: number): number {
    return this.sums[group * SUMS + Sum.errors]!;
  }

  maxNs(group: number): number | undefined {
    const at = group * SUMS;
    return this.sums[at + Sum.measured]! > 0 ? this.sums[at + Sum.max]! : undefined;
  }

  /** Off by at most the width of a fine bin, 6.25 %, and never outside what was seen. */
  quantileNs(group: number, share: number): number | undefined {
    const measured = this.sums[group * SUMS + Sum.measured]!;
    if (measured === 0 || group >= MEASURED_GROUPS) return undefined;
    const min = this.sums[group * SUMS + Sum.min]!;
    const max = this.sums[group * SUMS + Sum.max]!;
    const [from, to] = [fineBin(min), fineBin(max) + 1];
    const value = quantile(pool.counts, group * FINE_BINS, from, to, measured, share);
    return value === undefined ? undefined : Math.max(min, Math.min(max, value));
  }
}

/** Groups without a histogram of their own write into one that nobody reads. */
function originOf(group: number): number {
  return (group < MEASURED_GROUPS ? group : MEASURED_GROUPS) * FINE_BINS;
}

function isIndirect(key: CompletionKey): boolean {
  return (key.marks & KeyMark.indirect) !== 0;
}
