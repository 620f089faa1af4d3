import { createColumns } from '../../../src/model/completion-columns.ts';
import type { CompletionColumns } from '../../../src/model/completion-columns.ts';

/** Of the disks of the pattern. */
export const DISK_SECTORS = 2 ** 31;

/** Small, fast and seeded: the same figures every time. */
function createRandom(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return state / 2 ** 32;
  };
}

/** Latencies over three octaves around 100 µs with a slow tail, random offsets, a few sizes. */
export function createPattern(keyCount: number, rows: number, gapNs: number): CompletionColumns {
  const random = createRandom(1);
  const columns = createColumns(rows);
  columns.length = rows;
  for (let row = 0; row < rows; row++) {
    const slow = random() < 0.01 ? 50 : 1;
    columns.completeNs[row] = Math.round(row * gapNs);
    columns.deviceNs[row] = Math.round(100e3 * slow * 2 ** (random() + random() + random() - 1.5));
    columns.queueNs[row] = Math.round(5e3 * 2 ** (3 * random()));
    columns.sector[row] = Math.floor(random() * DISK_SECTORS);
    columns.bytes[row] = 4096 * 2 ** Math.floor(random() * 4);
    columns.key[row] = Math.floor(random() * keyCount);
  }
  return columns;
}
