import type { ClockBase, ShouldYield } from '../../base/time.ts';
import { LiveHeatmap } from '../../heatmap/time/live-heatmap.ts';
import { withShares } from '../../heatmap/time/heatmap-spec.ts';
import type { HeatmapData, HeatmapDisk } from '../../heatmap/time/heatmap-spec.ts';
import { totalsOf } from '../../heatmap/time/totals.ts';
import type { HeatmapTotals } from '../../heatmap/time/totals.ts';
import type { ActivityInfo } from '../../query/activity/activity-report.ts';
import { BoxCount } from '../../query/box/box-report.ts';
import type { History } from '../../history/history.ts';
import { quantile } from '../../model/quantile.ts';
import type { ValueRange } from '../../filter/box.ts';
import { deviceName } from '../../model/device.ts';
import type { BoxReport } from '../../query/box/drill-down.ts';
import type { CompiledFilter } from '../../filter/match/match.ts';
import { formatFilter } from '../../filter/language/format.ts';
import type { Layer } from '../../model/layer.ts';
import type { Note } from '../../model/notes.ts';
import { FINE_BINS } from '../../model/fine-bins.ts';
import { isLatency } from '../../model/metric.ts';
import { isPlace } from '../../model/metric.ts';
import type { Metric, OutlierCut, PaletteName, ScaleKind, Weight } from '../../model/metric.ts';
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
}

/** What is known of the trace in addition to its I/O. */
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
  /** Sentences about what is missing: losses, damage. */
  readonly warnings: readonly string[];
  /** What people noted, in order of time. */
  readonly notes: readonly Note[];
}

/** A heat map with everything that is written around it. */
export interface Figure {
  readonly live: LiveHeatmap;
  readonly totals: HeatmapTotals;
  readonly palette: PaletteName;
  readonly facts: FigureFacts;
  /** Disks with I/O that matches the filter. */
  readonly disks: readonly string[];
  readonly filter: string;
  /** Undefined where the filter decides which layers are counted. */
  readonly layer: Layer | undefined;
  /** All matching I/O of the window, and its slowest I/Os: by the latency that is drawn, or by the total latency. */
  readonly contents: BoxReport;
  /** Percentiles of the metric; empty if single I/Os have no value of it. */
  readonly percentiles: readonly Percentile[];
}

export interface Percentile {
  readonly name: string;
  readonly value: number;
}

/** As many as can be read at a glance. */
const SLOWEST = 5;
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
  private readonly live: LiveHeatmap;
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
    const { metric, columnNs, columns, lastNs } = spec;
    this.disks = disksWithIo(info, filter);
    const startNs = (Math.floor(lastNs / columnNs) + 1 - columns) * columnNs;
    const endNs = startNs + columns * columnNs;
    const all = { metric: 'utilization', startNs, endNs, low: 0, high: Infinity } as const;
    const ranked = { ...all, metric: isLatency(metric) ? metric : 'total' } as const;
    const data = upToNow(history);
    // The view of the screen has a highlight of its own, which is not compiled and not drawn in files.
    const asked = { ...spec, filter, highlight: undefined, disks: this.disks };
    const drawn = withShares(asked, info.identities);
    this.live = new LiveHeatmap(data, drawn);
    const options = { slowest: SLOWEST, ranksByValue: true };
    this.ranked = new BoxCount(history, ranked, filter, info, options);
    this.all = new BoxCount(history, all, filter, info, { slowest: 0 });
  }

  /** Share counted so far, 0 to 1. */
  get share(): number {
    return (this.live.countedShare + this.ranked.share + this.all.share) / 3;
  }

  /** Counts until the deadline; undefined until everything is counted. */
  advance(shouldYield?: ShouldYield): Figure | undefined {
    const { live, spec } = this;
    live.update(spec.lastNs, shouldYield);
    if (live.isCounting) return undefined;
    this.slowest ??= this.ranked.advance(shouldYield)?.slowest;
    if (this.slowest === undefined) return undefined;
    const contents = this.all.advance(shouldYield);
    return contents && this.figureOf({ ...contents, slowest: this.slowest });
  }

  private figureOf(contents: BoxReport): Figure {
    const { live, spec, facts, info, filter } = this;
    const totals = totalsOf(live.map);
    return {
      live,
      totals,
      palette: spec.palette,
      facts,
      disks: this.disks.map(({ dev }) => deviceName(info, dev)),
      filter: formatFilter(filter.filter),
      layer: filter.layer,
      contents,
      percentiles: percentilesOf(live, totals),
    };
  }
}

/** Without I/O that completes during the count, so that all figures are about the same I/O. */
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
    endNs: history.endNs,
  };
}

/** A large idle disk must not stretch the axis of offsets. */
function disksWithIo(info: ActivityInfo, filter: CompiledFilter): HeatmapDisk[] {
  const devs = new Set<number>();
  for (let identity = 0; identity < info.identities.size; identity++) {
    if (filter.judge(identity) !== Verdict.no) devs.add(info.identities.get(identity).dev);
  }
  return [...devs].map((dev) => info.device(dev) ?? { dev });
}

/** From the histogram that the axis is fitted to, whose bins are 6 % wide. */
function percentilesOf({ map }: LiveHeatmap, { max }: HeatmapTotals): Percentile[] {
  if (isPlace(map.metric) || map.metric === 'utilization' || max === undefined) return [];
  const counts = Float64Array.from(map.fineTotal);
  const total = counts.reduce((a, b) => a + b, 0);
  const found = SHARES.map((share) => ({
    name: `p${Number((share * 100).toFixed(1))}`,
    value: Math.min(max, quantile(counts, 0, 0, FINE_BINS, total, share) ?? max),
  }));
  return [...found, { name: 'max', value: max }];
}
