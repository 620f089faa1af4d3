import type { ClockBase, ShouldYield } from '../../base/time.ts';
import type { Interval } from '../../heatmap/axis/scale.ts';
import { LiveHeatmap } from '../../heatmap/time/live-heatmap.ts';
import { withShares } from '../../heatmap/time/heatmap-spec.ts';
import type { HeatmapData, HeatmapDisk, HeatmapSpec } from '../../heatmap/time/heatmap-spec.ts';
import { mapQuantile } from '../../heatmap/time/map-quantile.ts';
import { totalsOf } from '../../heatmap/time/totals.ts';
import type { HeatmapTotals } from '../../heatmap/time/totals.ts';
import type { ActivityInfo } from '../../query/activity/activity-report.ts';
import { BoxCount } from '../../query/box/box-report.ts';
import type { History } from '../../history/history.ts';
import type { ValueRange } from '../../filter/box.ts';
import { deviceName, isUnknownDevice } from '../../model/device.ts';
import type { BoxReport } from '../../query/box/drill-down.ts';
import type { CompiledFilter } from '../../filter/match/match.ts';
import { formatFilter } from '../../filter/language/format.ts';
import type { Layer } from '../../model/layer.ts';
import type { Note } from '../../model/notes.ts';
import { hasQueue } from '../../model/layer.ts';
import { isLatency } from '../../model/metric.ts';
import { isPlace } from '../../model/metric.ts';
import type {
  Latency,
  Metric,
  OutlierCut,
  PaletteName,
  ScaleKind,
  Weight,
} from '../../model/metric.ts';
import { drawnBy } from './picture-window.ts';
import { commonRange } from '../../raster/draw-stack.ts';
import { Verdict } from '../../filter/verdict.ts';

/** What to draw, as the user chose it. */
export interface FigureSpec {
  readonly metric: Metric;
  readonly scale: ScaleKind;
  readonly weight: Weight;
  readonly outlierCut: OutlierCut;
  readonly palette: PaletteName;
  readonly valueRange?: ValueRange | undefined;
  readonly columnNs: number;
  readonly columns: number;
  readonly bins: number;
  /** Trace time that the last column contains, in ns. */
  readonly lastNs: number;
  /** The time that rates are over; by default what the columns cover until then. */
  readonly ratedNs?: number | undefined;
  /** Heat maps above each other, from the top; if empty, one of `metric`. */
  readonly stack?: readonly StackedSpec[];
}

/** What to draw in one of several maps. */
export interface StackedSpec {
  readonly title: string;
  readonly metric: Metric;
  readonly filter: CompiledFilter;
  /** Whether the figures of the picture are of this map. */
  readonly isActive: boolean;
}

/** The facts about the trace in addition to its I/O. */
export interface FigureFacts {
  /** Empty if unknown. */
  readonly host: string;
  readonly kernel: string;
  /** What wrote the trace, and the program that draws it. */
  readonly writer: string;
  readonly clockBase: ClockBase;
  readonly hasWallClock: boolean;
  /** The filter of the recording, in the words of a filter; empty if everything was recorded. */
  readonly recordedOnly: string;
  /** See `TraceHeader.hasWholeTraces`. */
  readonly hasWholeTraces?: true | undefined;
  /** Sentences about what is missing: losses, damage. */
  readonly warnings: readonly string[];
  /** The notes, in order of time. */
  readonly notes: readonly Note[];
}

/** One of the heat maps of a figure. */
export interface FigureMap {
  /** Empty if it is the only one. */
  readonly title: string;
  /** Undefined if the filter decides which layers are counted. */
  readonly layer: Layer | undefined;
  readonly live: LiveHeatmap;
  readonly totals: HeatmapTotals;
  /** Percentiles of the metric; empty if single I/Os have no value of it. */
  readonly percentiles: readonly Percentile[];
}

/**
 * A heat map with everything that is written around it. If there are several, this is the one that the figures are of.
 */
export interface Figure extends FigureMap {
  /** All heat maps from the top: this one, or several. */
  readonly maps: readonly FigureMap[];
  /** Weights with the first and the last colour, in all maps. */
  readonly colorRange: Interval;
  readonly palette: PaletteName;
  readonly facts: FigureFacts;
  /** Disks with I/O that matches the filter. */
  readonly disks: readonly string[];
  readonly filter: string;
  /** All matching I/O of the window, and its slowest I/Os. */
  readonly contents: BoxReport;
  /**
   * The latency by which they are the slowest: the one that is drawn, or the total latency if not all of them have it.
   */
  readonly rankedBy: Latency;
}

export interface Percentile {
  readonly name: string;
  readonly value: number;
}

/** Number of slowest I/Os: as many as can be read at a glance. */
const SLOWEST = 5;
/** Bins of several maps together, relative to those of one. */
const STACK_SHARE = 1.5;
const SHARES = [0.5, 0.9, 0.99, 0.999];

/** The same heat map as on the screen: same bins, weights and outliers. */
export function createFigure(
  history: History,
  info: ActivityInfo,
  filter: CompiledFilter,
  spec: FigureSpec,
  facts: FigureFacts,
): Figure {
  return new FigureCount(history, info, filter, spec, facts).advance()!;
}

/** The same in turns. Counts the I/O that the history has when it starts. */
export class FigureCount {
  private readonly disks: readonly HeatmapDisk[];
  private readonly stack: readonly StackedSpec[];
  private readonly lives: readonly LiveHeatmap[];
  private readonly rankedBy: Latency;
  private readonly ranked: BoxCount;
  private readonly all: BoxCount;
  private slowest: BoxReport['slowest'] | undefined;

  constructor(
    history: History,
    private readonly info: ActivityInfo,
    private readonly filter: CompiledFilter,
    private readonly spec: FigureSpec,
    private readonly facts: FigureFacts,
  ) {
    const { lastNs, ratedNs } = spec;
    this.stack = stackOf(spec, filter);
    const { metric } = this.stack.find(({ isActive }) => isActive) ?? spec;
    this.disks = disksWithIo(info, filter);
    const all = { metric: 'utilization', ...drawnBy(spec), low: 0, high: Infinity } as const;
    const layers = filter.layer === undefined ? [...info.identities.layers] : [filter.layer];
    const areDivided = layers.every((layer) => hasQueue(layer, info.origin?.latency));
    this.rankedBy = isLatency(metric) && areDivided ? metric : 'total';
    const ranked = { ...all, metric: this.rankedBy };
    const data = upToNow(history);
    this.lives = this.stack.map((one) => new LiveHeatmap(data, this.specOf(one)));
    const options = { slowest: SLOWEST, ranksByValue: true };
    this.ranked = new BoxCount(history, ranked, filter, info, options);
    const counted = { slowest: 0, nowNs: lastNs, spanNs: ratedNs };
    this.all = new BoxCount(history, all, filter, info, counted);
  }

  /** Share counted so far, 0 to 1. */
  get share(): number {
    const shares = this.lives.map(({ countedShare }) => countedShare);
    const drawn = shares.reduce((sum, share) => sum + share, 0) / shares.length;
    return (drawn + this.ranked.share + this.all.share) / 3;
  }

  /** Counts until the deadline; undefined until everything is counted. */
  advance(shouldYield?: ShouldYield): Figure | undefined {
    for (const live of this.lives) live.update(this.spec.lastNs, shouldYield);
    if (this.lives.some(({ isCounting }) => isCounting)) return undefined;
    this.slowest ??= this.ranked.advance(shouldYield)?.slowest;
    if (this.slowest === undefined) return undefined;
    const contents = this.all.advance(shouldYield);
    return contents && this.figureOf({ ...contents, slowest: this.slowest });
  }

  private figureOf(contents: BoxReport): Figure {
    const { spec, facts, info, filter } = this;
    const maps = this.lives.map((live, i) => mapOf(live, this.stack[i]!));
    const active = this.stack.findIndex(({ isActive }) => isActive);
    return {
      ...maps[Math.max(0, active)]!,
      maps,
      colorRange: commonRange(this.lives),
      palette: spec.palette,
      facts,
      disks: this.disks
        .filter(({ dev }) => !isUnknownDevice(dev))
        .map(({ dev }) => deviceName(info, dev)),
      filter: formatFilter(filter.filter),
      contents,
      rankedBy: this.rankedBy,
    };
  }

  private specOf({ metric, filter, isActive }: StackedSpec): HeatmapSpec {
    const { spec, info } = this;
    const disks = filter === this.filter ? this.disks : disksWithIo(info, filter);
    const valueRange = isActive ? spec.valueRange : undefined;
    // The view of the screen has a highlight of its own, which is not compiled and not drawn in files.
    const asked = { ...spec, metric, valueRange, filter, highlight: undefined, disks };
    const bins = Math.ceil((spec.bins * STACK_SHARE) / this.stack.length);
    if (this.stack.length > 1) return withShares({ ...asked, bins }, info.identities);
    return withShares(asked, info.identities);
  }
}

function stackOf(
  { stack = [], metric }: FigureSpec,
  filter: CompiledFilter,
): readonly StackedSpec[] {
  return stack.length > 0 ? stack : [{ title: '', metric, filter, isActive: true }];
}

function mapOf(live: LiveHeatmap, { title, filter: { layer } }: StackedSpec): FigureMap {
  const totals = totalsOf(live.map);
  return { title, layer, live, totals, percentiles: percentilesOf(live, totals) };
}

/** The history without I/O that completes during the count, so that all figures are about the same I/O. */
function upToNow(history: History): HeatmapData {
  const nowNs = history.endNs + 1;
  return {
    query: (startNs, endNs) => history.query(startNs, Math.min(endNs, nowNs)),
    slices: (startNs, endNs) => history.slices(startNs, Math.min(endNs, nowNs)),
    sliceNs: history.sliceNs,
    beforeRows: (toNs, rows) => history.beforeRows(Math.min(toNs, nowNs), rows),
    rows: history.rows,
    busySeries: history.busySeries.bind(history),
    utilization: history.utilization.bind(history),
    observedFromNs: history.observedFromNs,
    endNs: history.endNs,
  };
}

/** The disks with I/O that matches the filter: a large idle disk must not stretch the axis of offsets. */
function disksWithIo(info: ActivityInfo, filter: CompiledFilter): HeatmapDisk[] {
  const devs = new Set<number>();
  for (let identity = 0; identity < info.identities.size; identity++) {
    if (filter.judge(identity) !== Verdict.no) devs.add(info.identities.get(identity).dev);
  }
  return [...devs].map((dev) => info.device(dev) ?? { dev });
}

function percentilesOf({ map }: LiveHeatmap, totals: HeatmapTotals): Percentile[] {
  const { max } = totals;
  if (isPlace(map.metric) || map.metric === 'utilization' || max === undefined) return [];
  const found = SHARES.map((share) => ({
    name: `p${Number((share * 100).toFixed(1))}`,
    value: mapQuantile(map, totals, share) ?? max,
  }));
  return [...found, { name: 'max', value: max }];
}
