import type { CompletionColumns } from '../../../src/model/completion-columns.ts';
import { packDevice } from '../../../src/model/device.ts';
import type { SeededRandom } from '../../random.ts';

/** Of 1 TiB each. */
export const THREE_DISKS = ['sda', 'sdb', 'sdc'].map((name, i) => {
  return { dev: packDevice(8, i * 16), name, sizeBytes: 2 ** 40 };
});

/** Latencies over three octaves around 100 µs with a slow tail, some flushes, in all the room of the columns. Leaves the times. */
export function fillBusyRows(rows: CompletionColumns, random: SeededRandom, keys: number): void {
  for (let row = 0; row < rows.identity.length; row++) {
    const slow = random.next() < 0.01 ? 200 : 1;
    const isFlush = random.next() < 0.01;
    rows.deviceNs[row] = 100e3 * slow * 2 ** (random.next() + random.next() + random.next() - 1.5);
    rows.queueNs[row] = 5e3 * 2 ** (3 * random.next());
    rows.sector[row] = isFlush ? NaN : random.below(2 ** 31);
    rows.bytes[row] = isFlush ? 0 : 4096 * 2 ** random.below(8);
    rows.identity[row] = random.below(keys);
  }
}
