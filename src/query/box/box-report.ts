import { NS_PER_SECOND } from '../../base/time.ts';
import type { ShouldYield } from '../../base/time.ts';
import type { Box } from '../../filter/box.ts';
import type { BoxGroup, BoxReport } from './drill-down.ts';
import { sumOfKnown } from '../../model/add-known.ts';
import { deviceName } from '../../model/device.ts';
import { DiskShares } from '../../model/disk-shares.ts';
import { JUDGED_ROWS } from '../../filter/match/match.ts';
import type { CompiledFilter } from '../../filter/match/match.ts';
import { ownerIsKnown } from '../../model/identity.ts';
import { OP_CLASSES } from '../../model/operation.ts';
import type { ActivityInfo } from '../activity/activity-report.ts';
import { ownerName, viaText } from '../activity/activity-rows.ts';
import { BoxRows, isLatencyMetric } from './box-rows.ts';
import { BoxSlices } from './box-slices.ts';
import { BoxTally } from './box-tally.ts';
import type { TalliedGroup } from './box-tally.ts';
import type { Tally } from '../tally/tally.ts';
import type { RowChunk } from '../../history/event-ring.ts';
import { ForwardScan } from '../../history/scan/forward-scan.ts';
import type { Visitor } from '../../history/scan/visitor.ts';
import type { History } from '../../history/history.ts';
import { singleIo } from '../slowest/single-io.ts';
import type { SliceView } from '../../history/slices/slice-view.ts';
import { waitParts } from './wait-parts.ts';
import { Slowest } from '../slowest/slowest.ts';

/** More I/Os than anyone pages through. */
const DEFAULT_SLOWEST = 100;

export interface BoxOptions {
  /** How many of the slowest I/Os to list; 100 by default. */
  readonly slowest?: number;
  /** Whether to rank by the latency of the box's metric instead of the total latency. */
  readonly ranksByValue?: boolean;
  /** Trace time in ns until which I/O was observed; by default the end of the box. */
  readonly nowNs?: number;
  /** How long I/O was observed, if that is known better. */
  readonly spanNs?: number | undefined;
}

/**
 * The contents of a part of the picture: the same I/O that the heat map counts in these cells. Exact for rows; for
 * aggregates, the same estimate as drawn. Counted in turns, of what the history has at the start.
 */
export class BoxCount {
  private readonly scan: ForwardScan<BoxContents>;
  private contents: BoxContents | undefined;
  private readonly report: (contents: BoxContents) => BoxReport;

  constructor(
    history: History,
    box: Box,
    filter: CompiledFilter,
    info: ActivityInfo,
    options: BoxOptions = {},
  ) {
    const { slowest = DEFAULT_SLOWEST, ranksByValue = false } = options;
    const spanNs = options.spanNs ?? observedNs(history, box, options.nowNs ?? box.endNs);
    this.scan = new ForwardScan(history, box.startNs, box.endNs, () => {
      const contents = { slowest, ranksByValue, latestNs: history.endNs };
      return (this.contents = new BoxContents(box, filter, info, contents));
    });
    this.report = (contents) => ({
      ...reportOf(contents, box, spanNs, info),
      waitedFor: waitedFor(history, contents, info),
    });
  }

  /** Share counted so far, 0 to 1. */
  get share(): number {
    return this.scan.share;
  }

  /** Undefined until everything is counted. */
  advance(shouldYield?: ShouldYield): BoxReport | undefined {
    const contents = this.scan.advance(shouldYield);
    if (contents === undefined) this.contents?.slowest.keep();
    return contents && this.report(contents);
  }
}

function reportOf(
  { rows, slices, tally, slowest }: BoxContents,
  box: Box,
  spanNs: number,
  info: ActivityInfo,
): BoxReport {
  const { count, bytes, waitedNs, errors } = totalsOf(tally);
  const perSecond = spanNs > 0 ? NS_PER_SECOND / spanNs : 0;
  const allCount = rows.inTime + slices.inTime;
  const describe = (group: TalliedGroup, row: number): BoxGroup => ({
    ...ownerOf(group, info),
    ...figuresOf(tally.tally, row, waitedNs),
    p50Ns: medianOf(tally.tally, row, box),
  });
  return {
    box,
    spanNs,
    count,
    leastCount: rows.count + slices.least,
    mostCount: rows.count + rows.undecided + slices.most,
    undecided: rows.undecided + slices.most - slices.least,
    fromRows: rows.count,
    fromSlices: slices.count,
    allCount,
    share: shareOf(count, allCount),
    countPerSecond: count * perSecond,
    bytesPerSecond: bytes === undefined ? undefined : bytes * perSecond,
    bytes,
    waitedNs,
    errors,
    isEstimated: slices.isEstimated || rows.undecided > 0,
    groups: tally.groups.map(describe).sort((a, b) => b.waitedNs - a.waitedNs || b.count - a.count),
    slowest: slowest.sorted().map((place) => singleIo(place, info)),
  };
}

function waitedFor(history: History, { slowest }: BoxContents, info: ActivityInfo) {
  const [first] = slowest.sorted();
  return first && waitParts(history, first, info);
}

interface ContentsOptions {
  readonly slowest: number;
  readonly ranksByValue: boolean;
  /** Completion of the last I/O of the history. */
  readonly latestNs: number;
}

class BoxContents implements Visitor {
  readonly rows: BoxRows;
  readonly slices: BoxSlices;
  readonly tally: BoxTally;
  readonly slowest: Slowest;

  constructor(box: Box, filter: CompiledFilter, info: ActivityInfo, options: ContentsOptions) {
    this.tally = new BoxTally(info.identities, isLatencyMetric(box.metric), options.ranksByValue);
    const shares = box.disks && new DiskShares(box.disks, info.identities);
    this.rows = new BoxRows(box, filter, shares);
    this.slices = new BoxSlices(box, filter, options.latestNs, this.tally, shares);
    this.slowest = new Slowest(options.slowest);
  }

  addSlice(view: SliceView): void {
    this.slices.add(view);
  }

  addRows({ rows: columns, from, to }: RowChunk, fromNs: number): void {
    for (let block = from; block < to; block += JUDGED_ROWS) {
      const found = this.rows.find(columns, block, Math.min(to, block + JUDGED_ROWS), fromNs);
      this.tally.addRows(columns, this.rows, found, this.slowest);
    }
  }
}

function totalsOf({ tally, groups }: BoxTally) {
  const rows = groups.map((_, row) => row);
  const sumOf = (of: (row: number) => number | undefined): number | undefined =>
    rows.length === 0 ? 0 : rows.map(of).reduce(sumOfKnown);
  return {
    count: sumOf((row) => tally.totalCount(row)) ?? 0,
    bytes: sumOf((row) => bytesOf(tally, row)),
    waitedNs: sumOf((row) => tally.totalWaitNs(row)) ?? 0,
    errors: sumOf((row) => errorsOf(tally, row)),
  };
}

/** The part of the time that was observed: neither before the start of the trace nor in the future. */
function observedNs(history: History, { startNs, endNs }: Box, nowNs: number): number {
  const fromNs = Math.max(startNs, history.observedFromNs);
  return Math.max(0, Math.min(endNs, Math.max(nowNs, history.endNs)) - fromNs);
}

function ownerOf(group: TalliedGroup, info: ActivityInfo) {
  const { owner, opClass, call, isIndirect, hasSeveralWriters, vias, cgroup } = group;
  return {
    tgid: ownerIsKnown(owner) ? owner.tgid : undefined,
    comm: ownerName(owner),
    cgroup,
    cgroupName: cgroup === undefined ? undefined : info.cgroups?.name(cgroup),
    indirect: isIndirect,
    via: viaText(vias),
    hasSeveralWriters,
    dev: owner.dev,
    disk: deviceName(info, owner.dev),
    opClass: OP_CLASSES[opClass],
    call,
  };
}

function bytesOf(tally: Tally, row: number): number | undefined {
  return tally.lacksSizes(row) ? undefined : tally.totalBytes(row);
}

function errorsOf(tally: Tally, row: number): number | undefined {
  return tally.lacksErrors(row) ? undefined : tally.errors(row);
}

function figuresOf(tally: Tally, row: number, allWaitedNs: number) {
  const [count, waitedNs] = [tally.totalCount(row), tally.totalWaitNs(row)];
  return {
    count,
    bytes: bytesOf(tally, row),
    errors: errorsOf(tally, row),
    waitedNs,
    waitShare: shareOf(waitedNs, allWaitedNs),
    maxNs: tally.latencies.maxNs(row),
  };
}

/** A median from a histogram may be outside the box, because bins extend beyond its edges. */
function medianOf({ latencies }: Tally, row: number, { metric, low }: Box): number | undefined {
  const [medianNs, maxNs] = [latencies.quantileNs(row, 0.5), latencies.maxNs(row)];
  if (medianNs === undefined || maxNs === undefined) return undefined;
  return isLatencyMetric(metric) ? Math.min(maxNs, Math.max(low, medianNs)) : medianNs;
}

function shareOf(part: number, whole: number): number {
  return whole > 0 ? part / whole : 0;
}
