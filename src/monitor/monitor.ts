import type { ShouldYield } from '../base/time.ts';
import type { AcrossMetric } from '../heatmap/joint/joint-counts.ts';
import type { JointMap } from '../heatmap/joint/joint-map.ts';
import type { LaneMap } from '../heatmap/lanes/lane-map.ts';
import type { LiveHeatmap } from '../heatmap/time/live-heatmap.ts';
import type { HeatmapDisk, HeatmapSpec } from '../heatmap/time/heatmap-spec.ts';
import { BoxCount } from '../query/box/box-report.ts';
import { ActivityCount } from '../query/activity/activity-report.ts';
import { findSlowest, SlowestSearch } from '../query/slowest/slowest-search.ts';
import type { SlowestMoment } from '../query/slowest/slowest-search.ts';
import { createHistory } from '../history/history.ts';
import type { History } from '../history/history.ts';
import type { TrendWindow } from '../query/trend/trend-grid.ts';
import type { Box, ValueRange } from '../filter/box.ts';
import { NO_CGROUP_NAMES } from '../model/cgroup-names.ts';
import type { CgroupNames } from '../model/cgroup-names.ts';
import type { BoxReport } from '../query/box/drill-down.ts';
import type { ActivityReport, Fidelity, Hanging } from '../model/activity.ts';
import { allOf } from '../filter/filter.ts';
import type { CompletionColumns } from '../model/completion-columns.ts';
import type { Filter } from '../filter/filter.ts';
import { deviceName, hostOf } from '../model/device.ts';
import { compileFilter } from '../filter/match.ts';
import type { CompiledFilter } from '../filter/match.ts';
import { isSameFilter } from '../filter/language/edit.ts';
import type {
  Grouping,
  LaneFigure,
  Latency,
  Metric,
  OutlierCut,
  ScaleKind,
  Weight,
} from '../model/metric.ts';
import type { Trend } from '../model/trend.ts';
import { Verdict } from '../filter/verdict.ts';
import type { EventSource } from '../source/event-source.ts';
import type { CompletionSummary, SourceCounters } from '../source/completion-summary.ts';
import { Pictures } from './pictures.ts';

/** Time that the tables and the header are about: long enough to be steady, short enough to be now. */
export const REPORT_SPAN_NS = 5e9;

/**
 * Batches taken per pump. Four of 65,536 rows every 50 ms keep up with five million I/Os a second;
 * after a stop the backlog is worked off in several turns, so that keys are still answered.
 */
const BATCHES_PER_PUMP = 4;

export interface MonitorOptions {
  readonly source: EventSource;
  readonly historyBytes: number;
  readonly filter: Filter;
  /** Names for the cgroups of the machine that is traced. */
  readonly cgroups?: CgroupNames;
}

/** Takes what passes through the monitor, such as a recording. */
export interface MonitorTee {
  append(rows: CompletionColumns): void;
  appendSummary(summary: CompletionSummary): void;
}

/** What the picture shows; the part of the view that changes what is counted. */
export interface Picture {
  readonly metric: Metric;
  readonly scale: ScaleKind;
  readonly outlierCut: OutlierCut;
  /** The y axis as chosen by hand. */
  readonly valueRange?: ValueRange | undefined;
  /** What an I/O adds to its pixel; without it, one. */
  readonly weight?: Weight | undefined;
  /** Width of a column, in ns. */
  readonly columnNs: number;
  readonly columns: number;
  readonly bins: number;
}

/** What the lanes of disks show. */
export interface LanePicture {
  readonly metric: Latency;
  readonly figure: LaneFigure;
  /** Width of a column, in ns. */
  readonly columnNs: number;
  readonly columns: number;
}

/** Moves I/O from the source into the history and the picture, and answers what is beside it. */
export class Monitor {
  readonly source: EventSource;
  readonly history: History;
  tee: MonitorTee | undefined;
  private compiled: CompiledFilter;
  private readonly pictures: Pictures;
  private search: SlowestSearch | undefined;
  private readonly shownDevs = new Set<number>();
  private keysSeen = 0;
  private readonly cgroups: CgroupNames;

  constructor({ source, historyBytes, filter, cgroups = NO_CGROUP_NAMES }: MonitorOptions) {
    this.source = source;
    this.cgroups = cgroups;
    this.history = createHistory({ info: source.info, budgetBytes: historyBytes });
    this.pictures = new Pictures(this.history);
    this.compiled = compileFilter(filter, source.info.keys, source.info);
  }

  get filter(): Filter {
    return this.compiled.filter;
  }

  /** Applies to the whole history, from the next `show` and `report` on. */
  setFilter(filter: Filter): void {
    if (isSameFilter(filter, this.filter)) return;
    this.compiled = compileFilter(filter, this.source.info.keys, this.source.info);
    this.shownDevs.clear();
    this.keysSeen = 0;
  }

  /** Takes what has finished; false while more waits than one call takes. Never blocks. */
  pump(batches = BATCHES_PER_PUMP): boolean {
    const isDrained = this.pumpRows(batches);
    for (const summary of this.source.readSummaries()) {
      this.history.appendAggregate(summary);
      this.pictures.appendAggregate(summary);
      this.tee?.appendSummary(summary);
    }
    return isDrained;
  }

  private pumpRows(batches: number): boolean {
    for (let batch = 0; batch < batches; batch++) {
      const rows = this.source.read();
      if (rows.length === 0) return true;
      this.history.append(rows);
      this.pictures.append(rows);
      this.tee?.append(rows);
    }
    return false;
  }

  /**
   * The heat map of `picture` whose last column holds the trace time `endNs`, counted until its turn is up;
   * the next call goes on. As with the other pictures, without `shouldYield` it is counted whole.
   */
  show(picture: Picture, endNs: number, shouldYield?: ShouldYield): LiveHeatmap {
    return this.showAll([picture], endNs, shouldYield)[0]!;
  }

  /** Several heat maps of the same time. */
  showAll(pictures: readonly Picture[], endNs: number, shouldYield?: ShouldYield): LiveHeatmap[] {
    return this.pictures.showMaps(
      pictures.map((picture) => this.specOf(picture)),
      endNs,
      shouldYield,
    );
  }

  /** Whether the picture shown last has been counted only in part. */
  get isCounting(): boolean {
    return this.pictures.isCounting;
  }

  /** The map of two values of the I/O in the time of `picture`; its columns are the bins across. */
  showJoint(
    picture: Picture,
    across: AcrossMetric,
    endNs: number,
    shouldYield?: ShouldYield,
  ): JointMap {
    return this.pictures.showJoint({ ...this.specOf(picture), across }, endNs, shouldYield);
  }

  /** Lanes of at most `most` disks, of which the first by name are taken. */
  showLanes(picture: LanePicture, most: number, endNs: number, shouldYield?: ShouldYield): LaneMap {
    const devs = this.laneDevs().slice(0, most);
    const { keys } = this.source.info;
    const spec = { ...picture, filter: this.compiled, devs, keys };
    return this.pictures.showLanes(spec, endNs, shouldYield);
  }

  /** The disks that have had I/O which may pass the filter, by host and name. */
  laneDevs(): number[] {
    const { info } = this.source;
    const named = this.disks().map(({ dev }) => ({
      dev,
      name: deviceName(info, dev),
      host: hostOf(info, dev) ?? '',
    }));
    return named
      .sort((a, b) => byName(a.host, b.host) || byName(a.name, b.name))
      .map(({ dev }) => dev);
  }

  private specOf(picture: Picture): HeatmapSpec {
    return { ...picture, filter: this.compiled, disks: this.disks() };
  }

  /** The disks that have had I/O which may pass the filter: an idle giant must not stretch the axis. */
  private disks(): HeatmapDisk[] {
    const { keys } = this.source.info;
    for (; this.keysSeen < keys.size; this.keysSeen++) {
      const passes = this.compiled.judge(this.keysSeen) !== Verdict.no;
      if (passes) this.shownDevs.add(keys.get(this.keysSeen).dev);
    }
    return [...this.shownDevs].map((dev) => this.source.info.device(dev) ?? { dev });
  }

  /** Tables and totals of the last seconds before the trace time `endNs`. */
  report(endNs: number, grouping: Grouping = 'process-disk'): ActivityReport {
    return this.countReport(endNs, grouping).advance()!;
  }

  /** The same in parts, of what there is now. */
  countReport(endNs: number, grouping: Grouping): ActivityCount {
    const { history, compiled, cgroups } = this;
    const { info } = this.source;
    const options = { grouping, cgroups };
    return new ActivityCount(history, endNs - REPORT_SPAN_NS, endNs, compiled, info, options);
  }

  /** Rates and latencies over the time of a picture, counted until its turn is up; the next call goes on. */
  trend(window: TrendWindow, shouldYield?: ShouldYield): Trend {
    return this.pictures.showTrend(window, this.compiled, this.source.info, shouldYield);
  }

  /** What a part of the picture holds, with its slowest I/Os. */
  inspect(box: Box): BoxReport {
    return this.countBox(box).advance()!;
  }

  /** The same in parts, of what there is now. */
  countBox(box: Box): BoxCount {
    const { history, cgroups } = this;
    const { info } = this.source;
    const { where = [] } = box;
    const asked = allOf([this.filter, ...where]);
    const compiled = where.length === 0 ? this.compiled : compileFilter(asked, info.keys, info);
    return new BoxCount(history, box, compiled, info, { cgroups });
  }

  /** The slowest I/O of the whole history that passes the filter. */
  worst(): SlowestMoment | undefined {
    const { history, compiled } = this;
    return findSlowest(history, history.startNs, Infinity, compiled);
  }

  /** Looks for it until its turn is up; the next call goes on, unless it is to begin anew. */
  seekWorst(isAnew: boolean, shouldYield?: ShouldYield): SlowestMoment | 'searching' | undefined {
    const { history, compiled } = this;
    if (isAnew) this.search = undefined;
    this.search ??= new SlowestSearch(history, history.startNs, Infinity, compiled);
    const found = this.search.advance(shouldYield);
    if (found === undefined) return 'searching';
    this.search = undefined;
    return found.worst;
  }

  /** Requests that hang; they are in no picture before they complete. */
  hanging(): Hanging | undefined {
    const { source } = this;
    const found = source.hanging?.();
    return found && { ...found, disk: deviceName(source.info, found.dev) };
  }

  /** I/Os that have come from the source, one by one or in sum. */
  get taken(): number {
    const { delivered, summarised } = this.source.counters();
    return delivered + summarised;
  }

  fidelity(): Fidelity {
    return fidelityOf(this.source.counters());
  }
}

/** Of all I/O known to have happened since the trace began. */
export function fidelityOf({ delivered, summarised, lost }: SourceCounters): Fidelity {
  const truth = delivered + summarised + lost;
  if (truth === 0) return { inPicture: 1, inDetail: 1, lost: 0 };
  return { inPicture: (delivered + summarised) / truth, inDetail: delivered / truth, lost };
}

/** sda before sdb, and sda2 before sda10. */
function byName(a: string, b: string): number {
  return a.localeCompare(b, 'en', { numeric: true });
}
