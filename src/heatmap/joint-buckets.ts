import type { CompletionColumns } from '../model/completion-columns.ts';
import { FINE_BINS } from '../model/fine-bins.ts';
import type { HeatmapData } from './live-heatmap.ts';
import type { Selection } from './heatmap.ts';
import { addJointRows, createJointCounts, emptyJointCounts } from './joint-counts.ts';
import type { JointAxes, JointCounts } from './joint-counts.ts';

interface Bucket {
  /** What has been counted: completions in [fromNs, toNs). */
  fromNs: number;
  toNs: number;
  readonly counts: JointCounts;
}

type Filter = Selection['filter'];

/**
 * Counts of a moving window of time, in buckets: what leaves the window takes with it one bucket that
 * is counted again, instead of the whole window. Nothing is ever subtracted, so nothing drifts.
 */
export class JointBuckets {
  private buckets = new Map<number, Bucket>();
  private readonly idle: JointCounts[] = [];

  constructor(
    private readonly data: Pick<HeatmapData, 'query'>,
    private readonly axes: JointAxes,
    private readonly filter: Filter,
    private readonly bucketNs: number,
  ) {}

  /** Counts the window [fromNs, toNs); whether anything may have changed. */
  moveTo(fromNs: number, toNs: number): boolean {
    const { bucketNs } = this;
    const kept = new Map<number, Bucket>();
    let isChanged = false;
    for (let number = Math.floor(fromNs / bucketNs); number * bucketNs < toNs; number++) {
      const start = Math.max(fromNs, number * bucketNs);
      const end = Math.min(toNs, (number + 1) * bucketNs);
      if (end <= start) continue;
      const bucket = this.buckets.get(number) ?? this.createBucket();
      this.buckets.delete(number);
      if (this.cover(bucket, start, end)) isChanged = true;
      kept.set(number, bucket);
    }
    if (this.buckets.size > 0) isChanged = true;
    for (const { counts } of this.buckets.values()) this.idle.push(counts);
    this.buckets = kept;
    return isChanged;
  }

  /** Rows that the history has just been given. */
  append(rows: CompletionColumns): void {
    for (const { counts, fromNs, toNs } of this.buckets.values()) {
      const selection = { fromNs, toNs, filter: this.filter };
      addJointRows(counts, this.axes, rows, 0, rows.length, selection);
    }
  }

  all(): JointCounts[] {
    return [...this.buckets.values()].map(({ counts }) => counts);
  }

  private createBucket(): Bucket {
    const counts = this.idle.pop() ?? createJointCounts(this.axes.map);
    return { fromNs: NaN, toNs: NaN, counts };
  }

  private cover(bucket: Bucket, fromNs: number, toNs: number): boolean {
    if (bucket.fromNs === fromNs && bucket.toNs === toNs) return false;
    const isGrowing = bucket.fromNs === fromNs && bucket.toNs < toNs;
    const countFromNs = isGrowing ? bucket.toNs : fromNs;
    if (!isGrowing) emptyJointCounts(bucket.counts);
    const selection = { fromNs: countFromNs, toNs, filter: this.filter };
    for (const { rows, from, to } of this.data.query(countFromNs, toNs).chunks)
      addJointRows(bucket.counts, this.axes, rows, from, to, selection);
    bucket.fromNs = fromNs;
    bucket.toNs = toNs;
    return true;
  }
}

/** The sum of `parts` in the map of `axes`; the rest of it in a new object. */
export function sumJointCounts({ map }: JointAxes, parts: readonly JointCounts[]): JointCounts {
  const acrossFine = new Uint32Array(FINE_BINS);
  const { counts, weights, worst, fineTotal: fine } = map;
  const rest = { farthest: -1, left: 0, right: 0, withoutAcross: 0, unmeasurable: 0, undecided: 0 };
  const sum: JointCounts = { counts, weights, worst, fine, acrossFine, ...rest };
  emptyJointCounts(sum);
  for (const part of parts) addPart(sum, part);
  map.version++;
  return sum;
}

function addPart(sum: JointCounts, part: JointCounts): void {
  addInto(sum.counts, part.counts);
  if (sum.weights !== undefined) addInto(sum.weights, part.weights!);
  addInto(sum.fine, part.fine);
  addInto(sum.acrossFine, part.acrossFine);
  for (let column = 0; column < sum.worst.length; column++)
    if (part.worst[column]! > sum.worst[column]!) sum.worst[column] = part.worst[column]!;
  sum.farthest = Math.max(sum.farthest, part.farthest);
  sum.left += part.left;
  sum.right += part.right;
  sum.withoutAcross += part.withoutAcross;
  sum.unmeasurable += part.unmeasurable;
  sum.undecided += part.undecided;
}

function addInto(sum: Uint32Array | Float64Array, part: Uint32Array | Float64Array): void {
  for (let i = 0; i < sum.length; i++) sum[i]! += part[i]!;
}
