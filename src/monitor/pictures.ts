import { assert } from '../base/assert.ts';
import type { ShouldYield } from '../base/time.ts';
import { JointMap } from '../heatmap/joint/joint-map.ts';
import type { JointSpec } from '../heatmap/joint/joint-map.ts';
import { LaneRanking } from '../heatmap/lanes/lane-ranking.ts';
import type { RankingSpec } from '../heatmap/lanes/lane-ranking.ts';
import { LaneMap } from '../heatmap/lanes/lane-map.ts';
import type { LaneSpec } from '../heatmap/lanes/lane-map.ts';
import { LiveHeatmap } from '../heatmap/time/live-heatmap.ts';
import type { HeatmapSpec } from '../heatmap/time/heatmap-spec.ts';
import type { ActivityInfo } from '../query/activity/activity-report.ts';
import type { History } from '../history/history.ts';
import type { LiveTrend } from '../query/trend/trend.ts';
import type { TrendWindow } from '../query/trend/trend-grid.ts';
import type { CompletionColumns } from '../model/completion-columns.ts';
import type { CompiledFilter } from '../filter/match/match.ts';
import type { Trend } from '../model/trend.ts';
import type { CompletionSummary } from '../trace/completion-summary.ts';

/** The maps on the screen. Only those of the current layout are kept up to date; others are dropped. */
export class Pictures {
  private maps: LiveHeatmap[] = [];
  private joint: JointMap | undefined;
  private lanes: LaneMap | undefined;
  private ranking: LaneRanking | undefined;
  private trend: LiveTrend | undefined;
  private createTrend: ((info: ActivityInfo) => LiveTrend) | undefined;

  constructor(private readonly history: History) {}

  /** Whether a map on the screen is only partly counted. */
  get isCounting(): boolean {
    const { maps, joint, lanes, ranking } = this;
    const others = [joint, lanes, ranking];
    return [...maps, ...others].some((picture) => picture?.isCounting === true);
  }

  append(rows: CompletionColumns): void {
    for (const map of this.maps) map.append(rows);
    this.joint?.append(rows);
    this.lanes?.append(rows);
    this.ranking?.append(rows);
    this.trend?.append(rows);
  }

  appendAggregate(aggregate: CompletionSummary): void {
    for (const map of this.maps) map.appendAggregate(aggregate);
    this.joint?.appendAggregate();
    this.lanes?.appendAggregate(aggregate);
    this.ranking?.appendAggregate(aggregate);
    this.trend?.appendAggregate(aggregate);
  }

  /** A heat map for each of `specs`, whose last columns contain the trace time `endNs`. */
  showMaps(specs: readonly HeatmapSpec[], endNs: number, shouldYield?: ShouldYield): LiveHeatmap[] {
    this.joint = this.lanes = this.ranking = this.trend = undefined;
    this.maps.length = Math.min(this.maps.length, specs.length);
    for (const [i, spec] of specs.entries()) {
      const known = this.maps[i];
      if (known === undefined) this.maps.push(new LiveHeatmap(this.history, spec));
      else known.show(spec);
      this.maps[i]!.update(endNs, shouldYield);
    }
    return [...this.maps];
  }

  showJoint(spec: JointSpec, endNs: number, shouldYield?: ShouldYield): JointMap {
    this.maps = [];
    this.lanes = this.ranking = this.trend = undefined;
    if (this.joint === undefined) this.joint = new JointMap(this.history, spec);
    else this.joint.show(spec);
    this.joint.update(endNs, shouldYield);
    return this.joint;
  }

  showLanes(spec: LaneSpec, endNs: number, shouldYield?: ShouldYield): LaneMap {
    this.maps = [];
    this.joint = this.trend = undefined;
    if (spec.owners.subjects.kind === 'disk') this.ranking = undefined;
    if (this.lanes === undefined) this.lanes = new LaneMap(this.history, spec);
    else this.lanes.show(spec);
    this.lanes.update(endNs, shouldYield);
    return this.lanes;
  }

  /** The subjects that get lanes in `showLanes`. */
  rankLanes(spec: RankingSpec, endNs: number, shouldYield?: ShouldYield): LaneRanking {
    if (this.ranking === undefined) this.ranking = new LaneRanking(this.history, spec);
    else this.ranking.show(spec);
    this.ranking.update(endNs, shouldYield);
    return this.ranking;
  }

  /** Loads what `showTrend` takes: only charts that a person opens do. */
  async loadTrend(): Promise<void> {
    const late = await import('../query/trend/trend.ts');
    this.createTrend = (info) => new late.LiveTrend(this.history, info);
  }

  /** The charts. They cover the maps, which are still kept up to date. */
  showTrend(
    window: TrendWindow,
    filter: CompiledFilter,
    info: ActivityInfo,
    shouldYield?: ShouldYield,
  ): Trend {
    assert(this.createTrend !== undefined, 'charts are loaded before they are counted');
    this.trend ??= this.createTrend(info);
    return this.trend.show(window, filter, shouldYield);
  }
}
