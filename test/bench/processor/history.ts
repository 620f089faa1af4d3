import type { CompletionColumns } from '../../../src/model/completion-columns.ts';
import { packDevice } from '../../../src/model/device.ts';
import { NO_FILTER } from '../../../src/filter/filter.ts';
import { compileFilter } from '../../../src/filter/match/match.ts';
import { createHistory } from '../../../src/history/history.ts';
import type { History } from '../../../src/history/history.ts';
import { reportActivity } from '../../query/fixtures/at-once.ts';
import { bestMs, cpuMs } from '../support/best-ms.ts';
import { createPattern, DISK_SECTORS } from '../support/pattern-rows.ts';
import { workerIdentities } from '../support/worker-identities.ts';

/**
 * Cost of the history: ns per appended row, ms per report, memory of a whole day. Processor time,
 * the best of several rounds, so that other load on the machine disturbs little.
 *
 *   npm run bench -- history
 *
 * With HISTORY_FULL, the day has 10,000 I/Os a second and not 1,000, and takes ten times as long.
 */

function print(line: string): void {
  process.stdout.write(`${line}\n`);
}

function createInfo(keyCount: number) {
  const identities = workerIdentities(keyCount, (i) => packDevice(8, (i % 3) * 16), 1000);
  const device = (dev: number) => ({ dev, name: 'sda', sizeBytes: DISK_SECTORS * 512 });
  return { identities, device };
}

function shift(columns: CompletionColumns, byNs: number): void {
  for (let row = 0; row < columns.length; row++) columns.completeNs[row]! += byNs;
}

function benchAppend(keyCount: number): History {
  const rate = 190_000;
  const batchRows = 4_000;
  const batch = createPattern(keyCount, batchRows, 1e9 / rate);
  const history = createHistory({ info: createInfo(keyCount) });
  const batches = 500;
  const shiftOnly = () => {
    for (let i = 0; i < batches; i++) shift(batch, (batchRows * 1e9) / rate);
  };
  const append = () => {
    for (let i = 0; i < batches; i++) {
      history.append(batch);
      shift(batch, (batchRows * 1e9) / rate);
    }
  };
  const shiftMs = bestMs(10, shiftOnly);
  const nsPerRow = (ms: number) => ((ms - shiftMs) * 1e6) / (batches * batchRows);
  const first = nsPerRow(cpuMs(append));
  const best = nsPerRow(bestMs(10, append));
  print(
    `append, ${keyCount} keys: ${best.toFixed(1)} ns/row, ${first.toFixed(1)} while memory is new`,
  );
  return history;
}

function benchReport(history: History, keyCount: number): void {
  const info = createInfo(keyCount);
  const filter = compileFilter(NO_FILTER, info.identities, info);
  const reports = 50;
  const run = () => {
    for (let i = 0; i < reports; i++) {
      reportActivity(history, history.endNs - 5e9, history.endNs, filter, info);
    }
  };
  print(`report over 5 s, ${keyCount} keys: ${(bestMs(10, run) / reports).toFixed(3)} ms`);
}

function benchQuery(history: History): void {
  let sum = 0;
  let bins = 0;
  const ms = cpuMs(() => {
    for (const slice of history.query(history.startNs, history.endNs + 1).slices) {
      slice.forEachBin('device', (_key, _bin, count) => {
        sum += count;
        bins++;
      });
    }
  });
  print(`query of all slices: ${bins} bins, ${sum} I/Os in ${ms.toFixed(1)} ms`);
}

/**
 * A day at 10,000 I/Os a second with 20 keys, thinned: 1,000 a second. Slices cost by filled bins,
 * and 50 rows per key and second fill fewer of them than 500 do, so the finest slices come out
 * smaller than at the full rate; from ten seconds on, they are as full. `--full` thins nothing.
 */
function benchDay(rate: number): void {
  const keyCount = 20;
  const history = createHistory({ info: createInfo(keyCount) });
  const batch = createPattern(keyCount, rate, 1e9 / rate);
  let most = 0;
  const ms = cpuMs(() => {
    for (let second = 0; second < 86_400; second++) {
      history.append(batch);
      shift(batch, 1e9);
      if (second % 600 === 0) most = Math.max(most, history.memoryBytes);
    }
  });
  const sliceMb = (history.memoryBytes - history.rows * 32) / 2 ** 20;
  print(`a day at ${rate} rows/s, ${keyCount} keys: ${sliceMb.toFixed(1)} MB next to the rows,`);
  print(`  ${(most / 2 ** 20).toFixed(1)} MB at most, appended in ${(ms / 1e3).toFixed(1)} s`);
  print(`  single I/Os held: ${history.rows}`);
  benchQuery(history);
}

for (const keyCount of [20, 200, 1000]) benchReport(benchAppend(keyCount), keyCount);
benchDay(process.env['HISTORY_FULL'] !== undefined ? 10_000 : 1_000);
