import { FILE_NUMBER } from '../../model/file.ts';
import type { CompletionColumns } from '../../model/completion-columns.ts';
import { FINE_BINS } from '../../model/fine-bins.ts';
import { ColumnRing } from '../../history/window/column-ring.ts';
import { SlotFinder } from '../../history/window/slot-finder.ts';
import type { LaneFigure, Latency } from '../../model/metric.ts';
import { Verdict } from '../../filter/verdict.ts';
import { BLOCK_ROWS, fineBinOfFloat, valuesOf } from '../time/binning.ts';
import type { Selection } from '../time/heatmap.ts';
import { quantile } from '../../model/quantile.ts';
import type { RowLanes } from './lane-finder.ts';

const P99 = 0.99;
/** Latencies per lane and column; a *cell* is one column of one lane. */
export class LaneCounts extends ColumnRing {
  /** By cell: number of I/Os with a latency, total and maximum of these in ns. */
  private readonly counts: Float64Array;
  private readonly sums: Float64Array;
  private readonly maxNs: Float64Array;
  /** The histogram of each cell, `FINE_BINS` long. */
  private readonly fine: Float64Array;
  /** By cell: I/Os without a latency, and I/Os that may match the filter. */
  private readonly unmeasured: Float64Array;
  private readonly unknown: Float64Array;
  /** By cell, the 99th percentile; NaN when it has to be computed again. */
  private readonly p99: Float64Array;
  /** By column, the I/Os known only as counts that may belong to any lane. */
  private readonly laneUnknown: Float64Array;

  constructor(
    readonly metric: Latency,
    readonly lanes: number,
    columns: number,
    columnNs: number,
    startNs: number,
  ) {
    super(columns, columnNs, startNs);
    const cells = lanes * columns;
    this.counts = new Float64Array(cells);
    this.sums = new Float64Array(cells);
    this.maxNs = new Float64Array(cells);
    this.fine = new Float64Array(cells * FINE_BINS);
    this.unmeasured = new Float64Array(cells);
    this.unknown = new Float64Array(cells);
    this.p99 = new Float64Array(cells).fill(NaN);
    this.laneUnknown = new Float64Array(columns);
  }

  /** I/Os in a visible column, 0 being the leftmost. */
  count(lane: number, column: number): number {
    return this.counts[this.cellAt(lane, column)]!;
  }

  /** A figure of a cell in ns; undefined when no latency is known. A percentile is off by at most 6.25 %. */
  value(lane: number, column: number, figure: LaneFigure): number | undefined {
    const cell = this.cellAt(lane, column);
    const count = this.counts[cell]!;
    if (count === 0) return undefined;
    return figure === 'mean' ? this.sums[cell]! / count : this.p99Of(cell, count);
  }

  maxValue(lane: number, column: number): number | undefined {
    const cell = this.cellAt(lane, column);
    return this.counts[cell]! > 0 ? this.maxNs[cell] : undefined;
  }

  /** I/Os in a lane, with and without a latency. */
  laneTotal(lane: number): number {
    return this.sumOver(this.counts, lane) + this.sumOver(this.unmeasured, lane);
  }

  get unmeasuredTotal(): number {
    return this.unmeasured.reduce((a, b) => a + b, 0);
  }

  get undecidedTotal(): number {
    return this.unknown.reduce((a, b) => a + b, 0);
  }

  get laneUnknownTotal(): number {
    return this.laneUnknown.reduce((a, b) => a + b, 0);
  }

  /** A percentile read from bins, never above the maximum. */
  private p99Of(cell: number, count: number): number {
    const known = this.p99[cell]!;
    if (!Number.isNaN(known)) return known;
    const found = quantile(this.fine, cell * FINE_BINS, 0, FINE_BINS, count, P99) ?? 0;
    return (this.p99[cell] = Math.min(found, this.maxNs[cell]!));
  }

  private sumOver(cells: Float64Array, lane: number): number {
    let sum = 0;
    for (let i = lane * this.columns; i < (lane + 1) * this.columns; i++) sum += cells[i]!;
    return sum;
  }

  private cellAt(lane: number, column: number): number {
    return lane * this.columns + this.slotOf(this.firstColumn + column);
  }

  /** Cell of a lane and a column number, counted from the start of the trace; −1 outside the window. */
  private cellOf(lane: number, column: number): number {
    const slot = this.slotOf(column);
    return slot < 0 ? -1 : lane * this.columns + slot;
  }

  /** Adds `count` I/Os of one fine bin with total latency `sumNs` and maximum `maxNs`. */
  addMany(
    lane: number,
    column: number,
    fine: number,
    count: number,
    sumNs: number,
    maxNs: number,
  ): void {
    const cell = this.cellOf(lane, column);
    if (cell < 0) return;
    this.counts[cell]! += count;
    this.sums[cell]! += sumNs;
    this.fine[cell * FINE_BINS + fine]! += count;
    if (maxNs > this.maxNs[cell]!) this.maxNs[cell] = maxNs;
    this.p99[cell] = NaN;
  }

  addUnmeasured(lane: number, column: number, count: number): void {
    const cell = this.cellOf(lane, column);
    if (cell >= 0) this.unmeasured[cell]! += count;
  }

  addUndecided(lane: number, column: number, count: number): void {
    const cell = this.cellOf(lane, column);
    if (cell >= 0) this.unknown[cell]! += count;
  }

  addLaneUnknown(column: number, count: number): void {
    const slot = this.slotOf(column);
    if (slot >= 0) this.laneUnknown[slot]! += count;
  }

  /** Counts the rows of [from, to) that are selected and complete inside the window. */
  addRows(
    rows: CompletionColumns,
    from: number,
    to: number,
    lanes: RowLanes,
    selection: Selection,
  ): void {
    for (let start = from; start < to; start += BLOCK_ROWS)
      this.addBlock(rows, start, Math.min(to, start + BLOCK_ROWS), lanes, selection);
    this.version++;
  }

  private addBlock(
    rows: CompletionColumns,
    from: number,
    to: number,
    { column: by, lanes }: RowLanes,
    { fromNs, toNs, filter }: Selection,
  ): void {
    const verdicts = filter?.judgeRows(rows, from, to);
    const values = valuesOf(this.metric, rows, from, to);
    const bits = new Int32Array(values.buffer, values.byteOffset, values.length);
    const { completeNs } = rows;
    const numbers = rows[by];
    const { counts, sums, maxNs, fine, p99, unknown, unmeasured, columns } = this;
    const slots = new SlotFinder(this, fromNs, toNs);
    let { slot, startNs, endNs } = slots;
    for (let row = from; row < to; row++) {
      const verdict = verdicts === undefined ? Verdict.yes : verdicts[row - from]!;
      if (verdict === Verdict.no) continue;
      const at = completeNs[row]!;
      if (!(at >= startNs && at < endNs)) {
        slots.moveTo(at);
        ({ slot, startNs, endNs } = slots);
      }
      const lane = slot < 0 ? -1 : lanes[numbers[row]! & FILE_NUMBER]!;
      if (lane < 0) continue;
      const cell = lane * columns + slot;
      if (verdict === Verdict.maybe) {
        unknown[cell]!++;
        continue;
      }
      const value = values[row - from]!;
      const fineBin = fineBinOfFloat(value, bits[row - from]!);
      if (fineBin < 0) {
        unmeasured[cell]!++;
        continue;
      }
      counts[cell]!++;
      sums[cell]! += value;
      fine[cell * FINE_BINS + fineBin]!++;
      if (value > maxNs[cell]!) maxNs[cell] = value;
      p99[cell] = NaN;
    }
  }

  protected emptySlot(slot: number): void {
    this.laneUnknown[slot] = 0;
    for (let lane = 0; lane < this.lanes; lane++) {
      const cell = lane * this.columns + slot;
      for (const sums of [this.counts, this.sums, this.maxNs, this.unmeasured, this.unknown])
        sums[cell] = 0;
      this.fine.fill(0, cell * FINE_BINS, (cell + 1) * FINE_BINS);
      this.p99[cell] = NaN;
    }
  }
}
