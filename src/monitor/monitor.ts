import { naturalOrder } from '../base/natural-order.ts';
import type { ShouldYield } from '../base/time.ts';
import type { AcrossMetric } from '../heatmap/joint/joint-counts.ts';
import type { JointMap } from '../heatmap/joint/joint-map.ts';
import type { LaneMap } from '../heatmap/lanes/lane-map.ts';
import { laneSubjects } from '../heatmap/lanes/lane-subjects.ts';
import type { LaneSubjects } from '../heatmap/lanes/lane-subjects.ts';
import type { LiveHeatmap } from '../heatmap/time/live-heatmap.ts';
import { withShares } from '../heatmap/time/heatmap-spec.ts';
import type { HeatmapDisk, HeatmapSpec } from '../heatmap/time/heatmap-spec.ts';
import { BoxCount } from '../query/box/box-report.ts';
import { ActivityCount } from '../query/activity/activity-report.ts';
import { BurstSearch } from '../query/box/burst-search.ts';
import { findSlowest, SlowestSearch } from '../query/box/slowest-search.ts';
import type { SlowestMoment } from '../query/box/slowest-search.ts';
import { explainedIo } from '../query/box/explained-io.ts';
import type { ExplainedIo } from '../query/box/explained-io.ts';
import { latestIos } from '../query/slowest/latest-ios.ts';
import type { LatestIos } from '../query/slowest/latest-ios.ts';
import { createHistory } from '../history/history.ts';
import type { History } from '../history/history.ts';
import type { TrendWindow } from '../query/trend/trend-grid.ts';
import { conditionsBesides } from '../filter/box.ts';
import type { Box, ValueRange } from '../filter/box.ts';
import type { BoxReport } from '../query/box/drill-down.ts';
import type {
  ActivityReport,
  Completeness,
  DiskActivity,
  ProcessActivity,
  ReportRange,
} from '../model/activity.ts';
import type { Burst } from '../model/bursts.ts';
import type { Card } from '../model/card.ts';
import { allOf } from '../filter/filter.ts';
import type { CompletionColumns } from '../model/completion-columns.ts';
import type { DiskBusy } from '../model/disk-busy.ts';
import type { Filter, TermValue } from '../filter/filter.ts';
import { deviceName, hostOf } from '../model/device.ts';
import type { CompiledFilter } from '../filter/match/match.ts';
import type {
  Grouping,
  LaneFigure,
  LaneKind,
  Latency,
  Metric,
  OutlierCut,
  ScaleKind,
  Weight,
} from '../model/metric.ts';
import { DEFAULT_LAYER } from '../model/layer.ts';
import type { Layer } from '../model/layer.ts';
import { NoteBook } from '../model/notes.ts';
import type { Trend } from '../model/trend.ts';
import type { EventSource } from '../trace/event-source.ts';
import type { CompletionSummary, SourceCounters } from '../trace/completion-summary.ts';
import { cardOf } from './card.ts';
import type { CountedLayer } from './counted-layer.ts';
import { CountedLayers } from './counted-layers.ts';
import { Outstanding } from './outstanding.ts';
import { Pictures } from './pictures.ts';

/**
 * Batches per pump. Four of 65,536 rows every 50 ms keep up with five million I/Os per second; after a pause the
 * backlog is processed in several turns, so that keys are still answered.
 */
const BATCHES_PER_PUMP = 4;

export interface MonitorOptions {
  readonly source: EventSource;
  readonly historyBytes: number;
  readonly filter: Filter;
  /** Default: `disks`. */
  readonly layer?: Layer;
}

/** Receives everything that passes through the monitor, such as a recording. */
export interface MonitorTee {
  append(rows: CompletionColumns): void;
  appendSummary(summary: CompletionSummary): void;
  appendBusy(busy: DiskBusy): void;
}

/** What has arrived since the start of the trace. */
export interface Arrived {
  /** I/Os that have arrived from the source, individually or aggregated. */
  readonly taken: number;
  readonly completeness: Completeness;
}

/** What the picture shows: the part of the view that determines what is counted. */
export interface Picture {
  /** Default: the layer of the tables and totals. */
  readonly layer?: Layer;
  readonly metric: Metric;
  readonly scale: ScaleKind;
  readonly outlierCut: OutlierCut;
  /** The y axis that a person chose. */
  readonly valueRange?: ValueRange | undefined;
  /** Whether an axis that was fitted for this time stays: I/O that comes late would move the others under the cross-hair. */
  readonly holdsAxis?: boolean;
  /** What an I/O adds to its pixel; if absent, one. */
  readonly weight?: Weight | undefined;
  /** Width of a column, in ns. */
  readonly columnNs: number;
  readonly columns: number;
  readonly bins: number;
}

/** What has a lane in a layout of lanes. */
export interface RankedLanes {
  /** From top to bottom: the key that filters use, and the name that people read. */
  readonly lanes: readonly { readonly key: TermValue; readonly name: string }[];
  /** Number of subjects with I/O and without a lane of their own. */
  readonly others: number;
  /** Whether it may be more: some I/O is aggregated, or of subjects that are not told apart. */
  readonly hasMoreOthers: boolean;
  /** Whether the lane of everything else has I/O: of these subjects, or of none. */
  readonly hasRest: boolean;
  /** Whether all of that has no known owner. */
  readonly restIsUnknown: boolean;
}

/** What the lanes show. */
export interface LanePicture {
  readonly metric: Latency;
  readonly figure: LaneFigure;
  /** Width of a column, in ns. */
  readonly columnNs: number;
  readonly columns: number;
}

/** Moves I/O from the source into the history and the pictures, and computes the figures next to them. */
export class Monitor {
  readonly source: EventSource;
  readonly history: History;
  readonly outstanding: Outstanding;
  /** Notes that people add while it runs, together with those of an earlier trace. */
  readonly notes: NoteBook;
  tee: MonitorTee | undefined;
  /** I/Os that have arrived individually. */
  rowsTaken = 0;
  private readonly counted: CountedLayers;
  private readonly pictures: Pictures;
  private readonly subjects = new Map<LaneKind, LaneSubjects>();
  private search: SlowestSearch | undefined;
  private burstSearch: BurstSearch | undefined;

  constructor({ source, historyBytes, filter, layer = DEFAULT_LAYER }: MonitorOptions) {
    this.source = source;
    this.notes = new NoteBook(source.info.notes);
    this.history = createHistory({ info: source.info, budgetBytes: historyBytes });
    this.outstanding = new Outstanding(source, this.history, () => this.filter);
    this.pictures = new Pictures(this.history);
    this.counted = new CountedLayers(source.info, filter, layer);
  }

  get filter(): Filter {
    return this.counted.filter;
  }

  /** Applies to the whole history, from the next `show` and `report` on. */
  setFilter(filter: Filter): void {
    this.counted.setFilter(filter);
  }

  get layer(): Layer {
    return this.counted.layer;
  }

  /** Applies to the whole history, as `setFilter` does. */
  setLayer(layer: Layer): void {
    this.counted.layer = layer;
  }

  /** I/O that the heat maps show in colour, the rest in grey; without a condition, all is in colour. */
  setHighlight(highlight: Filter): void {
    this.counted.setHighlight(highlight);
  }

  private inLayer(layer = this.layer): CountedLayer {
    return this.counted.in(layer);
  }

  private get compiled(): CompiledFilter {
    return this.inLayer().filter;
  }

  /**
   * Reads completed I/O from the source; returns false when more is pending than one call reads. Never blocks. `isDue`:
   * whether I/O that the kernel only counted is wanted, too, after the rows.
   */
  pump(batches = BATCHES_PER_PUMP, isDue = (): boolean => true): boolean {
    // A volume may have been created on another one meanwhile.
    this.counted.noticeInnerVolumes();
    const isDrained = this.pumpRows(batches);
    for (const summary of this.source.readSummaries(isDue())) {
      this.counted.noticeLayers();
      this.history.appendAggregate(summary);
      this.pictures.appendAggregate(summary);
      this.tee?.appendSummary(summary);
    }
    for (const busy of this.source.readBusy?.() ?? []) {
      this.history.appendBusy(busy);
      this.tee?.appendBusy(busy);
    }
    return isDrained;
  }

  private pumpRows(batches: number): boolean {
    for (let batch = 0; batch < batches; batch++) {
      const rows = this.source.read();
      if (rows.length === 0) return true;
      this.rowsTaken += rows.length;
      this.counted.noticeLayers();
      this.history.append(rows);
      this.pictures.append(rows);
      this.tee?.append(rows);
    }
    return false;
  }

  /**
   * The heat map of `picture` whose last column contains the trace time `endNs`. It is counted until the deadline, and
   * the next call continues. Without `shouldYield`, counting is not interrupted; this is the same for the other
   * pictures.
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

  /** Whether the picture that was shown last is only partly counted. */
  get isCounting(): boolean {
    return this.pictures.isCounting;
  }

  /** The map of two values for the I/O in the time of `picture`; its columns are the bins of the x axis. */
  showJoint(
    picture: Picture,
    across: AcrossMetric,
    endNs: number,
    shouldYield?: ShouldYield,
  ): JointMap {
    return this.pictures.showJoint({ ...this.specOf(picture), across }, endNs, shouldYield);
  }

  /** Lanes of disks, by device number; or of other subjects, by `RankedLanes`, with one lane for everything else. */
  showLanes(
    picture: LanePicture,
    kind: LaneKind,
    keys: readonly TermValue[],
    endNs: number,
    shouldYield?: ShouldYield,
  ): LaneMap {
    const owners = { subjects: this.subjectsOf(kind), keys };
    const spec = { ...picture, filter: this.compiled, owners };
    return this.pictures.showLanes(spec, endNs, shouldYield);
  }

  /**
   * The subjects with the most I/O in the time of `picture`, at most `most`. Each keeps its place for as long as
   * possible.
   */
  rankLanes(
    { columnNs, columns }: Pick<LanePicture, 'columnNs' | 'columns'>,
    kind: LaneKind,
    most: number,
    endNs: number,
    shouldYield?: ShouldYield,
  ): RankedLanes {
    const subjects = this.subjectsOf(kind);
    const spec = { subjects, columnNs, columns, most, filter: this.compiled };
    const ranking = this.pictures.rankLanes(spec, endNs, shouldYield);
    const { places, others, hasMoreOthers, hasRest, restIsUnknown } = ranking;
    // Subjects with the same name share a lane.
    const lanes = new Map(places.map((place) => [subjects.key(place), subjects.name(place)]));
    const named = [...lanes].map(([key, name]) => ({ key, name }));
    return { lanes: named, others, hasMoreOthers, hasRest, restIsUnknown };
  }

  private subjectsOf(kind: LaneKind): LaneSubjects {
    const known = this.subjects.get(kind);
    if (known !== undefined) return known;
    const subjects = laneSubjects(kind, this.source.info);
    this.subjects.set(kind, subjects);
    return subjects;
  }

  /**
   * Disks with I/O that may match the filter, by host and name. While `isStanding`, without those that come: their
   * lanes would move the others under the cross-hair.
   */
  laneDevs(isStanding = false): readonly number[] {
    const counted = this.inLayer();
    if (!isStanding || counted.lanes === undefined) counted.lanes = this.inOrder(counted.disks());
    return counted.lanes;
  }

  private inOrder(disks: readonly HeatmapDisk[]): readonly number[] {
    const { info } = this.source;
    const named = disks.map(({ dev }) => ({
      dev,
      name: deviceName(info, dev),
      host: hostOf(info, dev) ?? '',
    }));
    return named
      .sort((a, b) => naturalOrder(a.host, b.host) || naturalOrder(a.name, b.name))
      .map(({ dev }) => dev);
  }

  private specOf(picture: Picture): HeatmapSpec {
    const counted = this.inLayer(picture.layer);
    const { filter, highlight } = counted;
    const spec = { ...picture, filter, highlight, disks: counted.disks() };
    return withShares(spec, this.source.info.identities);
  }

  /** Tables and totals of a stretch of the trace. */
  report(
    range: ReportRange,
    grouping: Grouping = 'process-disk',
    latency: Latency = 'total',
    filter = this.filter,
  ): ActivityReport {
    return this.countReport(range, grouping, latency, filter).advance()!;
  }

  /** As `report`, in turns, over a snapshot of the history. */
  countReport(
    { scope, startNs, endNs, edgeNs = endNs }: ReportRange,
    grouping: Grouping,
    latency: Latency,
    filter = this.filter,
  ): ActivityCount {
    const { history } = this;
    const compiled = filter === this.filter ? this.compiled : this.inLayer().compile(filter);
    const observedToNs = Math.min(endNs, Math.max(edgeNs, history.endNs + 1));
    const { info } = this.source;
    const { beside } = this.inLayer();
    const inFlight = this.outstanding.inFlightByDisk(Math.min(endNs, edgeNs));
    const options = { grouping, scope, latency, beside, inFlight };
    return new ActivityCount(history, startNs, observedToNs, compiled, info, options);
  }

  /** Loads what `trend` takes. */
  async loadTrend(): Promise<void> {
    await this.pictures.loadTrend();
  }

  /** Rates and latencies over the time of a picture, counted until the deadline; the next call continues. */
  trend(window: TrendWindow, shouldYield?: ShouldYield): Trend {
    return this.pictures.showTrend(window, this.compiled, this.source.info, shouldYield);
  }

  /** Contents of a part of the picture, with its slowest I/Os. */
  inspect(box: Box): BoxReport {
    return this.countBox(box).advance()!;
  }

  /** As `inspect`, in turns, over a snapshot of the history. */
  countBox(box: Box): BoxCount {
    const { history } = this;
    const { info } = this.source;
    const besides = conditionsBesides(box);
    const asked = allOf([this.filter, ...besides]);
    const compiled = besides.length === 0 ? this.compiled : this.inLayer().compile(asked);
    return new BoxCount(history, box, compiled, info);
  }

  /** The last I/Os that match the filter and completed before a time, in order of completion. */
  latest(endNs: number): LatestIos {
    const { history, compiled } = this;
    return latestIos(history, endNs, compiled, this.source.info);
  }

  /** One of the latest I/Os, counted back from the last, and where its time went. */
  explain(endNs: number, back: number): ExplainedIo | undefined {
    const { history, compiled } = this;
    return explainedIo(history, { endNs, back }, compiled, this.source.info);
  }

  /** The slowest I/O of the whole history that matches the filter. */
  slowest(): SlowestMoment | undefined {
    const { history, compiled } = this;
    return findSlowest(history, history.startNs, Infinity, compiled);
  }

  /** Searches until the deadline; the next call continues, unless it asks for a restart. */
  seekSlowest(
    fromStart: boolean,
    shouldYield?: ShouldYield,
  ): SlowestMoment | 'searching' | undefined {
    const { history, compiled } = this;
    if (fromStart) this.search = undefined;
    this.search ??= new SlowestSearch(history, history.startNs, Infinity, compiled);
    const found = this.search.advance(shouldYield);
    if (found === undefined) return 'searching';
    this.search = undefined;
    return found.slowest;
  }

  /** Searches the whole history for bursts of slow I/O, as `seekSlowest`. */
  seekBursts(
    fromStart: boolean,
    latency: Latency,
    columnNs: number,
    shouldYield?: ShouldYield,
  ): readonly Burst[] | 'searching' {
    if (fromStart) this.burstSearch = undefined;
    this.burstSearch ??= new BurstSearch(this.history, this.compiled, latency, columnNs);
    const found = this.burstSearch.advance(shouldYield);
    if (found === undefined) return 'searching';
    this.burstSearch = undefined;
    return found;
  }

  /** Everything known now of the process, cgroup, file or disk of a row; undefined if the row is none of these. */
  card(row: ProcessActivity | DiskActivity): Card | undefined {
    return cardOf(this.source, row);
  }

  get taken(): number {
    return this.arrived().taken;
  }

  arrived(): Arrived {
    const counters = this.source.counters();
    const taken = counters.delivered + counters.summarised;
    return { taken, completeness: completenessOf(counters) };
  }
}

/** Shares of all I/O known to have happened since the start of the trace. */
export function completenessOf(counters: SourceCounters): Completeness {
  const { delivered, summarised, lost, oneIn, callsOneIn } = counters;
  const truth = delivered + summarised + lost;
  if (truth === 0) return { inPicture: 1, inDetail: 1, lost: 0 };
  const [inPicture, inDetail] = [(delivered + summarised) / truth, delivered / truth];
  return { inPicture, inDetail, lost, oneIn, callsOneIn };
}
