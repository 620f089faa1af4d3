import type { RowChunk } from '../../history/event-ring.ts';
import type { Visitor } from '../../history/scan/visitor.ts';
import type { CompletionColumns } from '../../model/completion-columns.ts';
import { JUDGED_ROWS } from '../../filter/match/match.ts';
import type { CompiledFilter } from '../../filter/match/match.ts';
import { hostNumberOf } from '../../model/device.ts';
import { fileNumber, folderText } from '../../model/file.ts';
import {
  cgroupOf,
  commandIsKnown,
  IdentityMark,
  ownerIsKnown,
  tidOf,
} from '../../model/identity.ts';
import type { Identity } from '../../model/identity.ts';
import type { IdentityTable } from '../../model/identity-table.ts';
import { hasQueue, layerOf } from '../../model/layer.ts';
import type { TraceLatency } from '../../model/layer.ts';
import type { Grouping, Latency } from '../../model/metric.ts';
import { isAfterFlush } from '../../model/operation.ts';
import { Verdict } from '../../filter/verdict.ts';
import { tallyClass } from '../tally/tally.ts';
import type { Tally } from '../tally/tally.ts';
import { isOfFiles } from '../../model/metric.ts';
import { ownerName, placeholder } from './activity-rows.ts';
import type { DiskGroup, ProcessGroup } from './activity-rows.ts';
import { CountEstimates } from './count-estimates.ts';
import { rangesOfEntry } from '../../history/estimate/known-ranges.ts';
import { knownValues, latencySum, sumsOfEntry } from '../../history/estimate/known-sums.ts';
import {
  createBinList,
  Field,
  MAX_FIELDS,
  METRIC_INDEX,
  readLatencies,
} from '../../history/slices/slice.ts';
import type { Slice } from '../../history/slices/slice.ts';
import type { SliceView } from '../../history/slices/slice-view.ts';

const list = createBinList();
const queues = createBinList();

/** The tally rows to which I/O of one identity is added. */
interface Target extends DiskTarget {
  readonly process: number;
}

interface DiskTarget {
  readonly disk: number;
  readonly opClass: number;
  readonly isError: boolean;
  /**
   * Whether the queue latency counts as device time: the disk flushes its cache before the write is issued, which is
   * work of the disk, not queueing. Also where there is no queue, or none is known.
   */
  readonly isUnqueued: boolean;
}

/** Instead of a file number: rows are not files, or the I/O is aggregated. */
const NOT_ASKED = -1;
/** More than the number of identities. */
const IDENTITIES = 2 ** 21;

/** The trace whose I/O is counted. */
interface CountedTrace {
  readonly identities: IdentityTable;
  readonly origin?: { readonly latency?: TraceLatency };
}

/** Adds up slices and single I/Os into the rows of the tables. */
export class ActivityTables implements Visitor {
  /** The row with the totals of everything. */
  readonly total: number;
  readonly processes: ProcessGroup[] = [];
  readonly disks: DiskGroup[] = [];
  /** Disks of I/O that only `beside` matches. That I/O is in no other row. */
  readonly disksBeside: DiskGroup[] = [];
  /** Waiting time of all I/O of the layer, whatever the filter. */
  waitNs = 0;
  /** I/Os that may or may not match the filter. */
  undecidedCount = 0;
  /** By row of the tally. */
  private readonly estimates = new CountEstimates<number>();
  private readonly estimatesBeside = new CountEstimates<number>();
  /** By identity, or where rows are files, by identity and file. */
  private readonly targets = new Map<number, Target>();
  private readonly targetsBeside = new Map<number, DiskTarget>();
  private readonly processById = new Map<string, ProcessGroup>();
  private readonly filter: CompiledFilter;
  private readonly identities: IdentityTable;
  private readonly traceLatency: TraceLatency;
  private readonly grouping: Grouping;

  /** Reuses the tally: tables that were built on it before become invalid. */
  constructor(
    filter: CompiledFilter,
    info: CountedTrace,
    grouping: Grouping,
    private readonly latency: Latency,
    readonly tally: Tally,
    private readonly beside?: CompiledFilter,
  ) {
    this.filter = filter;
    this.identities = info.identities;
    this.traceLatency = info.origin?.latency;
    this.grouping = grouping;
    tally.reset();
    this.total = tally.claim();
  }

  addWait(slice: Slice): void {
    for (let entry = 0; entry < slice.entries; entry++)
      if (this.filter.isSummed(slice.identity(entry))) this.waitNs += waitOf(slice, entry);
  }

  /** Adds a whole slice. None of its I/Os may have been added as a row. */
  addWhole(slice: Slice): void {
    for (let entry = 0; entry < slice.entries; entry++) this.addEntry(slice, entry);
  }

  /** Slices are not divided. The stretch of a recent aggregate may cross an edge: it counts where its middle is. */
  addSlice(view: SliceView, fromNs: number, toNs: number): void {
    const middleNs = (view.startNs + view.endNs) / 2;
    if (!(middleNs >= fromNs && middleNs < toNs)) return;
    view.forEachShown((slice, entry) => {
      this.addEntry(slice, entry);
    });
  }

  addRows({ rows, from, to }: RowChunk, fromNs: number, endNs: number): void {
    for (let start = from; start < to; start += JUDGED_ROWS)
      this.addBlock(rows, start, Math.min(to, start + JUDGED_ROWS), fromNs, endNs);
  }

  private addBlock(
    rows: CompletionColumns,
    from: number,
    to: number,
    fromNs: number,
    endNs: number,
  ): void {
    const verdicts = this.filter.judgeRows(rows, from, to);
    const beside = this.beside?.judgeRows(rows, from, to);
    const { completeNs, identity, file } = rows;
    const asksFile = isOfFiles(this.grouping);
    for (let row = from; row < to; row++) {
      const verdict = verdicts[row - from]!;
      const at = completeNs[row]!;
      if (!(at >= fromNs && at < endNs)) continue;
      if (verdict === Verdict.no) {
        if (beside?.[row - from] === Verdict.yes) this.addRowBeside(rows, row);
      } else if (verdict === Verdict.yes)
        this.addRow(
          rows,
          row,
          this.targetOf(identity[row]!, asksFile ? fileNumber(file[row]!) : NOT_ASKED),
        );
      else this.undecidedCount++;
    }
  }

  private addRowBeside(rows: CompletionColumns, row: number): void {
    const { tally } = this;
    const { disk, opClass, isError, isUnqueued } = this.targetBeside(rows.identity[row]!);
    const [deviceNs, queueNs] = [rows.deviceNs[row]!, rows.queueNs[row]!];
    const totalNs = deviceNs + queueNs;
    const waitNs = totalNs >= 0 ? totalNs : (deviceNs || 0) + (queueNs || 0);
    tally.add(disk, opClass, 1, rows.bytes[row]!, waitNs, isError ? 1 : 0);
    tally.latencies.add(disk, totalNs >= 0 ? totalNs : deviceNs);
    tally.addQueue(disk, totalNs >= 0 && !isUnqueued ? queueNs : NaN);
  }

  private addRow(rows: CompletionColumns, row: number, target: Target): void {
    const { process, disk, opClass, isError, isUnqueued } = target;
    const { tally, total } = this;
    const { latencies } = tally;
    const deviceNs = rows.deviceNs[row]!;
    const queueNs = rows.queueNs[row]!;
    const totalNs = deviceNs + queueNs;
    const waitNs = totalNs >= 0 ? totalNs : (deviceNs || 0) + (queueNs || 0);
    const timeNs = totalNs >= 0 ? totalNs : deviceNs;
    const bytes = rows.bytes[row]!;
    const errors = isError ? 1 : 0;
    tally.add(process, opClass, 1, bytes, waitNs, errors);
    tally.add(disk, opClass, 1, bytes, waitNs, errors);
    tally.add(total, opClass, 1, bytes, waitNs, errors);
    latencies.add(process, timeNs);
    latencies.add(disk, timeNs);
    // An empty flush is never issued, so its queue latency is not time before an issue.
    const beforeIssueNs = totalNs >= 0 ? queueNs : NaN;
    const waitedNs = isUnqueued ? NaN : beforeIssueNs;
    latencies.add(total, this.latencyOf(timeNs, deviceNs, queueNs));
    tally.addQueue(process, waitedNs);
    tally.addQueue(disk, waitedNs);
    tally.addQueue(total, waitedNs);
  }

  /** The latency of which the overall percentiles are computed. */
  private latencyOf(totalNs: number, deviceNs: number, queueNs: number): number {
    if (this.latency === 'total') return totalNs;
    return this.latency === 'device' ? deviceNs : queueNs;
  }

  private addEntry(slice: Slice, entry: number): void {
    const identity = slice.identity(entry);
    const verdict = this.judgeEntry(slice, entry, identity, this.filter);
    const variance = slice.field(entry, Field.countVariance);
    const target = verdict === Verdict.yes ? this.targetOf(identity, NOT_ASKED) : undefined;
    const rows = target && [target.process, target.disk];
    this.estimates.add(this.identities.get(identity), variance, rows);
    if (target !== undefined) this.addMatching(slice, entry, target);
    else if (verdict === Verdict.maybe) this.undecidedCount += slice.field(entry, Field.count);
    else if (this.beside !== undefined) this.addEntryBeside(slice, entry, identity, this.beside);
  }

  private addEntryBeside(
    slice: Slice,
    entry: number,
    identity: number,
    beside: CompiledFilter,
  ): void {
    const isMatch = this.judgeEntry(slice, entry, identity, beside) === Verdict.yes;
    const variance = slice.field(entry, Field.countVariance);
    const target = isMatch ? this.targetBeside(identity) : undefined;
    const rows = target && [target.disk];
    this.estimatesBeside.add(this.identities.get(identity), variance, rows);
    if (target !== undefined) this.addPassing(slice, entry, target, [target.disk]);
  }

  private judgeEntry(
    slice: Slice,
    entry: number,
    identity: number,
    filter: CompiledFilter,
  ): Verdict {
    const verdict = filter.judge(identity);
    if (verdict !== Verdict.maybe || filter.quantities.length === 0) return verdict;
    const ranges = rangesOfEntry(slice, entry, filter.quantities);
    return filter.judge(identity, (quantity) => ranges[quantity]);
  }

  private addMatching(slice: Slice, entry: number, target: Target): void {
    this.addPassing(slice, entry, target, [target.process, target.disk, this.total]);
    if (this.latency === 'total') return;
    const part = slice.readBins(entry, METRIC_INDEX[this.latency], list);
    const partMaxNs = slice.field(entry, MAX_FIELDS[this.latency]);
    this.tally.latencies.addBins(this.total, list, part, 1, partMaxNs);
  }

  private addPassing(
    slice: Slice,
    entry: number,
    { opClass, isError, isUnqueued }: DiskTarget,
    tallyRows: readonly number[],
  ): void {
    const { tally } = this;
    const waitNs = waitOf(slice, entry);
    const count = slice.field(entry, Field.count);
    const bytes = slice.field(entry, Field.bytes);
    const errors = isError ? count : slice.field(entry, Field.aggregateErrors);
    const { filled, maxNs, hasTotals } = readLatencies(slice, entry, list);
    // A total latency requires both parts.
    const queueNs = hasTotals && !isUnqueued ? queueNsOfTotals(slice, entry, filled) : NaN;
    for (const row of tallyRows) {
      tally.add(row, opClass, count, bytes, waitNs, errors);
      tally.addQueue(row, queueNs);
      if (row !== this.total || this.latency === 'total')
        tally.latencies.addBins(row, list, filled, 1, maxNs);
    }
  }

  /** Call it once, when everything has been added. */
  finish(): this {
    const { tally } = this;
    for (const { group } of [...this.disks, ...this.processes])
      tally.addCountVariance(group, this.estimates.varianceOf(group));
    for (const { group } of this.disksBeside)
      tally.addCountVariance(group, this.estimatesBeside.varianceOf(group));
    tally.addCountVariance(this.total, this.estimates.variance());
    return this;
  }

  private targetOf(identity: number, file: number): Target {
    const id = identity + (file + 1) * IDENTITIES;
    const known = this.targets.get(id);
    if (known !== undefined) return known;
    const facts = this.identities.get(identity);
    const process = this.processOf(facts, file);
    const target = { process, ...this.diskTarget(facts, this.disks) };
    for (const row of [process, this.total]) this.tally.note(row, facts);
    this.targets.set(id, target);
    return target;
  }

  private targetBeside(identity: number): DiskTarget {
    const known = this.targetsBeside.get(identity);
    if (known !== undefined) return known;
    const target = this.diskTarget(this.identities.get(identity), this.disksBeside);
    this.targetsBeside.set(identity, target);
    return target;
  }

  private diskTarget(facts: Identity, disks: DiskGroup[]): DiskTarget {
    const disk = this.diskOf(facts, disks);
    this.tally.note(disk, facts);
    return {
      disk,
      opClass: tallyClass(facts),
      isError: facts.error !== 0,
      isUnqueued: isAfterFlush(facts) || !hasQueue(layerOf(facts), this.traceLatency),
    };
  }

  private processOf(identity: Identity, file: number): number {
    const id = isOfFiles(this.grouping) ? this.fileRowId(file) : rowId(identity, this.grouping);
    const cgroup = cgroupOf(identity);
    let process = this.processById.get(id);
    if (process === undefined) {
      const group = this.tally.claim();
      const [devs, tgids] = [new Set<number>(), new Set<number>()];
      process = {
        ...{ owner: identity, group, devs, tgids, cgroup, file },
        ...{ isIndirect: true, hasSeveralWriters: false, hasMoreProcesses: false },
        vias: new Set<string>(),
      };
      this.processById.set(id, process);
      this.processes.push(process);
    }
    process.devs.add(identity.dev);
    if (ownerIsKnown(identity)) process.tgids.add(identity.tgid);
    else process.hasMoreProcesses = true;
    process.isIndirect &&= (identity.marks & IdentityMark.indirect) !== 0;
    process.hasSeveralWriters ||= (identity.marks & IdentityMark.severalWriters) !== 0;
    if (identity.via !== undefined) process.vias.add(identity.via);
    if (process.cgroup !== cgroup) process.cgroup = undefined;
    return process.group;
  }

  /** Hosts may have folders with the same path. */
  private fileRowId(file: number): string {
    if (this.grouping !== 'folder' || file === NOT_ASKED) return String(file);
    const facts = this.identities.files.get(file);
    const folder = folderText(facts);
    return folder === undefined ? String(file) : `${hostNumberOf(facts.dev)} ${folder}`;
  }

  private diskOf(identity: Identity, disks: DiskGroup[]): number {
    const { dev } = identity;
    const known = disks.find((disk) => disk.dev === dev);
    if (known !== undefined) return known.group;
    const group = this.tally.claim();
    disks.push({ dev, layer: layerOf(identity), group });
    return group;
  }
}

/** Identities with the same ID share a row. */
function rowId(identity: Identity, grouping: Grouping): string {
  if (grouping === 'cgroup') return String(cgroupOf(identity) ?? placeholder(identity));
  if (grouping === 'name') return `${commandIsKnown(identity)} ${ownerName(identity)}`;
  const owner = `${ownerIsKnown(identity) ? identity.tgid : ''} ${ownerName(identity)}`;
  if (grouping === 'thread') return `${tidOf(identity) ?? ''} ${owner}`;
  return grouping === 'process' ? owner : `${identity.dev} ${owner}`;
}

/** The queue latency of I/O that has a total latency, of which `list` is the histogram. */
function queueNsOfTotals(slice: Slice, entry: number, filled: number): number {
  const sums = sumsOfEntry(slice, entry);
  const totals = knownValues(list, filled);
  if (totals.count === sums.count) return sums.queueNs;
  const queued = knownValues(queues, slice.readBins(entry, METRIC_INDEX.queue, queues));
  if (totals.count === queued.count) return sums.queueNs;
  return Math.max(0, latencySum('total', sums, totals) - sums.deviceNs);
}

function waitOf(slice: Slice, entry: number): number {
  return slice.field(entry, Field.deviceNs) + slice.field(entry, Field.queueNs);
}
