import { SECTOR_BYTES } from '../../model/completion-columns.ts';
import type { CompletionColumns } from '../../model/completion-columns.ts';
import type { DiskShares } from '../../model/disk-shares.ts';
import { FINE_BINS } from '../../model/fine-bins.ts';
import { Verdict } from '../../filter/verdict.ts';
import { BLOCK_ROWS, valuesOf, weightsOf } from '../time/binning.ts';
import type { Heatmap, Selection } from '../time/heatmap.ts';
import { createJointPlaces, findAcross, findBins } from './joint-places.ts';
import type { AcrossMetric } from './joint-places.ts';
import type { Scale } from '../axis/scale.ts';

export type { AcrossMetric } from './joint-places.ts';

/** I/Os that match the filter but have no place in a map of two values. */
export interface LeftOut {
  /** Left of the x axis, and right of it. */
  left: number;
  right: number;
  /** Without a value for the x axis or the y axis, respectively. */
  withoutAcross: number;
  unmeasurable: number;
  /** I/Os that may match the filter. */
  undecided: number;
}

/**
 * The I/O of a stretch of time by two values, in the layout of the map that it is added to, followed by the counts
 * to the left and right of its columns.
 */
export interface JointCounts extends Omit<LeftOut, 'left' | 'right'> {
  readonly counts: Uint32Array;
  readonly weights: Float64Array | undefined;
  /** Largest y value per x column; −Infinity where there is none. */
  readonly columnMax: Float64Array;
  /** All I/O that has both values, on or off the axes, by the fine bin of each value. */
  readonly fine: Uint32Array;
  readonly acrossFine: Uint32Array;
  /** Largest x value, if it is an offset; −1 when there is none. */
  farthest: number;
}

export function createJointCounts({ columns, stride, weights }: Heatmap): JointCounts {
  const cells = (columns + OUTER_COLUMNS) * stride;
  return {
    counts: new Uint32Array(cells),
    weights: weights && new Float64Array(cells),
    columnMax: new Float64Array(columns + OUTER_COLUMNS).fill(-Infinity),
    fine: new Uint32Array(FINE_BINS),
    acrossFine: new Uint32Array(FINE_BINS),
    farthest: -1,
    withoutAcross: 0,
    unmeasurable: 0,
    undecided: 0,
  };
}

export function emptyJointCounts(into: JointCounts): void {
  into.counts.fill(0);
  into.weights?.fill(0);
  into.columnMax.fill(-Infinity);
  into.fine.fill(0);
  into.acrossFine.fill(0);
  into.farthest = -1;
  into.withoutAcross = into.unmeasurable = into.undecided = 0;
}

/** The two axes. The columns of `map` are the bins of `across`. */
export interface JointAxes {
  readonly map: Heatmap;
  readonly across: Scale;
  readonly acrossMetric: AcrossMetric;
  /** If present, offsets are shares of the size of the disk that they are on. */
  readonly shares?: DiskShares | undefined;
}

/** Left and right of the axis. */
const OUTER_COLUMNS = 2;

/** Instead of a column, for a row without a place in the map. */
const NOWHERE = -1;

const places = createJointPlaces();
const allPass = new Uint8Array(BLOCK_ROWS).fill(Verdict.yes);

/** Counts the selected rows of [from, to). */
export function addJointRows(
  into: JointCounts,
  axes: JointAxes,
  rows: CompletionColumns,
  from: number,
  to: number,
  selection: Selection,
): void {
  for (let start = from; start < to; start += BLOCK_ROWS)
    addJointBlock(into, axes, rows, start, Math.min(to, start + BLOCK_ROWS), selection);
}

/** As `addJointRows`, for at most `BLOCK_ROWS` rows. */
export function addJointBlock(
  into: JointCounts,
  axes: JointAxes,
  rows: CompletionColumns,
  from: number,
  to: number,
  selection: Selection,
): void {
  const { map, acrossMetric } = axes;
  const verdicts = selection.filter?.judgeRows(rows, from, to) ?? allPass;
  const count = select(into, verdicts, rows.completeNs.subarray(from, to), selection);
  if (count === 0) return;
  findAcross(places, axes, rows, from, count);
  const values = valuesOf(map.metric, rows, from, to);
  findBins(places, map, values, count);
  countPlaces(into, map.stride, count);
  updateMax(into.columnMax, values, count);
  if (acrossMetric === 'size') countAcross(into.acrossFine, count);
  if (acrossMetric === 'offset') findFarthest(into, rows.sector, from, count);
  const rowWeights = weightsOf(map.weight, rows, from, to);
  if (rowWeights !== undefined) weighPlaces(into.weights!, map.stride, rowWeights, count);
}

/** Lists the matching rows in `places`; returns their number. */
function select(
  into: JointCounts,
  verdicts: Uint8Array,
  completeNs: Float64Array,
  { fromNs, toNs }: Selection,
): number {
  const { rows } = places;
  let count = 0;
  let open = 0;
  for (let i = 0; i < completeNs.length; i++) {
    const at = completeNs[i]!;
    const verdict = verdicts[i]! & -(Number(at >= fromNs) & Number(at < toNs));
    rows[count] = i;
    count += verdict >> 1;
    open += verdict & 1;
  }
  into.undecided += open - count;
  return count;
}

function countPlaces(into: JointCounts, stride: number, count: number): void {
  const { columns, acrossFines, bins, fines } = places;
  const { counts, fine } = into;
  for (let i = 0; i < count; i++) {
    const fineY = fines[i]!;
    if ((acrossFines[i]! | fineY) < 0) {
      if (acrossFines[i]! < 0) into.withoutAcross++;
      else into.unmeasurable++;
      columns[i] = NOWHERE;
      continue;
    }
    fine[fineY]!++;
    counts[columns[i]! * stride + bins[i]!]!++;
  }
}

/*
 * The following loops handle the rows that `countPlaces` has counted. Small loops are compiled well.
 */

function updateMax(columnMax: Float64Array, values: Float32Array, count: number): void {
  const { rows, columns } = places;
  for (let i = 0; i < count; i++) {
    const column = columns[i]!;
    if (column === NOWHERE) continue;
    const value = values[rows[i]!]!;
    if (value > columnMax[column]!) columnMax[column] = value;
  }
}

function countAcross(acrossFine: Uint32Array, count: number): void {
  const { columns, acrossFines } = places;
  for (let i = 0; i < count; i++) if (columns[i] !== NOWHERE) acrossFine[acrossFines[i]!]!++;
}

function findFarthest(into: JointCounts, sector: Float64Array, from: number, count: number): void {
  const { rows, columns } = places;
  let { farthest } = into;
  for (let i = 0; i < count; i++) {
    const value = sector[from + rows[i]!]! * SECTOR_BYTES;
    if (value > farthest && columns[i] !== NOWHERE) farthest = value;
  }
  into.farthest = farthest;
}

function weighPlaces(
  weights: Float64Array,
  stride: number,
  rowWeights: Float64Array,
  count: number,
): void {
  const { rows, columns, bins } = places;
  for (let i = 0; i < count; i++) {
    if (columns[i] === NOWHERE) continue;
    weights[columns[i]! * stride + bins[i]!]! += rowWeights[rows[i]!]!;
  }
}

/** The totals of the window, next to the map itself. */
export interface JointTotal extends LeftOut {
  readonly fine: Uint32Array;
  readonly acrossFine: Uint32Array;
  readonly farthest: number;
}

/** Adds up `parts` into the map of `axes`. */
export function totalJointCounts({ map }: JointAxes, parts: Iterable<JointCounts>): JointTotal {
  const { counts, weights, columnMax } = map;
  const fine = new Uint32Array(FINE_BINS);
  const acrossFine = new Uint32Array(FINE_BINS);
  const rest = { farthest: -1, left: 0, right: 0, withoutAcross: 0, unmeasurable: 0, undecided: 0 };
  counts.fill(0);
  weights?.fill(0);
  columnMax.fill(-Infinity);
  for (const part of parts) {
    addInto(counts, part.counts);
    if (weights !== undefined) addInto(weights, part.weights!);
    addInto(fine, part.fine);
    addInto(acrossFine, part.acrossFine);
    for (let column = 0; column < columnMax.length; column++)
      if (part.columnMax[column]! > columnMax[column]!) columnMax[column] = part.columnMax[column]!;
    const left = map.columns * map.stride;
    rest.farthest = Math.max(rest.farthest, part.farthest);
    rest.left += sumOf(part.counts, left, left + map.stride);
    rest.right += sumOf(part.counts, left + map.stride, left + 2 * map.stride);
    rest.withoutAcross += part.withoutAcross;
    rest.unmeasurable += part.unmeasurable;
    rest.undecided += part.undecided;
  }
  map.version++;
  return { fine, acrossFine, ...rest };
}

function addInto(sum: Uint32Array | Float64Array, part: Uint32Array | Float64Array): void {
  for (let i = 0; i < sum.length; i++) sum[i]! += part[i]!;
}

function sumOf(counts: Uint32Array, from: number, to: number): number {
  let sum = 0;
  for (let i = from; i < to; i++) sum += counts[i]!;
  return sum;
}
