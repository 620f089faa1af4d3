import type { TraceOrigin } from '../../trace/event-source.ts';
import type { ShouldYield } from '../../base/time.ts';
import type {
  ActivityReport,
  DiskInFlight,
  InFlightByDisk,
  ReportScope,
} from '../../model/activity.ts';
import { deviceName } from '../../model/device.ts';
import type { DeviceNames } from '../../model/device.ts';
import type { IdentityNames } from '../../model/identity-names.ts';
import type { CompiledFilter } from '../../filter/match/match.ts';
import type { IdentityTable } from '../../model/identity-table.ts';
import type { KnownPressure } from '../../model/pressure.ts';
import { DEFAULT_LAYER, hasQueue, isOfPrograms, layersBeside } from '../../model/layer.ts';
import type { Grouping, Latency } from '../../model/metric.ts';
import { tailSplit } from './tail-split.ts';
import { Tally } from '../tally/tally.ts';
import { isOfFiles } from '../../model/metric.ts';
import { DiskRow, ProcessRow, TotalsRow } from './activity-rows.ts';
import type { DiskGroup } from './activity-rows.ts';
import { ActivityTables } from './activity-tables.ts';
import { ForwardScan } from '../../history/scan/forward-scan.ts';
import type { History } from '../../history/history.ts';
import type { Slice } from '../../history/slices/slice.ts';

export interface ActivityInfo extends IdentityNames {
  readonly identities: IdentityTable;
  /** Present for a replayed trace. */
  readonly origin?: Pick<TraceOrigin, 'latency'>;
  /** Absent if it is unknown how long tasks waited for storage. */
  readonly pressure?: KnownPressure | undefined;
}

export interface ActivityOptions {
  /** What one row of the process table stands for; by default a process on one disk. */
  readonly grouping?: Grouping;
  readonly scope?: ReportScope;
  /** The latency of the overall percentiles; rows always use the total latency. */
  readonly latency?: Latency;
  /** I/O that is counted per disk and in no other row: that of the neighbouring layer, and of inner volumes. */
  readonly beside?: CompiledFilter | undefined;
  /** Old requests in flight at the end, by device number; undefined where these are not known. */
  readonly inFlight?: InFlightByDisk | undefined;
}

/**
 * The tables next to the picture. They are counted from slices, including those that are still being filled. Slices are
 * not divided: the span grows to their edges, and ends now if the last one is still being filled; `spanNs` is the span
 * used. Latency is queue plus device latency, or device latency alone where queueing was not recorded. Shares of
 * waiting relate to all I/O, whatever the filter.
 *
 * A filter on values (latency, size, offset) is matched on rows, as far back as there are any, in turns. Counts the I/O
 * that the history has when it starts.
 */
export class ActivityCount {
  private readonly span: Span;
  private readonly tally = tallies.pop() ?? new Tally();
  private readonly scan: ForwardScan<ActivityTables> | undefined;

  constructor(
    private readonly history: History,
    startNs: number,
    endNs: number,
    private readonly filter: CompiledFilter,
    private readonly info: ActivityInfo,
    private readonly options: ActivityOptions = {},
  ) {
    this.span = alignedSpan(history, startNs, endNs);
    const { startNs: fromNs, edgeNs } = this.span;
    const { grouping = 'process-disk' } = options;
    if (filter.asksSingleIo || isOfFiles(grouping))
      this.scan = new ForwardScan(history, fromNs, edgeNs, () => this.createTables());
  }

  /** Undefined until everything is counted. Do not call it again after that. */
  advance(shouldYield?: ShouldYield): ActivityReport | undefined {
    const tables = this.scan === undefined ? this.ofSlices() : this.scan.advance(shouldYield);
    return tables && this.report(tables.finish());
  }

  private createTables(): ActivityTables {
    const { grouping = 'process-disk', latency = 'total' } = this.options;
    const tables = new ActivityTables(
      this.filter,
      this.info,
      grouping,
      latency,
      this.tally,
      this.options.beside,
    );
    // Read again in each attempt of the scan: meanwhile, open slices may have begun another stretch of time.
    for (const slice of this.slices()) tables.addWait(slice);
    return tables;
  }

  private ofSlices(): ActivityTables {
    const tables = this.createTables();
    for (const slice of this.slices()) tables.addWhole(slice);
    return tables;
  }

  private slices(): Iterable<Slice> {
    const { startNs, edgeNs } = this.span;
    return this.history.slices(startNs, edgeNs);
  }

  private report(tables: ActivityTables): ActivityReport {
    const { history, info, span, tally } = this;
    const { grouping = 'process-disk', scope = 'recent' } = this.options;
    const spanNs = span.endNs - span.startNs;
    const { processes, disks, disksBeside, waitNs, undecidedCount } = tables;
    const names = { names: info, grouping };
    this.addSilentDisks(tables);
    const { inFlight } = this.options;
    const rowOf = (disk: DiskGroup): DiskRow => diskRow(tally, disk, history, span, info, inFlight);
    const report = {
      spanNs,
      scope,
      undecidedCount,
      totals: this.totals(tables),
      processes: processes.map((process) => new ProcessRow(tally, process, names, span, waitNs)),
      disks: disks.map(rowOf),
      disksBeside: disksBeside.map(rowOf),
    };
    tallies.push(tally);
    return report;
  }

  /** A disk on which everything hangs completes nothing; it is in the table because of what is in flight. */
  private addSilentDisks({ disks, disksBeside }: ActivityTables): void {
    const layer = this.filter.layer ?? DEFAULT_LAYER;
    for (const [dev, { layer: held }] of this.options.inFlight ?? []) {
      if (!layersBeside(layer).includes(held)) continue;
      const rows = layer === held ? disks : disksBeside;
      if (!rows.some((row) => row.dev === dev && row.layer === held))
        rows.push({ dev, layer: held, group: this.tally.claim() });
    }
  }

  private totals({ total }: ActivityTables): TotalsRow {
    const { history, info, span, tally, filter } = this;
    const { latency = 'total' } = this.options;
    const { startNs, endNs } = span;
    const isTotal = !hasQueue(filter.layer ?? DEFAULT_LAYER, info.origin?.latency);
    const row = new TotalsRow(tally, total, endNs - startNs, latency, isTotal);
    if (latency === 'total' && row.p99Ns !== undefined && tally.queueNs(total) !== undefined)
      row.tail = tailSplit(history, startNs, endNs, filter, info.identities, row.p99Ns);
    return row;
  }
}

/** Tallies that are reused, because each takes up to 5 KB per table row. */
const tallies: Tally[] = [];

interface Span {
  readonly startNs: number;
  readonly endNs: number;
  /** The end of the last slice, which may be in the future. */
  readonly edgeNs: number;
}

function alignedSpan(history: History, startNs: number, endNs: number): Span {
  const { sliceNs } = history;
  const presentNs = Math.max(endNs, history.endNs);
  const traceStartNs = Math.min(0, Math.floor(history.startNs / sliceNs) * sliceNs);
  let first = Math.max(traceStartNs, Math.floor(startNs / sliceNs) * sliceNs);
  let last = Math.ceil(endNs / sliceNs) * sliceNs;
  for (const slice of history.slices(startNs, endNs)) {
    first = Math.min(first, slice.startNs);
    last = Math.max(last, slice.endNs);
  }
  return { startNs: first, endNs: Math.max(first, Math.min(last, presentNs)), edgeNs: last };
}

const NOTHING: DiskInFlight = { count: 0, oldestNs: 0 };

function diskRow(
  tally: Tally,
  group: DiskGroup,
  history: History,
  span: Span,
  names: DeviceNames,
  inFlight: InFlightByDisk | undefined,
): DiskRow {
  const { startNs, endNs } = span;
  const { dev, layer } = group;
  const utilization = history.utilization(dev, startNs, endNs);
  const isUtilizationPartial = history.isUtilizationPartial(dev, startNs, endNs);
  const measured = {
    disk: deviceName(names, dev),
    mounts: names.device(dev)?.mounts,
    volumes: names.device(dev)?.volumes,
    liesOn: names.device(dev)?.liesOn,
    inFlight: isOfPrograms(layer)
      ? undefined
      : inFlight && (inFlight.get(dev)?.inFlight ?? NOTHING),
    utilization,
    isUtilizationPartial,
  };
  return new DiskRow(tally, group, measured, endNs - startNs);
}
