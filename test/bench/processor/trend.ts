import { createHistory } from '../../../src/history/history.ts';
import { trendOf } from '../../../src/query/trend/trend.ts';
import { createColumns } from '../../../src/model/completion-columns.ts';
import { NO_FILTER } from '../../../src/filter/filter.ts';
import { compileFilter } from '../../../src/filter/match/match.ts';
import { IdentityTable } from '../../../src/model/identity-table.ts';
import { SeededRandom } from '../../random.ts';
import { cpuMs } from '../support/best-ms.ts';

/**
 * Cost of a trend at 200,000 I/Os per second.
 *
 *   npm run bench -- trend
 */
const KEYS = 40;
const ROWS_PER_SECOND = 200_000;
const SECONDS = 260;

const NAMELESS = { device: () => undefined };

function createKeys(): IdentityTable {
  const identities = new IdentityTable();
  for (let tgid = 0; tgid < KEYS; tgid++) {
    const key = { dev: (8 << 20) + (tgid % 4), cmdFlags: tgid % 2, tgid, tid: tgid, comm: 'w' };
    identities.intern({ ...key, cgroup: 1, error: 0, marks: 0 });
  }
  return identities;
}

const identities = createKeys();
const info = { identities, ...NAMELESS };
const history = createHistory({ info });
const random = new SeededRandom(1, 1);
const batch = createColumns(ROWS_PER_SECOND / 20);
for (let at = 0; at < SECONDS * 20; at++) {
  batch.length = ROWS_PER_SECOND / 20;
  for (let row = 0; row < batch.length; row++) {
    batch.completeNs[row] = at * 50e6 + (row / batch.length) * 50e6;
    batch.deviceNs[row] = 100e3 * 2 ** (4 * random.next());
    batch.queueNs[row] = 5e3 * 2 ** (3 * random.next());
    batch.bytes[row] = 4096;
    batch.identity[row] = random.below(KEYS);
  }
  history.append(batch);
}
const filter = compileFilter(NO_FILTER, identities, NAMELESS);
for (const columnNs of [100e6, 200e6, 500e6, 1e9, 2e9, 10e9]) {
  const count = (): unknown =>
    trendOf(history, { endNs: SECONDS * 1e9, columnNs, columns: 200 }, filter, info);
  const times = Array.from({ length: 12 }, () => cpuMs(count));
  const median = times.slice(2).sort((a, b) => a - b)[5]!;
  process.stdout.write(`trend, 200 columns of ${columnNs / 1e6} ms: ${median.toFixed(1)} ms\n`);
}
