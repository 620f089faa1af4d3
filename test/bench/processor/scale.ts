import { openSync } from 'node:fs';
import { join } from 'node:path';
import { FrameBudget } from '../../../src/app/session/frame-budget.ts';
import { NO_FILTER } from '../../../src/filter/filter.ts';
import { HANDOVER_VERSION } from '../../../src/kernel/attach/trace-handover.ts';
import type { TraceHandover } from '../../../src/kernel/attach/trace-handover.ts';
import { kernelNowNs, readClockBase } from '../../../src/kernel/machine/clock-base.ts';
import { openLiveSource } from '../../../src/kernel/live/live-source.ts';
import type { LiveSource } from '../../../src/kernel/live/live-source.ts';
import type { Activity, ActivityReport } from '../../../src/model/activity.ts';
import { IdentityTable } from '../../../src/model/identity-table.ts';
import { Monitor } from '../../../src/monitor/monitor.ts';
import type { Picture } from '../../../src/monitor/monitor.ts';
import { MAPS, simulatedDev } from '../support/simulated-kernel.ts';
import type { MapName } from '../support/simulated-kernel.ts';
import { completionsPerSecond } from '../../../src/ui/text/figures.ts';
import { READY } from '../support/scale-reader.ts';
import type { ReaderOrder, ReaderReport } from '../support/scale-reader.ts';
import { must } from '../../must.ts';
import { processorUs } from '../../../src/base/processor-time.ts';

/**
 * The reader of a simulated kernel: the live source, the history, a picture and the tables, as often as the session asks
 * for them. Ends when its input ends, once everything is read. Started by the benchmark `scale`.
 */
/** As in the session: where few rows come, it looks for them less often. */
const PUMP_MS = 50;
const FEW_MS = 250;
const MANY_ROWS_PER_MS = 2;
const FRAME_MS = 250;
const REPORT_MS = 1000;
const HISTORY_BYTES = 64 * 2 ** 20;
const PICTURE: Picture = {
  ...{ metric: 'total', scale: 'log', outlierCut: 0 },
  ...{ columnNs: 250e6, columns: 200, bins: 40 },
};

const order = JSON.parse(process.env['SCALE_READER']!) as ReaderOrder;

function open(): LiveSource {
  const fdOf = (name: MapName): number => openSync(join(order.folder, name), 'r+');
  const fds = Object.fromEntries(MAPS.map((name) => [name, fdOf(name)])) as Record<MapName, number>;
  const { monotonicNs, wallNs } = readClockBase();
  const { ringBytes, slots, devices, stripes, cpus } = order.sizes;
  const handover: TraceHandover = {
    version: HANDOVER_VERSION,
    ...{ monotonicNs: String(monotonicNs), wallNs: String(wallNs) },
    ring: { fd: fds.ring, bytes: ringBytes },
    inflight: { fd: fds.inflight, slots },
    extents: { fd: fds.extents },
    summaries: { fd: fds.summaries, devices, stripes },
    counters: { fd: fds.counters, cpus },
    control: { fd: fds.control },
    ...{ links: [], programs: [], missing: [], countsWaiting: true },
  };
  const source = must(openLiveSource(handover, new IdentityTable(), { budget: order.budget }));
  source.setFilter({ devs: [...Array(order.sizes.disks).keys()].map(simulatedDev) });
  return source;
}

const source = open();
const monitor = new Monitor({ source, historyBytes: HISTORY_BYTES, filter: NO_FILTER });
const frames = order.budget === undefined ? undefined : new FrameBudget(order.budget);
let [framedMs, reportedMs] = [-Infinity, -Infinity];

/** Since the start, or since the measurement began. Processor time in µs. */
const spent = { rowsUs: 0, takesUs: 0, takes: 0, allUs: 0, rows: 0, atMs: 0, fromNs: 0 };

function nowNs(): number {
  return Number(kernelNowNs() - source.info.clockBase.monotonicNs);
}

function beginMeasuring(): void {
  const fromNs = monitor.history.endNs;
  const { rowsTaken } = monitor;
  const [allUs, atMs] = [processorUs(), performance.now()];
  Object.assign(spent, { rowsUs: 0, takesUs: 0, takes: 0, allUs, rows: rowsTaken, atMs, fromNs });
}

let looked = { rows: 0, atMs: performance.now() };

function isBusy(): boolean {
  const before = looked;
  looked = { rows: monitor.rowsTaken, atMs: performance.now() };
  return looked.rows - before.rows >= MANY_ROWS_PER_MS * (looked.atMs - before.atMs);
}

function tick(): void {
  work();
  timer = setTimeout(tick, isBusy() ? PUMP_MS : FEW_MS);
}

function work(): void {
  if (spent.atMs === 0 && performance.now() >= order.warmMs) beginMeasuring();
  const beforeUs = processorUs();
  monitor.pump(undefined, () => false);
  spent.rowsUs += processorUs() - beforeUs;
  const sinceMs = performance.now() - framedMs;
  if (sinceMs < Math.max(FRAME_MS, (frames?.apartNs ?? 0) / 1e6)) return;
  framedMs = performance.now();
  const rowsUntilUs = processorUs();
  monitor.pump(0);
  spent.takesUs += processorUs() - rowsUntilUs;
  spent.takes++;
  if (frames === undefined) paint();
  else {
    frames.draw(paint);
    const { oneIn = 1 } = monitor.arrived().completeness;
    frames.look(PICTURE.columnNs, oneIn > 1);
  }
}

function paint(): void {
  monitor.show(PICTURE, nowNs());
  if (performance.now() - reportedMs < REPORT_MS) return;
  reportedMs = performance.now();
  monitor.report({ scope: 'recent', startNs: nowNs() - 2e9, endNs: nowNs() - 1e9 });
}

function report(): ReaderReport {
  const ms = performance.now() - spent.atMs;
  const rows = monitor.rowsTaken - spent.rows;
  const measured = {
    share: (processorUs() - spent.allUs) / 1000 / ms,
    rowUs: spent.rowsUs / rows,
    takeUs: spent.takesUs / spent.takes,
    takesPerSecond: (spent.takes * 1000) / ms,
    rowsPerSecond: (rows * 1000) / ms,
    rssBytes: process.memoryUsage.rss(),
  };
  while (!monitor.pump());
  // A summary that was being written at the last look.
  monitor.pump();
  const { delivered, summarised, lost, oneIn = 1 } = source.counters();
  const { totals, spanNs } = reportFrom(-Infinity);
  const reported = Math.round(countOf(totals, spanNs));
  return { ...measured, delivered, summarised, lost, oneIn, reported, owners: owners() };
}

function owners(): ReaderReport['owners'] {
  const { processes, spanNs } = reportFrom(spent.fromNs);
  return processes.map((one) => ({
    tgid: one.tgid ?? 0,
    count: countOf(one, spanNs),
    margin: one.margin ?? 0,
  }));
}

function reportFrom(fromNs: number): ActivityReport {
  const startNs = Math.max(fromNs, monitor.history.startNs);
  return monitor.report({ scope: 'picture', startNs, endNs: nowNs() }, 'process');
}

function countOf(one: Activity, spanNs: number): number {
  return (completionsPerSecond(one) * spanNs) / 1e9;
}

let timer = setTimeout(tick, PUMP_MS);
process.stdin.on('end', () => {
  clearTimeout(timer);
  process.stdout.write(JSON.stringify(report()));
  source.dispose();
});
process.stdin.resume();
process.stdout.write(READY);
