import { binRows } from '../../../src/heatmap/time/bin-rows.ts';
import { Heatmap } from '../../../src/heatmap/time/heatmap.ts';
import type { Selection } from '../../../src/heatmap/time/heatmap.ts';
import { createLinearScale } from '../../../src/heatmap/axis/linear-scale.ts';
import { createLogScale } from '../../../src/heatmap/axis/log-scale.ts';
import { LiveHeatmap } from '../../../src/heatmap/time/live-heatmap.ts';
import { createHistory } from '../../../src/history/history.ts';
import { createColumns } from '../../../src/model/completion-columns.ts';
import type { CompletionColumns } from '../../../src/model/completion-columns.ts';
import { NO_FILTER, term } from '../../../src/filter/filter.ts';
import { compileFilter } from '../../../src/filter/match/match.ts';
import { IdentityTable } from '../../../src/model/identity-table.ts';
import type { Metric, Weight } from '../../../src/model/metric.ts';
import { drawPane } from '../../../src/raster/draw-pane.ts';
import { layoutPane } from '../../../src/raster/pane-layout.ts';
import { SeededRandom } from '../../random.ts';
import { cpuMs } from '../support/best-ms.ts';

/**
 * Cost of the heat map: ns per appended row, ms per rebuild of 1 and 10 million rows, ms per update
 * and per drawn pane.
 *
 *   npm run bench -- heatmap
 */
const COLUMNS = 200;
const BINS = 90;
const KEYS = 20;

const NAMELESS = { device: () => undefined };

function print(line: string): void {
  process.stdout.write(`${line}\n`);
}

/** Median ms of CPU time of some runs, after one that warms up: others may be using this machine. */
function medianMs(runs: number, work: () => void): number {
  work();
  const times = Array.from({ length: runs }, () => cpuMs(work));
  return times.sort((a, b) => a - b)[runs >> 1]!;
}

/** Latencies over three octaves around 100 µs with a slow tail, nearly in order of completion. */
function createRows(count: number, spanNs: number): CompletionColumns {
  const random = new SeededRandom(1, 1);
  const rows = createColumns(count);
  rows.length = count;
  for (let row = 0; row < count; row++) {
    const slow = random.next() < 0.01 ? 50 : 1;
    const octaves = random.next() + random.next() + random.next() - 1.5;
    rows.completeNs[row] = Math.floor((row / count) * spanNs + random.next() * 1e6);
    rows.deviceNs[row] = 100e3 * slow * 2 ** octaves;
    rows.queueNs[row] = 5e3 * 2 ** (3 * random.next());
    rows.sector[row] = random.below(2 ** 31);
    rows.bytes[row] = 4096 * 2 ** random.below(4);
    rows.identity[row] = random.below(KEYS);
  }
  return rows;
}

function createMap(metric: Metric, kind: 'log' | 'linear', weight: Weight = 'count'): Heatmap {
  const domain = metric === 'offset' ? { low: 0, high: 2 ** 40 } : { low: 10e3, high: 100e6 };
  const scale = (kind === 'log' ? createLogScale : createLinearScale)(domain, BINS);
  return new Heatmap({ metric, weight, scale, columns: COLUMNS, columnNs: 1e9, startNs: 0 });
}

function benchRebuild(rows: CompletionColumns): void {
  const identities = createKeys();
  const filter = compileFilter(term('pid', '=', 1, 2, 3), identities, NAMELESS);
  const filtered: Selection = { fromNs: -Infinity, toNs: Infinity, filter };
  const cases: [Metric, 'log' | 'linear', Selection?, Weight?][] = [
    ['device', 'log'],
    ['device', 'linear'],
    ['total', 'log'],
    ['size', 'log'],
    ['offset', 'linear'],
    ['device', 'log', filtered],
    ['device', 'log', undefined, 'time'],
    ['offset', 'linear', undefined, 'bytes'],
  ];
  for (const [metric, kind, selection, weight] of cases) {
    const ms = medianMs(5, () => {
      binRows(createMap(metric, kind, weight), rows, 0, rows.length, selection);
    });
    const ns = ((ms * 1e6) / rows.length).toFixed(1);
    const what = `${metric} ${kind}${selection === undefined ? '' : ', filtered'}${weight === undefined ? '' : `, by ${weight}`}`;
    print(`rebuild, ${rows.length / 1e6} M rows, ${what}: ${ms.toFixed(0)} ms, ${ns} ns/row`);
  }
}

function createKeys(): IdentityTable {
  const identities = new IdentityTable();
  for (let tgid = 0; tgid < KEYS; tgid++) {
    const key = { dev: 8 << 20, cmdFlags: tgid % 2, tgid, tid: tgid, comm: 'worker', cgroup: 1 };
    identities.intern({ ...key, error: 0, marks: 0 });
  }
  return identities;
}

/** A busy disk as it is followed: batches of 4,000 rows, ten frames a second. */
function benchFollow(): void {
  const identities = createKeys();
  const style = { palette: 'spectrum' as const, unicode: true, color: true };
  const layout = layoutPane(200, 50, style);
  const history = createHistory({ info: { identities, device: () => undefined } });
  const live = new LiveHeatmap(history, {
    metric: 'device',
    scale: 'log',
    outlierCut: 0.001,
    columnNs: 1e9,
    columns: layout.map.width,
    bins: layout.bins,
    filter: compileFilter(NO_FILTER, identities, NAMELESS),
    disks: [],
  });
  const batch = createRows(4000, 40e6);
  let nowNs = 0;
  for (let i = 0; i < 5000; i++, nowNs += 40e6) {
    for (let row = 0; row < batch.length; row++) batch.completeNs[row]! += 40e6;
    history.append(batch);
    live.append(batch);
    if (i % 3 === 0) live.update(nowNs);
  }
  const appendMs = medianMs(200, () => {
    live.append(batch);
  });
  print(
    `append, batches of ${batch.length}: ${((appendMs * 1e6) / batch.length).toFixed(1)} ns/row`,
  );
  const updateMs = medianMs(200, () => {
    live.update(nowNs);
  });
  print(`update without movement: ${updateMs.toFixed(3)} ms`);
  const scrollMs = medianMs(200, () => {
    live.update((nowNs += 1e9));
  });
  print(`update that scrolls a column: ${scrollMs.toFixed(3)} ms`);
  live.update(5000 * 40e6);
  const clockBase = { monotonicNs: 0n, wallNs: 1_772_460_131_250_000_000n };
  const drawMs = medianMs(200, () => {
    drawPane(live, layout, { style, clockBase, frozenAtNs: undefined });
  });
  print(`draw a pane of 200×50: ${drawMs.toFixed(3)} ms`);
}

benchFollow();
for (const millions of [1, 10]) benchRebuild(createRows(millions * 1e6, COLUMNS * 1e9));
