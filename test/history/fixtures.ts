import fc from 'fast-check';
import { createColumns, resultsOf } from '../../src/model/completion-columns.ts';
import type { CompletionColumns } from '../../src/model/completion-columns.ts';
import { packDevice } from '../../src/model/device.ts';
import { fineBin, FINE_BINS, OFFSET_BINS } from '../../src/model/fine-bins.ts';
import { IdentityMark } from '../../src/model/identity.ts';
import { IdentityTable } from '../../src/model/identity-table.ts';
import type { Identity } from '../../src/model/identity.ts';
import type { CompletionSummary } from '../../src/trace/completion-summary.ts';
import type { History } from '../../src/history/history.ts';
import type { HistoryInfo } from '../../src/history/slices/identity-facts.ts';
import { SLICE_METRICS } from '../../src/history/slices/slice.ts';
import type { SliceMetric } from '../../src/history/slices/slice.ts';

/** Its size is known. */
export const SDA = packDevice(8, 0);
/** Its size is not known. */
export const LOOP = packDevice(7, 0);
const SDA_SECTORS = 2 ** 21;

export interface Row {
  readonly completeNs: number;
  readonly deviceNs: number;
  readonly queueNs: number;
  readonly sector: number;
  readonly bytes: number;
  readonly key: number;
  /** Number in the `FileTable`; default: unknown. */
  readonly file?: number;
  /** Unknown if absent. */
  readonly fileOffset?: number;
  readonly result?: number;
}

export function keyOf(changes: Partial<Identity> = {}): Identity {
  const key = { dev: SDA, cmdFlags: 0, tgid: 1, tid: 1, comm: 'a', cgroup: 1, error: 0, marks: 0 };
  return { ...key, ...changes };
}

export function createInfo(keys: readonly Identity[] = [keyOf()]): HistoryInfo {
  const table = new IdentityTable();
  for (const key of keys) table.intern(key);
  const known = { dev: SDA, name: 'sda', sizeBytes: SDA_SECTORS * 512 };
  return { identities: table, device: (dev) => (dev === SDA ? known : undefined) };
}

/** Processes 1 to 4 on two disks, reading and writing, some of it failing. */
export function someKeys(): Identity[] {
  return [1, 2, 3, 4].flatMap((tgid) => [
    keyOf({ tgid, comm: `p${tgid}` }),
    keyOf({ tgid, comm: `p${tgid}`, dev: LOOP, cmdFlags: 1, error: tgid === 4 ? -5 : 0 }),
  ]);
}

export function columnsOf(rows: readonly Partial<Row>[]): CompletionColumns {
  const columns = createColumns(rows.length);
  rows.forEach((row, i) => {
    columns.completeNs[i] = row.completeNs ?? 0;
    columns.deviceNs[i] = row.deviceNs ?? 1_000;
    columns.queueNs[i] = row.queueNs ?? 100;
    columns.sector[i] = row.sector ?? 0;
    columns.bytes[i] = row.bytes ?? 4096;
    columns.identity[i] = row.key ?? 0;
    columns.file[i] = row.file ?? 0;
    columns.fileOffset[i] = row.fileOffset ?? NaN;
    if (row.result !== undefined) resultsOf(columns)[i] = row.result;
  });
  columns.length = rows.length;
  return columns;
}

export function summaryOf(changes: Partial<CompletionSummary> = {}): CompletionSummary {
  const fine = () => new Uint32Array(FINE_BINS);
  return {
    startNs: 0,
    endNs: 100,
    identity: 0,
    count: 0,
    bytes: 0,
    deviceNsSum: 0,
    queueNsSum: 0,
    maxDeviceNs: 0,
    maxQueueNs: 0,
    device: fine(),
    queue: fine(),
    total: fine(),
    size: fine(),
    offset: new Uint32Array(OFFSET_BINS),
    offsetShift: 0,
    ...changes,
  };
}

/** A summary of `count` I/Os that all took, weighed and lay the same. */
export function uniformSummary(
  atNs: number,
  key: number,
  count: number,
  row: Row,
): CompletionSummary {
  const summary = summaryOf({
    startNs: atNs,
    endNs: atNs,
    identity: key,
    count,
    bytes: count * row.bytes,
    deviceNsSum: count * row.deviceNs,
    queueNsSum: count * row.queueNs,
    maxDeviceNs: row.deviceNs,
    maxQueueNs: row.queueNs,
    offsetShift: 14,
  });
  summary.device[fineBin(row.deviceNs)] = count;
  summary.queue[fineBin(row.queueNs)] = count;
  summary.total[fineBin(row.deviceNs + row.queueNs)] = count;
  summary.size[fineBin(row.bytes)] = count;
  summary.offset[Math.min(OFFSET_BINS - 1, Math.floor(row.sector / 2 ** 14))] = count;
  return summary;
}

/** Offset bins are compared at this width, which is none too narrow for any trace below. */
const COARSE_SHIFT = 20;

function binOf(metric: SliceMetric, row: Row): number | undefined {
  if (metric === 'offset') {
    return Number.isNaN(row.sector) ? undefined : Math.floor(row.sector / 2 ** COARSE_SHIFT);
  }
  const value = {
    device: row.deviceNs,
    queue: row.queueNs,
    total: row.deviceNs + row.queueNs,
    size: row.bytes,
  }[metric];
  return Number.isNaN(value) ? undefined : fineBin(value);
}

/** Counts by "metric key bin". */
export type Counts = Map<string, number>;

function addCount(counts: Counts, id: string, count: number): void {
  counts.set(id, (counts.get(id) ?? 0) + count);
}

export function countRow(counts: Counts, row: Row, key: number, count = 1): void {
  for (const metric of SLICE_METRICS) {
    const bin = binOf(metric, row);
    if (bin !== undefined) addCount(counts, `${metric} ${key} ${bin}`, count);
  }
}

/** Everything in a range by a query, rows and slices together. */
export function queryCounts(history: History, startNs: number, endNs: number): Counts {
  const counts: Counts = new Map();
  const query = history.query(startNs, endNs);
  for (const { rows, from, to } of query.chunks) {
    for (let i = from; i < to; i++) {
      const at = rows.completeNs[i]!;
      if (at >= query.rowsFromNs && at < endNs) countRow(counts, rowAt(rows, i), rows.identity[i]!);
    }
  }
  for (const slice of query.slices) {
    for (const metric of SLICE_METRICS) {
      slice.forEachBin(metric, (key, bin, count, shift) => {
        const coarse = metric === 'offset' ? bin >> (COARSE_SHIFT - shift) : bin;
        addCount(counts, `${metric} ${key} ${coarse}`, count);
      });
    }
  }
  return counts;
}

export function rowAt(rows: CompletionColumns, i: number): Row {
  return {
    completeNs: rows.completeNs[i]!,
    deviceNs: rows.deviceNs[i]!,
    queueNs: rows.queueNs[i]!,
    sector: rows.sector[i]!,
    bytes: rows.bytes[i]!,
    key: rows.identity[i]!,
  };
}

export interface TraceStep {
  /** Time since the step before; negative for rows that come late. */
  readonly afterNs: number;
  readonly row: Row;
  /** 0 for a row, else so many I/Os in a summary. */
  readonly summarised: number;
}

/** Times are in units that make a slice 1,000 ns wide. */
export function anyTrace(keyCount: number): fc.Arbitrary<TraceStep[]> {
  const row = fc.record({
    completeNs: fc.constant(0),
    deviceNs: fc.oneof(fc.integer({ min: 0, max: 5_000 }), fc.constant(NaN)),
    queueNs: fc.oneof(fc.integer({ min: 0, max: 300 }), fc.constant(NaN)),
    sector: fc.oneof(
      fc.integer({ min: 0, max: SDA_SECTORS - 1 }),
      fc.integer({ min: 0, max: SDA_SECTORS * 32 }),
      fc.constant(NaN),
    ),
    bytes: fc.constantFrom(0, 512, 4096, 2 ** 32 - 1),
    key: fc.nat(keyCount - 1),
  });
  const step = fc.record({
    afterNs: fc.oneof(
      { weight: 20, arbitrary: fc.integer({ min: 0, max: 900 }) },
      { weight: 4, arbitrary: fc.integer({ min: -3_000, max: 0 }) },
      { weight: 1, arbitrary: fc.integer({ min: -90_000, max: 40_000 }) },
    ),
    row,
    summarised: fc.oneof(
      { weight: 8, arbitrary: fc.constant(0) },
      { weight: 1, arbitrary: fc.integer({ min: 1, max: 1_000 }) },
    ),
  });
  return fc.array(step, { maxLength: 300, size: 'max' });
}

/** Appends a trace in batches and returns what it holds: rows and summaries with their true times. */
export function appendTrace(
  history: Pick<History, 'append' | 'appendAggregate'>,
  identities: IdentityTable,
  steps: readonly TraceStep[],
  batchRows: number,
): { row: Row; key: number; count: number }[] {
  const truth: { row: Row; key: number; count: number }[] = [];
  let batch: Row[] = [];
  let nowNs = 100_000;
  for (const { afterNs, row, summarised } of steps) {
    const completeNs = nowNs + afterNs;
    nowNs = Math.max(nowNs, completeNs);
    if (summarised === 0) {
      const timed = { ...row, completeNs };
      batch.push(timed);
      truth.push({ row: timed, key: row.key, count: 1 });
    } else {
      const known = { ...row, completeNs, deviceNs: row.deviceNs || 7, queueNs: row.queueNs || 9 };
      const timed = { ...known, sector: (row.sector || 0) % SDA_SECTORS };
      const key = identities.intern({ ...identities.get(row.key), marks: SUMMARY_MARKS });
      history.appendAggregate(uniformSummary(completeNs, key, summarised, timed));
      truth.push({ row: timed, key, count: summarised });
    }
    if (batch.length >= batchRows) {
      history.append(columnsOf(batch));
      batch = [];
    }
  }
  history.append(columnsOf(batch));
  return truth;
}

/** As the kernel's own summaries have them. */
const SUMMARY_MARKS = IdentityMark.noDetail | IdentityMark.ownerUnknown;
