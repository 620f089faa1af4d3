import { ColumnRing } from '../../history/window/column-ring.ts';
import type { CompiledFilter } from '../../filter/match/match.ts';
import { FINE_BINS, fineBinLow } from '../../model/fine-bins.ts';
import type { DiskShares } from '../../model/disk-shares.ts';
import type { AxisValues, Metric, Weight } from '../../model/metric.ts';
import type { Scale } from '../axis/scale.ts';
import { createValueCodes } from './value-codes.ts';
import { ValueTally } from './value-tally.ts';

/** The I/O to count: it matches the filter and completed within [fromNs, toNs). */
export interface Selection {
  readonly fromNs: number;
  readonly toNs: number;
  /** If undefined, everything matches. */
  readonly filter: CompiledFilter | undefined;
}

export const EVERYTHING: Selection = { fromNs: -Infinity, toNs: Infinity, filter: undefined };

export interface HeatmapShape {
  readonly metric: Metric;
  /** If absent, each I/O counts one. */
  readonly weight?: Weight;
  /** Whether a person chose the axis, which may then have several bins per fine bin of the history. */
  readonly isZoomed?: boolean;
  readonly scale: Scale;
  /** If present, offsets are shares of the size of the disk that they are on. */
  readonly shares?: DiskShares | undefined;
  readonly columns: number;
  readonly columnNs: number;
  /** Ns since the start of the trace; a multiple of `columnNs`, so that column edges never move. */
  readonly startNs: number;
}

/**
 * The counters of a column, in this order: below the domain, one per bin, above it, unknown value, may match the
 * filter.
 */
const EXTRA_COUNTERS = 4;

const MOST_STEPS = 8;

/** Number of I/Os per column (a stretch of time) and bin (an interval of values). */
export class Heatmap extends ColumnRing {
  readonly metric: Metric;
  readonly weight: Weight;
  readonly isZoomed: boolean;
  readonly scale: Scale;
  readonly shares: DiskShares | undefined;
  /** Counters per column. */
  readonly stride: number;
  /** Column-major; see `indexOf`. */
  readonly counts: Uint32Array;
  /** Weights in the layout of `counts`, in ns or bytes; undefined when each I/O counts one. */
  readonly weights: Float64Array | undefined;
  /** Largest value per slot, on the axis or above it; −Infinity when empty. */
  readonly columnMax: Float64Array;
  /** `FINE_BINS` per slot, independent of the domain: the next domain is computed from these. */
  readonly fineCounts: Uint32Array;
  /** The bin that contains the lower edge of each fine bin. */
  readonly firstBin: Int16Array;
  /** Bin `b`, from −1 to `bins`, ends before `binEnds[b + 1]`; NaN for the last, which has no end. */
  readonly binEnds: Float64Array;
  /** Whether a fine bin overlaps so many bins that a binary search is faster than trying them in turn. */
  readonly areBinsNarrow: boolean;
  private tallied: ValueTally | 'none' | undefined;
  private summed: { readonly version: number; readonly total: Float64Array } | undefined;

  constructor(shape: HeatmapShape) {
    const { metric, weight = 'count', isZoomed = false, scale, columns, columnNs, startNs } = shape;
    super(columns, columnNs, startNs);
    this.metric = metric;
    this.weight = weight;
    this.isZoomed = isZoomed;
    this.scale = scale;
    this.shares = metric === 'offset' ? shape.shares : undefined;
    this.stride = scale.bins + EXTRA_COUNTERS;
    this.counts = new Uint32Array(columns * this.stride);
    this.weights = weight === 'count' ? undefined : new Float64Array(columns * this.stride);
    this.columnMax = new Float64Array(columns).fill(-Infinity);
    this.fineCounts = new Uint32Array(columns * FINE_BINS);
    this.binEnds = Float64Array.of(...scale.edges, NaN);
    this.firstBin = Int16Array.from({ length: FINE_BINS }, (_, fine) =>
      scale.binOf(fineBinLow(fine)),
    );
    this.areBinsNarrow = this.firstBin.some(
      (bin, fine) => fine > 0 && bin - this.firstBin[fine - 1]! > MOST_STEPS,
    );
  }

  /** The kind of values on the y axis. */
  get axisValues(): AxisValues {
    return this.shares === undefined ? this.metric : 'diskShare';
  }

  get bins(): number {
    return this.scale.bins;
  }

  /**
   * Sum of `fineCounts` over the visible columns. Computed on demand, which is once per frame; rows arrive more
   * often.
   */
  get fineTotal(): Float64Array {
    const { summed, version } = this;
    if (summed?.version === version) return summed.total;
    const total = sumOfRows(this.fineCounts, FINE_BINS);
    this.summed = { version, total };
    return total;
  }

  /** Index in `counts` of bin 0 of a visible column, 0 being the leftmost. */
  indexOf(column: number): number {
    return this.slotOf(this.firstColumn + column) * this.stride + 1;
  }

  /** The values that colours show, in the layout of `counts`. */
  get pixels(): Uint32Array | Float64Array {
    return this.weights ?? this.counts;
  }

  count(column: number, bin: number): number {
    return this.counts[this.indexOf(column) + bin]!;
  }

  belowCount(column: number): number {
    return this.counts[this.indexOf(column) - 1]!;
  }

  aboveCount(column: number): number {
    return this.counts[this.indexOf(column) + this.bins]!;
  }

  unmeasurableCount(column: number): number {
    return this.counts[this.indexOf(column) + this.bins + 1]!;
  }

  /** I/Os that may match the filter; they are in no other count. */
  undecidedCount(column: number): number {
    return this.counts[this.indexOf(column) + this.bins + 2]!;
  }

  /** I/Os of a column with a value, on or off the axis. */
  columnTotal(column: number): number {
    const from = this.indexOf(column) - 1;
    let sum = 0;
    for (let i = from; i < from + this.bins + 2; i++) sum += this.counts[i]!;
    return sum;
  }

  /** Largest value of a column; undefined when it is empty. */
  maxValue(column: number): number | undefined {
    const max = this.columnMax[this.slotOf(this.firstColumn + column)]!;
    return max === -Infinity ? undefined : max;
  }

  /** Counts the values of a single column; undefined when the bins are too narrow for value codes. */
  get tally(): ValueTally | undefined {
    if (this.tallied === undefined) {
      const codes = createValueCodes(this.scale);
      this.tallied = codes === undefined ? 'none' : new ValueTally(codes);
    }
    return this.tallied === 'none' ? undefined : this.tallied;
  }

  protected emptySlot(slot: number): void {
    this.counts.fill(0, slot * this.stride, (slot + 1) * this.stride);
    this.weights?.fill(0, slot * this.stride, (slot + 1) * this.stride);
    this.columnMax[slot] = -Infinity;
    this.fineCounts.fill(0, slot * FINE_BINS, (slot + 1) * FINE_BINS);
  }
}

/** Numbers of 32 bits have room for a column, not for all: a day has 10^10 I/Os and more. */
function sumOfRows(values: Uint32Array, width: number): Float64Array {
  const sums = new Float64Array(width);
  for (let row = 0; row < values.length; row += width)
    for (let i = 0; i < width; i++) sums[i]! += values[row + i]!;
  return sums;
}
