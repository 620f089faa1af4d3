import { addKnown } from '../model/add-known.ts';
import {
  appendRows,
  BYTES_PER_ROW,
  createColumns,
  RESULT_BYTES,
} from '../model/completion-columns.ts';
import type { CompletionColumns } from '../model/completion-columns.ts';

/** Lower and upper bound of the completion times of some rows: exact, or a little wider. */
export interface RowTimes {
  readonly firstNs: number;
  readonly lastNs: number;
}

/** The bounds for rows [from, to). */
export type TimesOf = (from: number, to: number) => RowTimes;

/** Rows [from, to) of `rows`, with an index if there is one. */
export interface RowChunk {
  readonly rows: CompletionColumns;
  readonly from: number;
  readonly to: number;
  readonly timesOf?: TimesOf;
  /** The longest known latency of rows [from, to); −1 when none is known. */
  readonly longestNs?: (from: number, to: number) => number;
}

/** Rows that the ring may forget later. Some may complete outside the requested range. */
export interface HeldRows extends RowChunk {
  readonly timesOf: TimesOf;
  readonly longestNs: (from: number, to: number) => number;
  /** Whether the rows have been forgotten, so that their columns may contain others. */
  readonly isGone: () => boolean;
}

/** Computes the times of rows without an index. */
export function findTimes({ completeNs }: CompletionColumns, from: number, to: number): RowTimes {
  let firstNs = Infinity;
  let lastNs = -Infinity;
  for (let row = from; row < to; row++) {
    const at = completeNs[row]!;
    if (at < firstNs) firstNs = at;
    if (at > lastNs) lastNs = at;
  }
  return { firstNs, lastNs };
}

/** Rows per block of the index that narrows a query within a chunk. */
const BLOCK_BITS = 10;
const BLOCK_ROWS = 1 << BLOCK_BITS;

interface Chunk {
  readonly rows: CompletionColumns;
  /** Earliest and latest completion per block of rows. */
  readonly firstNs: Float64Array;
  readonly lastNs: Float64Array;
  /** Longest known time per block. */
  readonly longestNs: Float64Array;
  latestNs: number;
  /** Changes when the chunk is forgotten. */
  life: number;
}

/** Tier 1: rows in order of arrival; the oldest chunk is forgotten when memory runs out. */
export class EventRing {
  /** The latest completion among the rows forgotten so far: rows that complete later are all still here. */
  evictedNs = -Infinity;
  private readonly chunks: Chunk[] = [];
  private readonly chunkRows: number;
  private readonly chunkBytes: number;

  constructor(chunkRows: number) {
    this.chunkRows = chunkRows;
    this.chunkBytes = chunkRows * BYTES_PER_ROW + blocksOf(chunkRows) * 24;
  }

  get memoryBytes(): number {
    const results = this.chunks.reduce((sum, { rows }) => sum + rows.result.length, 0);
    return this.chunks.length * this.chunkBytes + results * RESULT_BYTES;
  }

  /** Number of rows. */
  get length(): number {
    return this.chunks.reduce((sum, chunk) => sum + chunk.rows.length, 0);
  }

  append(rows: CompletionColumns, budgetBytes: number): void {
    let row = 0;
    while (row < rows.length) {
      const chunk = this.chunkWithRoom(budgetBytes);
      const next = Math.min(rows.length, row + this.chunkRows - chunk.rows.length);
      copyRows(chunk, rows, row, next);
      row = next;
    }
  }

  private chunkWithRoom(budgetBytes: number): Chunk {
    const last = this.chunks.at(-1);
    if (last !== undefined && last.rows.length < this.chunkRows) return last;
    const reused = this.shrink(budgetBytes - this.chunkBytes);
    const chunk = reused === undefined ? createChunk(this.chunkRows) : emptied(reused);
    this.chunks.push(chunk);
    return chunk;
  }

  /** Forgets the oldest chunks until the rest fits; returns the last one forgotten, for reuse. */
  shrink(budgetBytes: number): Chunk | undefined {
    let evicted: Chunk | undefined;
    while (this.chunks.length > 0 && this.memoryBytes > budgetBytes) {
      evicted = this.chunks.shift()!;
      evicted.life++;
      this.evictedNs = Math.max(this.evictedNs, evicted.latestNs);
    }
    return evicted;
  }

  /**
   * A time before `toNs` such that about `rows` rows complete in between; −Infinity if the ring has fewer. If rows
   * arrived far out of order, there may be more.
   */
  beforeRows(toNs: number, rows: number): number {
    let left = rows;
    for (let i = this.chunks.length - 1; i >= 0; i--) {
      const { firstNs, rows: held } = this.chunks[i]!;
      for (let block = blocksOf(held.length) - 1; block >= 0; block--) {
        if (!(firstNs[block]! < toNs)) continue;
        left -= BLOCK_ROWS;
        if (left <= 0) return firstNs[block]!;
      }
    }
    return -Infinity;
  }

  /** Rows that may complete in [startNs, endNs): callers test `completeNs`. */
  *overlapping(startNs: number, endNs: number): Generator<HeldRows> {
    for (const chunk of this.chunks) {
      const { rows, firstNs, lastNs, life } = chunk;
      let from = 0;
      let to = blocksOf(rows.length);
      while (from < to && !(firstNs[from]! < endNs && lastNs[from]! >= startNs)) from++;
      while (to > from && !(firstNs[to - 1]! < endNs && lastNs[to - 1]! >= startNs)) to--;
      if (from === to) continue;
      yield {
        rows,
        from: from * BLOCK_ROWS,
        to: Math.min(rows.length, to * BLOCK_ROWS),
        timesOf: (first, end) => timesOf(chunk, first, end),
        longestNs: (first, end) => longestOf(chunk, first, end),
        isGone: () => chunk.life !== life,
      };
    }
  }
}

function timesOf(chunk: Chunk, from: number, to: number): RowTimes {
  let firstNs = Infinity;
  let lastNs = -Infinity;
  for (let block = from >> BLOCK_BITS; block < blocksOf(to); block++) {
    if (chunk.firstNs[block]! < firstNs) firstNs = chunk.firstNs[block]!;
    if (chunk.lastNs[block]! > lastNs) lastNs = chunk.lastNs[block]!;
  }
  return { firstNs, lastNs };
}

function longestOf({ longestNs }: Chunk, from: number, to: number): number {
  let longest = -1;
  for (let block = from >> BLOCK_BITS; block < blocksOf(to); block++)
    if (longestNs[block]! > longest) longest = longestNs[block]!;
  return longest;
}

function blocksOf(rows: number): number {
  return Math.ceil(rows / BLOCK_ROWS);
}

function createChunk(capacity: number): Chunk {
  const blocks = blocksOf(capacity);
  return emptied({
    rows: createColumns(capacity),
    firstNs: new Float64Array(blocks),
    lastNs: new Float64Array(blocks),
    longestNs: new Float64Array(blocks),
    latestNs: -Infinity,
    life: 0,
  });
}

function emptied(chunk: Chunk): Chunk {
  chunk.rows.length = 0;
  chunk.firstNs.fill(Infinity);
  chunk.lastNs.fill(-Infinity);
  chunk.longestNs.fill(-1);
  chunk.latestNs = -Infinity;
  return chunk;
}

function copyRows(chunk: Chunk, source: CompletionColumns, from: number, to: number): void {
  const { rows } = chunk;
  let row = from;
  while (row < to) {
    const at = rows.length + row - from;
    const next = Math.min(to, row + BLOCK_ROWS - (at & (BLOCK_ROWS - 1)));
    noteTimes(chunk, at >> BLOCK_BITS, source.completeNs, row, next);
    noteLongest(chunk, at >> BLOCK_BITS, source, row, next);
    row = next;
  }
  appendRows(rows, source, from, to);
}

function noteTimes(
  chunk: Chunk,
  block: number,
  times: Float64Array,
  from: number,
  to: number,
): void {
  let first = chunk.firstNs[block]!;
  let last = chunk.lastNs[block]!;
  for (let row = from; row < to; row++) {
    const at = times[row]!;
    if (at < first) first = at;
    if (at > last) last = at;
  }
  chunk.firstNs[block] = first;
  chunk.lastNs[block] = last;
  chunk.latestNs = Math.max(chunk.latestNs, last);
}

function noteLongest(
  chunk: Chunk,
  block: number,
  { deviceNs, queueNs }: CompletionColumns,
  from: number,
  to: number,
): void {
  let longest = chunk.longestNs[block]!;
  for (let row = from; row < to; row++) {
    const known = addKnown(deviceNs[row]!, queueNs[row]!);
    if (known > longest) longest = known;
  }
  chunk.longestNs[block] = longest;
}
