import { NS_PER_SECOND } from '../base/time.ts';
import type { Box } from '../model/box.ts';
import type { CgroupNames } from '../model/cgroup-names.ts';
import { NO_CGROUP_NAMES } from '../model/cgroup-names.ts';
import type { BoxGroup, BoxReport } from '../model/drill-down.ts';
import { deviceName, ownerIsKnown } from '../model/filter.ts';
import type { CompiledFilter } from '../model/filter.ts';
import type { CompletionColumns } from '../model/completion-columns.ts';
import { OP_CLASSES } from '../model/operation.ts';
import type { ActivityInfo } from './activity-report.ts';
import { ownerName } from './activity-rows.ts';
import { BoxGroups } from './box-groups.ts';
import { BLOCK_ROWS, BoxRows } from './box-rows.ts';
import { BoxSlices } from './box-slices.ts';
import type { History } from './history.ts';
import { singleIo } from './single-io.ts';
import { Slowest } from './slowest.ts';

/** More than a person will page through. */
const DEFAULT_SLOWEST = 100;

export interface BoxOptions {
  /** How many of the slowest I/Os to list; 100 by default. */
  readonly slowest?: number;
  readonly cgroups?: CgroupNames;
  /** Trace time, in ns, up to which I/O has been observed; by default to the end of the box. */
  readonly nowNs?: number;
}

/**
 * What is in a part of the picture: the same I/O that the heat map counts in those cells, which is
 * exact for single I/Os, and the same estimate of the rest.
 */
export function inspectBox(
  history: History,
  box: Box,
  filter: CompiledFilter,
  info: ActivityInfo,
  options: BoxOptions = {},
): BoxReport {
  const { slowest: most = DEFAULT_SLOWEST, cgroups = NO_CGROUP_NAMES } = options;
  const contents = new BoxContents(history, box, filter, info, most);
  const { rows, slices, slowest } = contents;
  const spanNs = observedNs(history, box, options.nowNs ?? box.endNs);
  const perSecond = spanNs > 0 ? NS_PER_SECOND / spanNs : 0;
  const allCount = rows.inTime + slices.inTime;
  const { count, bytes, waitedNs, errors } = contents.sums();
  return {
    box,
    spanNs,
    count,
    leastCount: contents.fromRows + slices.least,
    mostCount: contents.fromRows + slices.most,
    undecided: slices.most - slices.least,
    fromRows: contents.fromRows,
    fromSlices: slices.count,
    allCount,
    share: shareOf(count, allCount),
    countPerSecond: count * perSecond,
    bytesPerSecond: bytes * perSecond,
    bytes,
    waitedNs,
    errors,
    isEstimated: slices.isEstimated,
    groups: boxGroups(contents.groups, { count, waitedNs }, info, cgroups),
    slowest: slowest.sorted().map((place) => singleIo(place, info, cgroups)),
  };
}

/** One pass over all that the history has in the time of the box. */
class BoxContents {
  readonly groups: BoxGroups;
  readonly rows: BoxRows;
  readonly slices: BoxSlices;
  readonly slowest: Slowest;
  fromRows = 0;

  constructor(
    history: History,
    box: Box,
    filter: CompiledFilter,
    { keys }: ActivityInfo,
    most: number,
  ) {
    const query = history.query(box.startNs, box.endNs);
    this.groups = new BoxGroups(keys);
    this.rows = new BoxRows(box, filter, query.rowsFromNs);
    this.slices = new BoxSlices(box, filter, history.endNs, this.groups);
    this.slowest = new Slowest(most);
    for (const { rows, from, to } of query.chunks) {
      for (let block = from; block < to; block += BLOCK_ROWS)
        this.addBlock(rows, block, Math.min(to, block + BLOCK_ROWS));
    }
    for (const slice of query.slices) this.slices.add(slice);
  }

  private addBlock(columns: CompletionColumns, from: number, to: number): void {
    const { rows, slowest } = this;
    const found = rows.find(columns, from, to);
    this.fromRows += found;
    this.groups.addRows(columns, rows, found);
    for (let i = 0; i < found; i++) {
      if (rows.waitedNs[i]! > slowest.threshold)
        slowest.offer(rows.waitedNs[i]!, columns, rows.row[i]!);
    }
  }

  sums(): { count: number; bytes: number; waitedNs: number; errors: number } {
    const sums = { count: 0, bytes: 0, waitedNs: 0, errors: 0 };
    for (let group = 0; group < this.groups.groups.length; group++) {
      sums.count += this.groups.count(group);
      sums.bytes += this.groups.bytes(group);
      sums.waitedNs += this.groups.waitedNs(group);
      sums.errors += this.groups.errors(group);
    }
    return sums;
  }
}

/** Nothing is known of the time before the trace, nor of the future. */
function observedNs(history: History, { startNs, endNs }: Box, nowNs: number): number {
  const fromNs = Math.max(startNs, Math.min(0, history.startNs));
  return Math.max(0, Math.min(endNs, Math.max(nowNs, history.endNs)) - fromNs);
}

function boxGroups(
  groups: BoxGroups,
  all: { readonly count: number; readonly waitedNs: number },
  info: ActivityInfo,
  cgroups: CgroupNames,
): BoxGroup[] {
  return groups.groups
    .map(({ owner, opClass, isIndirect, cgroup }, group) => ({
      tgid: ownerIsKnown(owner) ? owner.tgid : undefined,
      comm: ownerName(owner),
      cgroup,
      cgroupName: cgroup === undefined ? undefined : cgroups.name(cgroup),
      indirect: isIndirect,
      dev: owner.dev,
      disk: deviceName(info, owner.dev),
      opClass: OP_CLASSES[opClass]!,
      count: groups.count(group),
      bytes: groups.bytes(group),
      errors: groups.errors(group),
      countShare: shareOf(groups.count(group), all.count),
      waitedNs: groups.waitedNs(group),
      waitShare: shareOf(groups.waitedNs(group), all.waitedNs),
      p50Ns: groups.quantileNs(group, 0.5),
      maxNs: groups.maxNs(group),
    }))
    .sort((a, b) => b.waitedNs - a.waitedNs || b.count - a.count);
}

function shareOf(part: number, whole: number): number {
  return whole > 0 ? part / whole : 0;
}
