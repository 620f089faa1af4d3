import { SECTOR_BYTES } from '../../model/completion-columns.ts';
import type { CompletionColumns } from '../../model/completion-columns.ts';
import { FINE_BINS, SUB_BIN_BITS } from '../../model/fine-bins.ts';
import { Verdict } from '../../filter/verdict.ts';
import { SlotFinder } from '../../history/window/slot-finder.ts';
import type { Heatmap, Selection } from './heatmap.ts';

/** Rows whose values are computed at once: few enough to stay in the first-level cache. */
export const BLOCK_ROWS = 2048;
const blockValues = new Float32Array(BLOCK_ROWS);
const blockWeights = new Float64Array(BLOCK_ROWS);

/**
 * The exponent and the upper four mantissa bits of a float, read as one integer, are the number of its fine bin plus a
 * constant. This replaces a logarithm per row.
 */
const FINE_BIN_SHIFT = 23 - SUB_BIN_BITS;
const FLOAT_BIAS = 127;
const FINE_BIN_ORIGIN = (FLOAT_BIAS + SUB_BIN_BITS - 1) << SUB_BIN_BITS;
const FIRST_LOG_VALUE = 1 << SUB_BIN_BITS;

/** Fine bin of a float whose bits are `bits`; −1 when the value is unknown. */
export function fineBinOfFloat(value: number, bits: number): number {
  if (value >= FIRST_LOG_VALUE) {
    const fine = (bits >>> FINE_BIN_SHIFT) - FINE_BIN_ORIGIN;
    return fine < FINE_BINS ? fine : FINE_BINS - 1;
  }
  return value >= 0 ? value | 0 : -1;
}

/** The values of rows [from, to) as floats; NaN when unknown. */
export function valuesOf(
  metric: Heatmap['metric'],
  rows: CompletionColumns,
  from: number,
  to: number,
): Float32Array {
  if (metric === 'device') return rows.deviceNs.subarray(from, to);
  if (metric === 'queue') return rows.queueNs.subarray(from, to);
  if (metric === 'total') addTimes(rows, from, to);
  else copySizes(rows, from, to);
  return blockValues;
}

function addTimes({ deviceNs, queueNs }: CompletionColumns, from: number, to: number): void {
  for (let i = from; i < to; i++) blockValues[i - from] = deviceNs[i]! + queueNs[i]!;
}

/** A flush has no size, which is different from a small size. */
function copySizes({ bytes }: CompletionColumns, from: number, to: number): void {
  for (let i = from; i < to; i++) blockValues[i - from] = bytes[i]! > 0 ? bytes[i]! : NaN;
}

/** The weights that rows [from, to) add to their pixels; undefined when each adds one. */
export function weightsOf(
  weight: Heatmap['weight'],
  { bytes, deviceNs, queueNs }: CompletionColumns,
  from: number,
  to: number,
): Float64Array | undefined {
  if (weight === 'count') return undefined;
  if (weight === 'bytes') {
    for (let i = from; i < to; i++) blockWeights[i - from] = bytes[i]!;
    return blockWeights;
  }
  for (let i = from; i < to; i++) {
    blockWeights[i - from] = waitedNs(deviceNs[i]!) + waitedNs(queueNs[i]!);
  }
  return blockWeights;
}

/** An unknown time adds nothing to a known one. */
function waitedNs(ns: number): number {
  return ns < Infinity ? ns : 0;
}

/** Counts latencies or sizes row by row, on any scale; returns whether any row was in the window. */
export function binBlock(
  map: Heatmap,
  rows: CompletionColumns,
  from: number,
  to: number,
  values: Float32Array,
  selection: Selection,
): boolean {
  const { completeNs } = rows;
  const { counts, fineCounts, firstBin, binEnds, columnMax, stride, scale } = map;
  const { areBinsNarrow, weights } = map;
  const rowWeights = weightsOf(map.weight, rows, from, to);
  const unmeasurable = map.bins + 1;
  const undecided = map.bins + 2;
  const verdicts = selection.filter?.judgeRows(rows, from, to);
  const bits = new Int32Array(values.buffer, values.byteOffset, values.length);
  const slots = new SlotFinder(map, selection.fromNs, selection.toNs);
  let { slot, startNs, endNs } = slots;
  let base = 0;
  let fineBase = 0;
  let isTouched = false;
  for (let row = from; row < to; row++) {
    const verdict = verdicts === undefined ? Verdict.yes : verdicts[row - from]!;
    if (verdict === Verdict.no) continue;
    const at = completeNs[row]!;
    if (!(at >= startNs && at < endNs)) {
      slots.moveTo(at);
      ({ slot, startNs, endNs } = slots);
      if (slot >= 0) isTouched = true;
      base = slot * stride + 1;
      fineBase = slot * FINE_BINS;
    }
    if (slot < 0) continue;
    if (verdict === Verdict.maybe) {
      counts[base + undecided]!++;
      continue;
    }
    const value = values[row - from]!;
    const fine = fineBinOfFloat(value, bits[row - from]!);
    if (fine < 0) {
      counts[base + unmeasurable]!++;
      continue;
    }
    fineCounts[fineBase + fine]!++;
    let bin = firstBin[fine]!;
    if (areBinsNarrow && value >= binEnds[bin + 1]!) bin = scale.binOf(value);
    while (value >= binEnds[bin + 1]!) bin++;
    counts[base + bin]!++;
    if (weights !== undefined) weights[base + bin]! += rowWeights![row - from]!;
    if (value > columnMax[slot]!) columnMax[slot] = value;
  }
  return isTouched;
}

/**
 * As `binBlock`, for offsets, on a linear scale: on disks or in files in bytes, or as shares of their disks. Offsets
 * need the precision of a double.
 */
export function binOffsets(
  map: Heatmap,
  rows: CompletionColumns,
  from: number,
  to: number,
  selection: Selection,
): boolean {
  let isTouched = false;
  for (let start = from; start < to; start += BLOCK_ROWS) {
    const end = Math.min(to, start + BLOCK_ROWS);
    if (binOffsetBlock(map, rows, start, end, selection)) isTouched = true;
  }
  return isTouched;
}

function binOffsetBlock(
  map: Heatmap,
  rows: CompletionColumns,
  from: number,
  to: number,
  selection: Selection,
): boolean {
  const verdicts = selection.filter?.judgeRows(rows, from, to);
  const { completeNs, identity } = rows;
  const isInFile = map.metric === 'file-offset';
  const places = isInFile ? rows.fileOffset : rows.sector;
  const unit = isInFile ? 1 : SECTOR_BYTES;
  const diskBytes = map.shares?.bytesOf;
  const { counts, weights, binEnds, columnMax, stride, bins } = map;
  const rowWeights = weightsOf(map.weight, rows, from, to);
  const { low, high } = map.scale.domain;
  const binsPerUnit = bins / (high - low);
  const slots = new SlotFinder(map, selection.fromNs, selection.toNs);
  let { slot, startNs, endNs } = slots;
  let base = 0;
  let isTouched = false;
  for (let row = from; row < to; row++) {
    const verdict = verdicts === undefined ? Verdict.yes : verdicts[row - from]!;
    if (verdict === Verdict.no) continue;
    const at = completeNs[row]!;
    if (!(at >= startNs && at < endNs)) {
      slots.moveTo(at);
      ({ slot, startNs, endNs } = slots);
      if (slot >= 0) isTouched = true;
      base = slot * stride + 1;
    }
    if (slot < 0) continue;
    if (verdict === Verdict.maybe) {
      counts[base + bins + 2]!++;
      continue;
    }
    const bytes = places[row]! * unit;
    const value = diskBytes === undefined ? bytes : bytes / diskBytes[identity[row]!]!;
    if (!(value >= 0)) {
      counts[base + bins + 1]!++;
      continue;
    }
    let bin = value < high ? Math.floor((value - low) * binsPerUnit) : bins;
    if (value < low) bin = -1;
    // Rounding of the product may cross an edge, by one bin.
    if (bin > 0 && value < binEnds[bin]!) bin--;
    else if (value >= binEnds[bin + 1]!) bin++;
    counts[base + bin]!++;
    if (weights !== undefined) weights[base + bin]! += rowWeights![row - from]!;
    if (value > columnMax[slot]!) columnMax[slot] = value;
  }
  return isTouched;
}
