import type { ActivityReport } from '../model/activity.ts';
import { deviceName, ownerIsKnown } from '../model/filter.ts';
import type { CompiledFilter, DeviceNames } from '../model/filter.ts';
import { KeyMark } from '../model/key-table.ts';
import type { CompletionKey, KeyTable } from '../model/key-table.ts';
import { opClassIndex } from '../model/operation.ts';
import { ActivityGroup, BinPool } from './activity-group.ts';
import { DiskRow, ownerName, ProcessRow, TotalsRow } from './activity-rows.ts';
import type { DiskGroup, ProcessGroup } from './activity-rows.ts';
import type { History } from './history.ts';
import { createBinList, Field, METRIC_INDEX } from './slice.ts';
import type { Slice } from './slice.ts';

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
  const spanNs = span.endNs - span.startNs;
  const { processes, disks, waitNs } = tables;
  return {
    spanNs,
    totals: new TotalsRow(tables.total, spanNs),
    processes: processes.map(
      (process) => new ProcessRow(process, deviceName(info, process.owner.dev), spanNs, waitNs),
    ),
    disks: disks.map((disk) => diskRow(disk, history, span, deviceName(info, disk.dev))),
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

function diskRow(group: DiskGroup, history: History, span: Span, disk: string): DiskRow {
  const { startNs, endNs } = span;
  const { dev } = group;
  const utilization = history.utilization(dev, startNs, endNs);
  const isUtilizationPartial = history.isUtilizationPartial(dev, startNs, endNs);
  return new DiskRow(group, { disk, utilization, isUtilizationPartial }, endNs - startNs);
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
    const errors = isError ? count : slice.field(entry, Field.summaryErrors);
    process.addCounts(opClass, count, bytes, errors);
    disk.addCounts(opClass, count, bytes, errors);
    total.addCounts(opClass, count, bytes, errors);
    const hasTotals = slice.readBins(entry, METRIC_INDEX.total, list);
    const filled = hasTotals > 0 ? hasTotals : slice.readBins(entry, METRIC_INDEX.device, list);
    const maxNs = slice.field(entry, hasTotals > 0 ? Field.maxTotalNs : Field.maxDeviceNs);
    process.addTimes(waitNs, maxNs, list, filled);
    disk.addTimes(waitNs, maxNs, list, filled);
    total.addTimes(waitNs, maxNs, list, filled);
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
