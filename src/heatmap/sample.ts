import type { RowChunk } from '../history/event-ring.ts';

/** Small, so that a sample of few rows still has some from everywhere. */
const BLOCK_ROWS = 1024;
/** One block in so many: the sample costs that share of what counting everything does. */
const EVERY = 8;

/** An even sample of rows, in blocks. */
export function* sampleRows(chunks: Iterable<RowChunk>): Generator<RowChunk> {
  for (const { rows, from, to } of chunks) {
    for (let block = from; block < to; block += EVERY * BLOCK_ROWS)
      yield { rows, from: block, to: Math.min(to, block + BLOCK_ROWS) };
  }
}

/** An even sample of what is too much to be counted twice. */
export function* sampleOf<T>(all: Iterable<T>): Generator<T> {
  let number = 0;
  for (const one of all) if (number++ % EVERY === 0) yield one;
}
