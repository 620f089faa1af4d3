import { createColumns } from '../../../src/model/completion-columns.ts';
import type { CompletionColumns } from '../../../src/model/completion-columns.ts';
import { SeededRandom } from '../../random.ts';

/** Of the disks of the pattern. */
export const DISK_SECTORS = 2 ** 31;

/** Latencies over three octaves around 100 µs with a slow tail, random offsets, a few sizes. */
export function createPattern(keyCount: number, rows: number, gapNs: number): CompletionColumns {
  const random = new SeededRandom(1);
  const columns = createColumns(rows);
  columns.length = rows;
  for (let row = 0; row < rows; row++) {
    const slow = random.next() < 0.01 ? 50 : 1;
    columns.completeNs[row] = Math.round(row * gapNs);
    columns.deviceNs[row] = Math.round(
      100e3 * slow * 2 ** (random.next() + random.next() + random.next() - 1.5),
    );
    columns.queueNs[row] = Math.round(5e3 * 2 ** (3 * random.next()));
    columns.sector[row] = Math.floor(random.next() * DISK_SECTORS);
    columns.bytes[row] = 4096 * 2 ** Math.floor(random.next() * 4);
    columns.identity[row] = Math.floor(random.next() * keyCount);
  }
  return columns;
}
