import createGauge from 'blessed-contrib/lib/widget/gauge.js';
import type { GaugeWidget } from 'blessed-contrib/lib/widget/gauge.js';
import createSparkline from 'blessed-contrib/lib/widget/sparkline.js';
import type { SparklineWidget } from 'blessed-contrib/lib/widget/sparkline.js';
import { alignRight, formatPercent, formatRate } from '../../../base/format.ts';
import { sanitizeText } from '../../../base/sanitize.ts';
import type { DiskTrend } from '../../../model/trend.ts';
import { truncateStart } from '../../text/span.ts';
import type { ChartCells } from './chart-cells.ts';
import type { ContribHost, Slot } from './contrib-host.ts';
import { penNumber } from './pens.ts';
import type { Pen } from './pens.ts';

/** Columns of one row: name, gauge, percentage, sparkline and its last value. */
export interface DiskColumns {
  readonly name: number;
  readonly gauge: number;
  readonly spark: number;
  /** The left edge of the sparkline, from that of the row. */
  readonly sparkX: number;
}

const GAP = 1;
const PERCENT_COLUMNS = 7;
const RATE_COLUMNS = 8;
const LONGEST_NAME = 12;
const WIDEST_GAUGE = 30;
const GAUGE_SHARE = 0.3;

export function diskColumns(width: number, names: readonly string[]): DiskColumns {
  const longest = Math.max(4, ...names.map((name) => name.length));
  const name = Math.min(LONGEST_NAME, longest);
  const room = width - name - PERCENT_COLUMNS - RATE_COLUMNS - 2 * GAP;
  const gauge = Math.max(4, Math.min(WIDEST_GAUGE, Math.floor(room * GAUGE_SHARE)));
  const sparkX = name + GAP + gauge + PERCENT_COLUMNS + GAP;
  return { name, gauge, spark: Math.max(1, room - gauge), sparkX };
}

/** Rows that the widget keeps free above a gauge, and columns before and after it. */
const GAUGE_ROW = 2;
const GAUGE_ROWS = 5;
const GAUGE_BEFORE = 1;
const GAUGE_AROUND = 3;
/** The widget writes an empty row and a title above a sparkline. */
const SPARK_ROW = 2;
const SPARK_ROWS = 4;
/** Values before the visible ones, so that the line starts at 0 and not at its least value. */
const SPARK_BEFORE = 2;

/** From this many rows on, the last row of a disk separates it from the next. */
const GAP_FROM = 3;

/** One disk: how busy it is now, and its completions over time, as high as there is room for. */
export class DiskChart {
  /** Rows of the completions. */
  private readonly height: number;
  private readonly gaugeSlot: Slot;
  private readonly gauge: GaugeWidget;
  /** A widget has one row: the first is the lowest. */
  private readonly sparks: readonly { readonly slot: Slot; readonly widget: SparklineWidget }[];

  constructor(
    private readonly host: ContribHost,
    private readonly columns: DiskColumns,
    rows: number,
  ) {
    this.height = rows >= GAP_FROM ? rows - 1 : rows;
    this.gaugeSlot = host.claim(columns.gauge + GAUGE_AROUND, GAUGE_ROWS);
    this.gauge = createGauge({ ...this.gaugeSlot.options, showLabel: false });
    this.gauge.calcSize = () => {
      const { width, height } = this.gaugeSlot;
      this.gauge.canvasSize = { width, height };
    };
    host.place(this.gauge);
    this.sparks = Array.from({ length: this.height }, () => {
      // The widget drops two values, for a border.
      const slot = host.claim(columns.spark + SPARK_BEFORE + 2, SPARK_ROWS);
      // Its title, which is not shown, must not become two rows.
      const style = { fg: penNumber('read') };
      const widget = createSparkline({ ...slot.options, style, wrap: false });
      host.place(widget);
      return { slot, widget };
    });
  }

  update(disk: DiskTrend): void {
    const share = disk.utilization ?? 0;
    const cells = Math.round(share * this.columns.gauge);
    const stroke = penNumber(penOfShare(share));
    // Whole cells, including the last; the widget draws no gauge without any.
    this.gauge.options.stroke = cells === 0 ? 'normal' : stroke;
    this.gauge.setPercent(Math.max(0, cells - 1) / this.columns.gauge);
    const shares = sharesOf(disk.completions, this.columns.spark);
    for (const [row, { widget }] of this.sparks.entries())
      widget.setData([''], [sparkValues(shares, row, this.height)]);
  }

  copy(to: ChartCells, x: number, y: number, disk: DiskTrend): void {
    const { name, gauge, spark, sparkX } = this.columns;
    const top = y;
    y += this.height - 1;
    to.write(x, y, truncateStart(sanitizeText(disk.disk), name));
    const gaugeX = x + name + GAP;
    to.write(gaugeX, y, '·'.repeat(gauge), 'axis');
    const gaugePart = { fromX: GAUGE_BEFORE, fromY: GAUGE_ROW, width: gauge, height: 1 };
    this.host.copy(this.gaugeSlot, { x: gaugeX, y, ...gaugePart }, to);
    to.write(gaugeX + gauge, y, alignRight(utilizationText(disk), PERCENT_COLUMNS - 1));
    this.copySparks(to, x + sparkX, y, disk);
    const rateX = x + sparkX + spark;
    to.write(rateX, y, alignRight(rateText(lastKnown(disk.completions)), RATE_COLUMNS));
    if (this.height === 1) return;
    const most = disk.completions.reduce((a, b) => (b > a ? b : a), 0);
    to.write(rateX, top, alignRight(rateText(most), RATE_COLUMNS), 'axis');
  }

  /** Copies the sparklines, from the row `y` upwards. */
  private copySparks(to: ChartCells, x: number, y: number, { completions }: DiskTrend): void {
    const { spark } = this.columns;
    const shares = sharesOf(completions, spark);
    for (const [row, { slot }] of this.sparks.entries()) {
      const part = { fromX: SPARK_BEFORE, fromY: SPARK_ROW, width: spark, height: 1 };
      this.host.copy(slot, { x, y: y - row, ...part }, to);
      // The widget draws a line at the bottom for zero, too.
      for (const [cell, share] of shares.entries())
        if (Number.isNaN(share) || (row > 0 && partOf(share, row, this.height) <= 0))
          to.write(x + cell, y - row, ' ');
    }
  }
}

const BUSY_SHARE = 0.6;
const FULL_SHARE = 0.9;

function penOfShare(share: number): Pen {
  if (share >= FULL_SHARE) return 'full';
  return share >= BUSY_SHARE ? 'busy' : 'calm';
}

function utilizationText({ utilization, isUtilizationPartial }: DiskTrend): string {
  const text = formatPercent(utilization);
  return isUtilizationPartial && utilization !== undefined ? `≥${text}` : text;
}

/** The last known value. */
export function lastKnown(values: Float64Array): number | undefined {
  return values.findLast((value) => !Number.isNaN(value));
}

function rateText(rate: number | undefined): string {
  return `${formatRate(rate)}/s`;
}

/** The completions as shares of their maximum, resampled to this many cells; NaN where unknown. */
function sharesOf(completions: Float64Array, cells: number): number[] {
  const largest = completions.reduce((most, value) => (value > most ? value : most), 0);
  const scale = largest > 0 ? 1 / largest : 0;
  return Array.from({ length: cells }, (_, cell) => valueAt(completions, cell, cells) * scale);
}

/** How much of one of several stacked rows a share fills; the lowest is row 0. */
function partOf(share: number, row: number, rows: number): number {
  return Math.max(0, Math.min(1, share * rows - row));
}

/** The values of one row for the widget, 0 to 100, after a 0 and a 100 by which the widget scales. */
function sparkValues(shares: readonly number[], row: number, rows: number): number[] {
  const values = shares.map((share) => (share >= 0 ? partOf(share, row, rows) * 100 : 0));
  return [0, 100, ...values];
}

function valueAt(values: Float64Array, cell: number, cells: number): number {
  return values[Math.floor(((cell + 0.5) * values.length) / cells)] ?? NaN;
}
