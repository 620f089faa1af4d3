import { findTimes } from '../../history/event-ring.ts';
import type { RowTimes, TimesOf } from '../../history/event-ring.ts';
import { columnOf } from '../../history/window/column-ring.ts';
import type { CompletionColumns } from '../../model/completion-columns.ts';
import { binBlock, binOffsets, BLOCK_ROWS, valuesOf, weightsOf } from './binning.ts';
import { EVERYTHING } from './heatmap.ts';
import type { Heatmap, Selection } from './heatmap.ts';
import type { ValueTally } from './value-tally.ts';
import { isPlace } from '../../model/metric.ts';

/** Instead of a slot: the rows of a block are in no selected slot, or in several. */
const NOWHERE = -1;
const VARIOUS = -2;

/** Counts the rows of [from, to) that are selected and complete inside the window. */
export function binRows(
  map: Heatmap,
  rows: CompletionColumns,
  from: number,
  to: number,
  selection = EVERYTHING,
  timesOf: TimesOf = (start, end) => findTimes(rows, start, end),
): void {
  const isTouched = isPlace(map.metric)
    ? binOffsets(map, rows, from, to, selection)
    : binValues(map, rows, from, to, selection, timesOf);
  if (isTouched) map.version++;
}

/** Counts latencies or sizes, on any scale; returns whether any row was in the window. */
function binValues(
  map: Heatmap,
  rows: CompletionColumns,
  from: number,
  to: number,
  selection: Selection,
  timesOf: TimesOf,
): boolean {
  const { tally } = map;
  let isTouched = false;
  let tallied = NOWHERE;
  for (let start = from; start < to; start += BLOCK_ROWS) {
    const end = Math.min(to, start + BLOCK_ROWS);
    const slot = tally === undefined ? VARIOUS : slotOf(map, selection, timesOf(start, end));
    if (slot === NOWHERE) continue;
    const values = valuesOf(map.metric, rows, start, end).subarray(0, end - start);
    if (tally === undefined || slot === VARIOUS) {
      if (binBlock(map, rows, start, end, values, selection)) isTouched = true;
      continue;
    }
    if (slot !== tallied && tallied !== NOWHERE) tally.moveInto(map, tallied);
    tallied = slot;
    tallyBlock(tally, map, rows, start, end, values, selection);
  }
  if (tallied === NOWHERE) return isTouched;
  tally?.moveInto(map, tallied);
  return true;
}

function tallyBlock(
  tally: ValueTally,
  map: Heatmap,
  rows: CompletionColumns,
  from: number,
  to: number,
  values: Float32Array,
  { filter }: Selection,
): void {
  const bits = new Int32Array(values.buffer, values.byteOffset, values.length);
  const verdicts = filter?.judgeRows(rows, from, to);
  if (verdicts === undefined) tally.addAll(bits);
  else tally.addJudged(bits, verdicts);
  const weights = weightsOf(map.weight, rows, from, to);
  if (weights !== undefined) tally.addWeights(bits, verdicts, weights);
}

function slotOf(map: Heatmap, { fromNs, toNs }: Selection, { firstNs, lastNs }: RowTimes): number {
  if (!(lastNs >= fromNs && firstNs < toNs)) return NOWHERE;
  if (firstNs < fromNs || lastNs >= toNs) return VARIOUS;
  const column = columnOf(firstNs, map.columnNs);
  if (lastNs >= (column + 1) * map.columnNs) return VARIOUS;
  return map.slotOf(column);
}
