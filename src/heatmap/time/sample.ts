import type { RowChunk } from '../../history/event-ring.ts';
import { MAX_FIELDS } from '../../history/slices/slice.ts';
import { fineBin } from '../../model/fine-bins.ts';
import type { CompiledFilter } from '../../filter/match/match.ts';
import { Verdict } from '../../filter/verdict.ts';
import { binRows } from './bin-rows.ts';
import { distributeSlice } from './distribute-aggregates.ts';
import type { Heatmap } from './heatmap.ts';
import type { HeatmapData } from './heatmap-spec.ts';

/** Rows per block of a sample: few, so that a small sample still covers all of the window. */
const BLOCK_ROWS = 1024;
/** At most one block in this many is read: the sample takes at most that share of the time of a full count. */
const LEAST_EVERY = 8;
/** Rows of a sample that can be counted within a frame. */
const MOST_ROWS = 262_144;
/** Maximum number of slices, each of which has up to a thousand histograms. */
const MOST_SLICES = 8;

/** An even sample of at most `most` rows of `chunks`, in blocks. */
export function* sampleRows(chunks: Iterable<RowChunk>, most: number): Generator<RowChunk> {
  const every = Math.max(LEAST_EVERY, Math.ceil(most / MOST_ROWS));
  let skip = 0;
  for (const { rows, from, to } of chunks) {
    let block = from + skip * BLOCK_ROWS;
    for (; block < to; block += every * BLOCK_ROWS)
      yield { rows, from: block, to: Math.min(to, block + BLOCK_ROWS) };
    skip = Math.ceil((block - to) / BLOCK_ROWS);
  }
}

/** An even sample of aggregates, because counting all of them twice takes too long. */
function sampleOf<T>(aggregates: Iterable<T>): T[] {
  const all = [...aggregates];
  const every = Math.max(LEAST_EVERY, Math.ceil(all.length / MOST_SLICES));
  return all.filter((_, number) => number % every === 0);
}

/** Counts a sample of the window of `map`, and the largest value known from its slices. */
export function sampleInto(
  map: Heatmap,
  data: HeatmapData,
  filter: CompiledFilter | undefined,
): void {
  const { startNs, endNs } = map;
  const { rowsFromNs, chunks, slices } = data.query(startNs, endNs);
  const single = { fromNs: rowsFromNs, toNs: endNs, filter };
  for (const { rows, from, to } of sampleRows(chunks, data.rows))
    binRows(map, rows, from, to, single);
  const whole = { fromNs: startNs, toNs: endNs, filter };
  for (const slice of sampleOf(slices)) distributeSlice(map, slice, whole, data.endNs);
  const largest = largestOf(map, data, filter);
  if (largest > 0) map.fineCounts[fineBin(largest)]!++;
}

/** The largest value, from slices: a sample of rows may miss the one slow I/O that determines the axis. */
function largestOf(
  { metric, startNs, endNs }: Heatmap,
  data: HeatmapData,
  filter: CompiledFilter | undefined,
): number {
  if (metric !== 'device' && metric !== 'queue' && metric !== 'total') return 0;
  const field = MAX_FIELDS[metric];
  let largest = 0;
  for (const slice of data.slices(startNs, endNs)) {
    if (slice.startNs < startNs || slice.endNs > endNs) continue;
    for (let entry = 0; entry < slice.entries; entry++) {
      const value = slice.field(entry, field);
      if (value <= largest) continue;
      if (filter === undefined || filter.judge(slice.identity(entry)) === Verdict.yes)
        largest = value;
    }
  }
  return largest;
}
