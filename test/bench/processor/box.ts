import { inspectBox } from '../../query/fixtures/at-once.ts';
import { createHistory } from '../../../src/history/history.ts';
import type { History } from '../../../src/history/history.ts';
import type { Box } from '../../../src/filter/box.ts';
import { packDevice } from '../../../src/model/device.ts';
import { NO_FILTER, term } from '../../../src/filter/filter.ts';
import type { Filter } from '../../../src/filter/filter.ts';
import { compileFilter } from '../../../src/filter/match/match.ts';
import { bestMs } from '../support/best-ms.ts';
import { createPattern, DISK_SECTORS } from '../support/pattern-rows.ts';
import { workerIdentities } from '../support/worker-identities.ts';

/**
 * Cost of looking into a box that covers ten million single I/Os: ms per report, processor time, the
 * best of several rounds, so that other load on the machine disturbs little.
 *
 *   npm run bench -- box
 */
const ROWS = 10_000_000;
const BATCH_ROWS = 50_000;
const KEYS = 200;

function createInfo() {
  const identities = workerIdentities(KEYS, (i) => packDevice(8, (i % 3) * 16), 1000);
  const device = (dev: number) => ({ dev, name: `8:${dev & 255}`, sizeBytes: DISK_SECTORS * 512 });
  return { identities, device };
}

function createFilled(info: ReturnType<typeof createInfo>): History {
  const history = createHistory({ info, budgetBytes: 2 ** 30 });
  const gapNs = 1e4;
  const batch = createPattern(KEYS, BATCH_ROWS, gapNs);
  for (let rows = 0; rows < ROWS; rows += BATCH_ROWS) {
    history.append(batch);
    for (let row = 0; row < BATCH_ROWS; row++) batch.completeNs[row]! += BATCH_ROWS * gapNs;
  }
  return history;
}

const info = createInfo();
const history = createFilled(info);
const everything = { startNs: 0, endNs: history.endNs + 1, low: 0, high: Infinity };

function bench(name: string, box: Box, filter: Filter = NO_FILTER): void {
  const compiled = compileFilter(filter, info.identities, info);
  const { count } = inspectBox(history, box, compiled, info);
  const ms = bestMs(7, () => inspectBox(history, box, compiled, info));
  process.stdout.write(`${name}: ${count} I/Os in ${ms.toFixed(0)} ms\n`);
}

process.stdout.write(`${history.rows} single I/Os, ${KEYS} keys\n`);
bench('everything by total latency', { ...everything, metric: 'total' });
bench('everything by offset', { ...everything, metric: 'offset' });
bench('a band of sizes', { ...everything, metric: 'size', low: 4096, high: 8192 });
const tail: Box = { ...everything, metric: 'device', low: 1e6 };
bench('the slow tail', tail);
bench('the slow tail of one disk', tail, term('disk', '=', '8:16'));
bench('the slow tail of large I/Os', tail, term('size', '>=', 16_384));
bench('ten seconds', { ...everything, metric: 'total', startNs: 50e9, endNs: 60e9 });
