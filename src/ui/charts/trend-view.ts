import { Attribute, createCellBlock } from '../../base/cell-block.ts';
import type { CellBlock } from '../../base/cell-block.ts';
import { formatCount, formatDuration, formatRate } from '../../base/format.ts';
import type { ClockBase } from '../../base/time.ts';
import { DEFAULT_LAYER, hasQueue, nounOf } from '../../model/layer.ts';
import type { DiskTrend, Trend } from '../../model/trend.ts';
import { countingText } from '../../raster/draw-pane.ts';
import { timeLabels } from '../../raster/time-labels.ts';
import type { Rect } from '../layout-screen.ts';
import { megabytes } from '../text/figures.ts';
import { BarChart } from './contrib/bar-chart.ts';
import { ChartCells } from './contrib/chart-cells.ts';
import type { ChartStyle } from './contrib/chart-cells.ts';
import { ContribHost } from './contrib/contrib-host.ts';
import { DiskChart, diskColumns, lastKnown } from './contrib/disk-chart.ts';
import type { DiskColumns } from './contrib/disk-chart.ts';
import { AXIS_COLUMNS, LineChart } from './contrib/line-chart.ts';
import type { Pen } from './contrib/pens.ts';
import { shownDisks } from './shown-disks.ts';
import type { ShownDisks } from './shown-disks.ts';
import { layoutTrend } from './trend-layout.ts';
import type { TrendLayout } from './trend-layout.ts';
import {
  iopsSeries,
  inFlightSeries,
  latencySeries,
  sumOf,
  throughputSeries,
} from './trend-series.ts';
import type { Named } from './trend-series.ts';
import { linearAxis, logAxis } from './contrib/value-axis.ts';
import type { ValueAxis } from './contrib/value-axis.ts';

/** Draws charts of a trend. */
export interface TrendView {
  /** Undefined where there is too little room. */
  draw(trend: Trend, clockBase: ClockBase, width: number, height: number): CellBlock | undefined;
  dispose(): void;
}

export function createTrendView(style: ChartStyle): TrendView {
  return new ContribTrendView(style);
}

/** Rows of a chart for title and times. */
const ROWS_AROUND = 2;
const BAR_PENS: readonly Pen[] = ['read', 'write', 'other'];

interface Charts {
  readonly width: number;
  readonly height: number;
  readonly layout: TrendLayout;
  readonly lines: Readonly<Record<'iops' | 'throughput' | 'latency', LineChart | undefined>>;
  readonly inFlight: BarChart | undefined;
}

class ContribTrendView implements TrendView {
  private readonly host = new ContribHost();
  private charts: Charts | undefined;
  private disks: { readonly columns: DiskColumns; readonly rows: DiskChart[] } | undefined;

  constructor(private readonly style: ChartStyle) {}

  draw(trend: Trend, clockBase: ClockBase, width: number, height: number): CellBlock | undefined {
    const layout = layoutTrend(width, height);
    if (layout === undefined) return undefined;
    const shown = shownDisks(trend.disks, layout.disks.height - 1);
    const charts = this.chartsFor(width, height, layout, shown.disks);
    const cells = new ChartCells(createCellBlock(width, height), this.style);
    const frame = new Frame(trend, clockBase, cells);
    const paints = [
      ...lineCharts(trend, charts).map((chart) => frame.lines(chart)),
      frame.bars(charts.inFlight, layout.inFlight),
      frame.disks(this.disks, layout.disks, shown),
    ];
    this.host.render();
    for (const paint of paints) paint();
    frame.counting(layout.iops);
    return cells.block;
  }

  dispose(): void {
    this.host.dispose();
  }

  private chartsFor(
    width: number,
    height: number,
    layout: TrendLayout,
    shown: readonly DiskTrend[],
  ): Charts {
    const names = shown.map(({ disk }) => disk);
    const columns = diskColumns(layout.disks.width, names);
    const rows = shown.length;
    const each = rowsOfEach(layout.disks, rows);
    const { charts, disks } = this;
    const isSame =
      charts?.width === width &&
      charts.height === height &&
      disks?.rows.length === rows &&
      disks.columns.name === columns.name;
    if (charts !== undefined && isSame) return charts;
    this.host.clear();
    this.charts = this.createCharts(width, height, layout);
    const createRow = () => new DiskChart(this.host, columns, each);
    this.disks = { columns, rows: Array.from({ length: rows }, createRow) };
    return this.charts;
  }

  private createCharts(width: number, height: number, layout: TrendLayout): Charts {
    const line = (rect: Rect | undefined): LineChart | undefined =>
      rect && new LineChart(this.host, rect.width, rect.height - ROWS_AROUND);
    const { iops, throughput, latency, inFlight } = layout;
    return {
      width,
      height,
      layout,
      lines: { iops: line(iops), throughput: line(throughput), latency: line(latency) },
      inFlight:
        inFlight &&
        new BarChart(this.host, BAR_PENS, inFlight.width, inFlight.height - ROWS_AROUND),
    };
  }
}

interface LineSpec {
  readonly chart: LineChart;
  readonly rect: Rect;
  readonly title: string;
  readonly series: readonly Named[];
  readonly axis: ValueAxis;
  readonly hasErrors: boolean;
}

/** `I/Os per s`, `calls per s` */
function ratesTitle({ layer }: Trend): string {
  return `${nounOf(layer)}s per s`;
}

function latencyTitle({ layer = DEFAULT_LAYER, traceLatency }: Trend): string {
  return hasQueue(layer, traceLatency) ? 'latency, queue + device' : 'total latency';
}

function lineCharts(trend: Trend, { layout, lines }: Charts): LineSpec[] {
  const specs: LineSpec[] = [];
  const rates = ratesTitle(trend);
  const add = (
    chart: LineChart | undefined,
    rect: Rect | undefined,
    title: string,
    series: readonly Named[],
    axisOf: typeof linearAxis,
    format: (value: number) => string,
  ): void => {
    if (chart === undefined || rect === undefined) return;
    const values = series.map((one) => one.values);
    const { roomy, tight } = chart.mostSteps();
    const axis = axisOf(values, axisOf === logAxis ? tight : roomy, format);
    specs.push({ chart, rect, title, series, axis, hasErrors: title === rates });
  };
  add(lines.iops, layout.iops, rates, iopsSeries(trend), linearAxis, formatRate);
  const throughput = throughputSeries(trend);
  add(lines.throughput, layout.throughput, 'MB/s', throughput, linearAxis, megabytes);
  const latency = latencySeries(trend);
  add(lines.latency, layout.latency, latencyTitle(trend), latency, logAxis, formatDuration);
  return specs;
}

/** Rows for each disk, given the number of disks. */
function rowsOfEach(rect: Rect, disks: number): number {
  return Math.max(1, Math.floor((rect.height - 1) / Math.max(1, disks)));
}

type Paint = () => void;

/** One drawing of all charts: each gets its data first, and is copied after all are rendered. */
class Frame {
  constructor(
    private readonly trend: Trend,
    private readonly clockBase: ClockBase,
    private readonly cells: ChartCells,
  ) {}

  lines({ chart, rect, title, series, axis, hasErrors }: LineSpec): Paint {
    chart.update(axis, series);
    return () => {
      chart.copy(this.cells, rect.x, rect.y + 1);
      const x = this.title(rect, title, series, (pen) => this.cells.mark(pen));
      if (hasErrors && x !== undefined) this.errors(rect, x);
      this.times(rect, rect.width - AXIS_COLUMNS);
    };
  }

  bars(chart: BarChart | undefined, rect: Rect | undefined): Paint {
    if (chart === undefined || rect === undefined) return () => undefined;
    const series = inFlightSeries(this.trend);
    const axis = linearAxis([sumOf(series)], Math.max(1, Math.floor(chart.height / 3)), formatRate);
    chart.update(axis, series);
    return () => {
      chart.copy(this.cells, rect.x, rect.y + 1);
      this.title(rect, `${nounOf(this.trend.layer)}s in flight`, series, (pen) =>
        this.cells.filling(pen),
      );
      this.times(rect, chart.bars);
    };
  }

  disks(
    charts: { readonly columns: DiskColumns; readonly rows: readonly DiskChart[] } | undefined,
    rect: Rect,
    shown: ShownDisks,
  ): Paint {
    const { disks } = shown;
    const rows = charts?.rows ?? [];
    const each = rowsOfEach(rect, disks.length);
    disks.forEach((disk, row) => rows[row]?.update(disk));
    return () => {
      this.diskTitle(rect, charts?.columns, shown);
      disks.forEach((disk, row) =>
        rows[row]?.copy(this.cells, rect.x, rect.y + 1 + row * each, disk),
      );
    };
  }

  /** States that only a part is counted, in the same place as the heat map does. */
  counting({ x, y, width }: Rect): void {
    const text = countingText(this.trend.countedShare, width - AXIS_COLUMNS);
    if (text !== undefined)
      this.cells.write(x + AXIS_COLUMNS, y + 1, text, 'text', Attribute.inverse);
  }

  private diskTitle(rect: Rect, columns: DiskColumns | undefined, shown: ShownDisks): void {
    const more = shown.more > 0 ? `, ${shown.more} more` : '';
    const idle = shown.idle > 0 ? `, ${shown.idle} idle` : '';
    this.cells.write(rect.x, rect.y, `busy, last 5s${more}${idle}`, 'text', Attribute.bold);
    if (columns === undefined) return;
    const x = rect.x + columns.sparkX;
    const isTall = rowsOfEach(rect, shown.disks.length) > 1;
    const rates = ratesTitle(this.trend);
    const text = `${rates}${isTall ? ': peak and current' : ', each on its own scale'}`;
    const start = isTall ? rect.x + rect.width - text.length : x;
    if (text.length <= rect.x + rect.width - x) this.cells.write(start, rect.y, text);
    else this.cells.write(x, rect.y, rates.slice(0, columns.spark));
  }

  /** The title with its unit, then each line with its latest value; where they end, if all fit. */
  private title(
    rect: Rect,
    title: string,
    series: readonly Named[],
    markOf: (pen: Pen) => string,
  ): number | undefined {
    const { cells } = this;
    cells.write(rect.x, rect.y, title, 'text', Attribute.bold);
    let x = rect.x + title.length + 2;
    for (const { pen, name, values, format } of series) {
      const text = `${name} ${format(lastKnown(values))}`;
      if (x + 2 + text.length > rect.x + rect.width) return undefined;
      cells.write(x, rect.y, markOf(pen), pen);
      cells.write(x + 2, rect.y, text);
      x += text.length + 4;
    }
    return x;
  }

  private errors(rect: Rect, x: number): void {
    if (this.trend.errors === 0) return;
    const text = `failed ${formatCount(this.trend.errors)}`;
    if (x + text.length <= rect.x + rect.width) this.cells.write(x, rect.y, text, 'max');
  }

  /** Times below a chart whose plot has that many columns; each below the moment it names. */
  private times(rect: Rect, columns: number): void {
    const { startNs, bucketNs, buckets } = this.trend;
    const columnNs = (bucketNs * buckets) / columns;
    const y = rect.y + rect.height - 1;
    for (const { column, text } of timeLabels({ startNs, columns, columnNs }, this.clockBase)) {
      const end = rect.x + AXIS_COLUMNS + column + 1;
      const start = end - text.length - 1;
      if (start >= rect.x) this.cells.write(start, y, `${text}┘`, 'axis');
    }
  }
}
