import type { ActivityReport, DiskActivity, ProcessActivity, Totals } from '../model/activity.ts';
import { deviceName, ownerIsKnown } from '../model/filter.ts';
import type { CompiledFilter, DeviceNames } from '../model/filter.ts';
import { KeyMark, OTHER_COMM } from '../model/key-table.ts';
import type { CompletionKey, KeyTable } from '../model/key-table.ts';
import { opClassIndex } from '../model/operation.ts';
import { ActivityGroup, BinPool } from './activity-group.ts';
import type { History } from './history.ts';
import { createBinList, Field, METRIC_INDEX } from './slice.ts';
import type { Slice } from './slice.ts';

/** Stands for the owner of I/O that was only counted. */
export const NO_DETAIL_COMM = '(no detail)';
/** Stands for the owner of I/O that was never seen at submission. */
export const UNKNOWN_COMM = '(unknown)';

export interface ActivityInfo extends DeviceNames {
  readonly keys: KeyTable;
}

/**
 * The tables beside the picture, from slices, open ones included. Slices are not divided, so the
 * span grows to their edges, and ends at the present when the last one is still being filled;
 * `spanNs` is the span that was used. Latency is queue and device time together, or device time
 * alone where queue time was not recorded. Shares of waiting relate to all I/O, filtered out or not.
 */
export function reportActivity(
  history: History,
  startNs: number,
  endNs: number,
  filter: CompiledFilter,
  info: ActivityInfo,
): ActivityReport {
  const slices = [...history.slices(startNs, endNs)];
  const span = alignedSpan(history, slices, startNs, endNs);
  pool.clear();
  const tables = new Tables(filter, info.keys);
  for (const slice of slices) tables.addSlice(slice);
  return {
    spanNs: span.endNs - span.startNs,
    totals: totalsOf(tables.total, span),
    processes: tables.processes.map((process) => processRow(process, tables, span, info)),
    disks: tables.disks.map((disk) => diskRow(disk, history, span, info)),
  };
}

/** One array for all reports, which are never made at the same time: it grows to 5 KB per row. */
const pool = new BinPool();
const list = createBinList();

interface Span {
  readonly startNs: number;
  readonly endNs: number;
}

function alignedSpan(
  history: History,
  slices: readonly Slice[],
  startNs: number,
  endNs: number,
): Span {
  const { sliceNs } = history;
  const presentNs = Math.max(endNs, history.endNs);
  const traceStartNs = Math.min(0, Math.floor(history.startNs / sliceNs) * sliceNs);
  let first = Math.max(traceStartNs, Math.floor(startNs / sliceNs) * sliceNs);
  let last = Math.ceil(endNs / sliceNs) * sliceNs;
  for (const slice of slices) {
    first = Math.min(first, slice.startNs);
    last = Math.max(last, slice.endNs);
  }
  return { startNs: first, endNs: Math.max(first, Math.min(last, presentNs)) };
}

interface ProcessGroup {
  readonly owner: CompletionKey;
  readonly group: ActivityGroup;
  isIndirect: boolean;
}

interface DiskGroup {
  readonly dev: number;
  readonly group: ActivityGroup;
}

/** Where the I/O of one key is added. */
interface KeyTarget {
  readonly process: ActivityGroup;
  readonly disk: ActivityGroup;
  readonly opClass: number;
  readonly isError: boolean;
}

/** Adds up slices into the rows of the tables. */
class Tables {
  readonly total = new ActivityGroup(pool);
  readonly processes: ProcessGroup[] = [];
  readonly disks: DiskGroup[] = [];
  /** Of all I/O, whatever the filter. */
  waitNs = 0;
  private readonly targets = new Map<number, KeyTarget>();
  private readonly processById = new Map<string, ProcessGroup>();
  private readonly filter: CompiledFilter;
  private readonly keys: KeyTable;

  constructor(filter: CompiledFilter, keys: KeyTable) {
    this.filter = filter;
    this.keys = keys;
  }

  addSlice(slice: Slice): void {
    for (let entry = 0; entry < slice.entries; entry++) {
      const waitNs = slice.field(entry, Field.deviceNs) + slice.field(entry, Field.queueNs);
      this.waitNs += waitNs;
      const key = slice.key(entry);
      if (this.filter.passesKey(key)) this.addEntry(slice, entry, this.targetOf(key), waitNs);
    }
  }

  private addEntry(slice: Slice, entry: number, target: KeyTarget, waitNs: number): void {
    const { process, disk, opClass, isError } = target;
    const { total } = this;
    const count = slice.field(entry, Field.count);
    const bytes = slice.field(entry, Field.bytes);
    process.addCounts(opClass, count, bytes, isError);
    disk.addCounts(opClass, count, bytes, isError);
    total.addCounts(opClass, count, bytes, isError);
    const hasTotals = slice.readBins(entry, METRIC_INDEX.total, list);
    const filled = hasTotals > 0 ? hasTotals : slice.readBins(entry, METRIC_INDEX.device, list);
    const maxNs = slice.field(entry, hasTotals > 0 ? Field.maxTotalNs : Field.maxDeviceNs);
    const measured = addBins(filled, process.firstBin, disk.firstBin, total.firstBin);
    process.addTimes(waitNs, maxNs, measured);
    disk.addTimes(waitNs, maxNs, measured);
    total.addTimes(waitNs, maxNs, measured);
  }

  private targetOf(key: number): KeyTarget {
    const known = this.targets.get(key);
    if (known !== undefined) return known;
    const facts = this.keys.get(key);
    const target = {
      process: this.processOf(facts),
      disk: this.diskOf(facts.dev),
      opClass: opClassIndex(facts.cmdFlags),
      isError: facts.error !== 0,
    };
    this.targets.set(key, target);
    return target;
  }

  private processOf(key: CompletionKey): ActivityGroup {
    const id = `${key.dev} ${ownerIsKnown(key) ? key.tgid : ''} ${ownerName(key)}`;
    const isIndirect = (key.marks & KeyMark.indirect) !== 0;
    let process = this.processById.get(id);
    if (process === undefined) {
      process = { owner: key, group: new ActivityGroup(pool), isIndirect };
      this.processById.set(id, process);
      this.processes.push(process);
    }
    process.isIndirect &&= isIndirect;
    return process.group;
  }

  private diskOf(dev: number): ActivityGroup {
    const known = this.disks.find((disk) => disk.dev === dev);
    if (known !== undefined) return known.group;
    const group = new ActivityGroup(pool);
    this.disks.push({ dev, group });
    return group;
  }
}

/** Adds the bins in `list` to three histograms of the pool; returns how many I/Os they hold. */
function addBins(filled: number, first: number, second: number, third: number): number {
  const { counts } = pool;
  let sum = 0;
  for (let i = 0; i < filled; i++) {
    const bin = list.bins[i]!;
    const count = list.counts[i]!;
    counts[first + bin]! += count;
    counts[second + bin]! += count;
    counts[third + bin]! += count;
    sum += count;
  }
  return sum;
}

function ownerName(key: CompletionKey): string {
  if ((key.marks & KeyMark.noDetail) !== 0) return NO_DETAIL_COMM;
  if ((key.marks & KeyMark.other) !== 0) return OTHER_COMM;
  return ownerIsKnown(key) ? key.comm : UNKNOWN_COMM;
}

function totalsOf(total: ActivityGroup, { startNs, endNs }: Span): Totals {
  return { ...total.toActivity(endNs - startNs), p999Ns: total.quantileNs(0.999) };
}

function processRow(
  { owner, group, isIndirect }: ProcessGroup,
  tables: Tables,
  { startNs, endNs }: Span,
  info: ActivityInfo,
): ProcessActivity {
  return {
    ...group.toActivity(endNs - startNs),
    tgid: ownerIsKnown(owner) ? owner.tgid : undefined,
    comm: ownerName(owner),
    dev: owner.dev,
    disk: deviceName(info, owner.dev),
    waitShare: tables.waitNs > 0 ? group.waitNs / tables.waitNs : 0,
    indirect: isIndirect,
  };
}

function diskRow(
  { dev, group }: DiskGroup,
  history: History,
  { startNs, endNs }: Span,
  info: ActivityInfo,
): DiskActivity {
  const spanNs = endNs - startNs;
  return {
    ...group.toActivity(spanNs),
    dev,
    disk: deviceName(info, dev),
    utilization: history.utilization(dev, startNs, endNs),
    isUtilizationPartial: history.isUtilizationPartial(dev, startNs, endNs),
    queueDepth: spanNs > 0 ? group.waitNs / spanNs : 0,
  };
}
