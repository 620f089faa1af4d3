import type { CompletionColumns } from '../../model/completion-columns.ts';
import { FINE_BINS, fineBin } from '../../model/fine-bins.ts';
import { cgroupOf, IdentityMark, ownerIsKnown } from '../../model/identity-table.ts';
import type { Identity, IdentityTable } from '../../model/identity-table.ts';
import { opClassIndex } from '../../model/operation.ts';
import { ownerName } from '../activity/activity-rows.ts';
import type { BoxRows } from './box-rows.ts';
import { knownSum } from '../../model/add-known.ts';
import { quantile } from '../../model/quantile.ts';
import type { BinList } from '../../history/slices/slice.ts';
import type { Slowest } from '../slowest/slowest.ts';

/** Groups with a histogram of their own, 5 KB each; further ones come without a median. */
export const MEASURED_GROUPS = 1024;

/** What is added up per key, in this order. Times in ns; `max` is −1 until a latency is known. */
const Sum = { count: 0, bytes: 1, waited: 2, max: 3 } as const;
const SUMS = 4;

/** I/Os of one key that are known only in sum; what of them lies in the box. */
export interface EntryPart {
  readonly count: number;
  readonly bytes: number;
  readonly waitedNs: number;
  readonly errors: number;
}

/** Latencies of an entry: the bins of `list`, each counted `factor` times, and the largest. */
export interface EntryLatencies {
  readonly list: BinList;
  readonly filled: number;
  readonly factor: number;
  readonly maxNs: number;
}

/** What is in a box of one process, disk and class of operation. */
export interface BoxGroupSums {
  /** One of its keys: they differ in what makes no difference here. */
  readonly owner: Identity;
  readonly opClass: number;
  isIndirect: boolean;
  /** Undefined when it is not known, or when there are several. */
  cgroup: number | undefined;
  count: number;
  bytes: number;
  waitedNs: number;
  errors: number;
  /** −1 when no latency is known. */
  maxNs: number;
}

/** Adds up what is in a box: per key, and only in the end per group, as there are far more rows. */
export class BoxTally {
  private readonly keys: IdentityTable;
  private readonly isLatency: boolean;
  private readonly sums: Float64Array;
  private readonly summaryErrors: Float64Array;
  /** By key: number of its group + 1; 0 when it has none yet. */
  private readonly ranksByValue: boolean;
  private readonly groupOf: Uint32Array;
  private readonly groups: BoxGroupSums[] = [];
  private readonly indexById = new Map<string, number>();
  private bins: Float64Array = new Float64Array(16 * FINE_BINS);

  /**
   * `isLatency`: the values of the box are latencies, so the groups' are the same ones.
   * `ranksByValue`: the slowest are those of the largest values, else those that waited longest in all.
   */
  constructor(keys: IdentityTable, isLatency: boolean, ranksByValue = false) {
    this.keys = keys;
    this.ranksByValue = ranksByValue && isLatency;
    this.isLatency = isLatency;
    this.sums = new Float64Array(keys.size * SUMS);
    for (let at = Sum.max; at < this.sums.length; at += SUMS) this.sums[at] = -1;
    this.summaryErrors = new Float64Array(keys.size);
    this.groupOf = new Uint32Array(keys.size);
  }

  /** Adds what `BoxRows` has found in a block of `rows`. */
  addRows(rows: CompletionColumns, box: BoxRows, found: number, slowest: Slowest): void {
    const { deviceNs, queueNs, bytes, key: keyOf } = rows;
    const { row: rowOf, value: valueOf } = box;
    const { sums, groupOf, isLatency, ranksByValue } = this;
    let { bins } = this;
    for (let i = 0; i < found; i++) {
      const row = rowOf[i]!;
      const key = keyOf[row]!;
      const waited = knownSum(deviceNs[row]!, queueNs[row]!);
      const latency = isLatency ? valueOf[i]! : waited;
      const at = key * SUMS;
      sums[at + Sum.count]! += 1;
      sums[at + Sum.bytes]! += bytes[row]!;
      if (waited > 0) sums[at + Sum.waited]! += waited;
      const rank = ranksByValue ? latency : waited;
      if (rank > slowest.threshold) slowest.offer(rank, rows, row);
      if (groupOf[key] === 0) bins = this.admit(key);
      if (!(latency >= 0)) continue;
      if (latency > sums[at + Sum.max]!) sums[at + Sum.max] = latency;
      bins[originOf(groupOf[key]! - 1) + fineBin(latency)]! += 1;
    }
  }

  addEntry(key: number, part: EntryPart, latencies: EntryLatencies | undefined): void {
    const { sums, groupOf } = this;
    const bins = groupOf[key] === 0 ? this.admit(key) : this.bins;
    const at = key * SUMS;
    sums[at + Sum.count]! += part.count;
    sums[at + Sum.bytes]! += part.bytes;
    sums[at + Sum.waited]! += part.waitedNs;
    this.summaryErrors[key]! += part.errors;
    if (latencies === undefined || latencies.filled === 0) return;
    const { list, filled, factor, maxNs } = latencies;
    sums[at + Sum.max] = Math.max(sums[at + Sum.max]!, maxNs);
    const origin = originOf(groupOf[key]! - 1);
    for (let i = 0; i < filled; i++) bins[origin + list.bins[i]!]! += list.counts[i]! * factor;
  }

  /** Gives a key its group; returns the histograms, which may have moved. */
  private admit(key: number): Float64Array {
    const facts = this.keys.get(key);
    const opClass = opClassIndex(facts.cmdFlags);
    const id = `${facts.dev} ${opClass} ${ownerIsKnown(facts) ? facts.tgid : ''} ${ownerName(facts)}`;
    let group = this.indexById.get(id);
    if (group === undefined) {
      group = this.groups.push(emptyGroup(facts, opClass)) - 1;
      this.indexById.set(id, group);
      if (originOf(group) + FINE_BINS > this.bins.length) this.bins = doubled(this.bins);
    }
    this.groupOf[key] = group + 1;
    return this.bins;
  }

  /** Adds up the keys of each group; to be asked once, in the end. */
  finish(): readonly BoxGroupSums[] {
    for (let key = 0; key < this.groupOf.length; key++) {
      if (this.groupOf[key] !== 0) this.addKey(key, this.groups[this.groupOf[key]! - 1]!);
    }
    return this.groups;
  }

  private addKey(key: number, group: BoxGroupSums): void {
    const { sums } = this;
    const facts = this.keys.get(key);
    const { marks, error } = facts;
    const at = key * SUMS;
    const count = sums[at + Sum.count]!;
    group.count += count;
    group.bytes += sums[at + Sum.bytes]!;
    group.waitedNs += sums[at + Sum.waited]!;
    group.errors += error === 0 ? this.summaryErrors[key]! : count;
    group.maxNs = Math.max(group.maxNs, sums[at + Sum.max]!);
    group.isIndirect &&= (marks & IdentityMark.indirect) !== 0;
    if (group.cgroup !== cgroupOf(facts)) group.cgroup = undefined;
  }

  /** Off by at most the width of a fine bin, 6.25 % of the value. */
  medianNs(group: number): number | undefined {
    if (group >= MEASURED_GROUPS) return undefined;
    const origin = originOf(group);
    let measured = 0;
    for (let bin = 0; bin < FINE_BINS; bin++) measured += this.bins[origin + bin]!;
    return quantile(this.bins, origin, 0, FINE_BINS, measured, 0.5);
  }
}

function emptyGroup(owner: Identity, opClass: number): BoxGroupSums {
  const cgroup = cgroupOf(owner);
  const sums = { count: 0, bytes: 0, waitedNs: 0, errors: 0, maxNs: -1 };
  return { owner, opClass, isIndirect: true, cgroup, ...sums };
}

/** Groups without a histogram of their own write into one that nobody reads. */
function originOf(group: number): number {
  return (group < MEASURED_GROUPS ? group : MEASURED_GROUPS) * FINE_BINS;
}

function doubled(bins: Float64Array): Float64Array {
  const larger = new Float64Array(bins.length * 2);
  larger.set(bins);
  return larger;
}
