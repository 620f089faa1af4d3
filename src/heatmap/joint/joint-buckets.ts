import type { ShouldYield } from '../../base/time.ts';
import type { CompletionColumns } from '../../model/completion-columns.ts';
import { FINE_BINS } from '../../model/fine-bins.ts';
import { countBack } from '../../history/scan/scan-back.ts';
import type { HeatmapData } from '../time/live-heatmap.ts';
import type { Selection } from '../time/heatmap.ts';
import { addJointRows, createJointCounts, emptyJointCounts } from './joint-counts.ts';
import { sampleRows } from '../time/sample.ts';
import type { JointAxes, JointCounts } from './joint-counts.ts';

interface Bucket {
  /** What has been counted: completions in [fromNs, toNs). */
  fromNs: number;
  toNs: number;
  /** What is to be counted begins here. */
  startNs: number;
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
    private readonly data: Pick<HeatmapData, 'query' | 'slices' | 'beforeRows' | 'sliceNs'>,
    private readonly axes: JointAxes,
    private readonly filter: Filter,
    private readonly bucketNs: number,
  ) {}

  /** Whether all of the window has been counted. */
  get isWhole(): boolean {
    return this.all().every(({ startNs, fromNs }) => fromNs <= startNs);
  }

  /** How much of the window has been counted, in ns. */
  get countedNs(): number {
    return this.all().reduce((sum, { fromNs, toNs }) => sum + toNs - fromNs, 0);
  }

  /**
   * Moves the window to [fromNs, toNs) and counts it, the newest first, until its turn is up; whether
   * anything may have changed.
   */
  moveTo(fromNs: number, toNs: number, shouldYield?: ShouldYield): boolean {
    const isMoved = this.place(fromNs, toNs);
    return this.countMore(shouldYield) || isMoved;
  }

  private place(fromNs: number, toNs: number): boolean {
    const { bucketNs } = this;
    const kept = new Map<number, Bucket>();
    let isChanged = false;
    for (let number = Math.floor(fromNs / bucketNs); number * bucketNs < toNs; number++) {
      const start = Math.max(fromNs, number * bucketNs);
      const end = Math.min(toNs, (number + 1) * bucketNs);
      if (end <= start) continue;
      const bucket = this.buckets.get(number) ?? this.createBucket();
      this.buckets.delete(number);
      if (this.extend(bucket, start, end)) isChanged = true;
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

  parts(): JointCounts[] {
    return this.all().map(({ counts }) => counts);
  }

  private all(): Bucket[] {
    return [...this.buckets.values()];
  }

  private createBucket(): Bucket {
    const counts = this.idle.pop() ?? createJointCounts(this.axes.map);
    return { fromNs: NaN, toNs: NaN, startNs: NaN, counts };
  }

  /** What a bucket gains at the right or loses at the left is little; a new one is left to be counted. */
  private extend(bucket: Bucket, startNs: number, endNs: number): boolean {
    const before = { ...bucket };
    if (before.startNs === startNs && before.toNs === endNs) return false;
    bucket.startNs = startNs;
    bucket.toNs = endNs;
    const isGrowing = before.startNs === startNs && before.toNs < endNs;
    if (isGrowing) {
      this.add(bucket, before.toNs, endNs);
      return true;
    }
    emptyJointCounts(bucket.counts);
    bucket.fromNs = endNs;
    const wasWhole = before.fromNs <= before.startNs;
    if (!wasWhole) return true;
    this.add(bucket, startNs, endNs);
    bucket.fromNs = startNs;
    return true;
  }

  private countMore(shouldYield: ShouldYield | undefined): boolean {
    let isChanged = false;
    for (const bucket of this.all().reverse()) {
      const { startNs, fromNs } = bucket;
      if (fromNs <= startNs) continue;
      bucket.fromNs = countBack(this.data, startNs, fromNs, shouldYield, (_, from, to) => {
        this.add(bucket, from, to);
      });
      isChanged = true;
      if (shouldYield?.() === true) break;
    }
    return isChanged;
  }

  private add({ counts }: Bucket, fromNs: number, toNs: number): void {
    const selection = { fromNs, toNs, filter: this.filter };
    for (const { rows, from, to } of this.data.query(fromNs, toNs).chunks)
      addJointRows(counts, this.axes, rows, from, to, selection);
  }
}

/** Counts a sample of what is selected. */
export function sampleJointRows(
  data: Pick<HeatmapData, 'query' | 'rows'>,
  axes: JointAxes,
  { fromNs, toNs, filter }: Selection,
): JointCounts {
  const counts = createJointCounts(axes.map);
  const { rowsFromNs, chunks } = data.query(fromNs, toNs);
  const selection = { fromNs: rowsFromNs, toNs, filter };
  for (const { rows, from, to } of sampleRows(chunks, data.rows))
    addJointRows(counts, axes, rows, from, to, selection);
  return counts;
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
