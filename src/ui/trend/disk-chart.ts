import createGauge from 'blessed-contrib/lib/widget/gauge.js';
import type { GaugeWidget } from 'blessed-contrib/lib/widget/gauge.js';
import createSparkline from 'blessed-contrib/lib/widget/sparkline.js';
import type { SparklineWidget } from 'blessed-contrib/lib/widget/sparkline.js';
import { alignRight, formatPercent, formatRate } from '../../base/format.ts';
import { sanitizeText } from '../../base/sanitize.ts';
import type { DiskTrend } from '../../model/trend.ts';
import { truncateStart } from '../span.ts';
import type { ChartCells } from './chart-cells.ts';
import type { ContribHost, Slot } from './contrib-host.ts';
import { penNumber } from './pens.ts';
import type { Pen } from './pens.ts';

/** Columns of one row: name, gauge, per cent, sparkline and its last value. */
export interface DiskColumns {
  readonly name: number;
  readonly gauge: number;
  readonly spark: number;
  /** From the left edge of the row to that of the sparkline. */
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

/** The widget keeps free so many rows above a gauge, and a column before and two after it. */
const GAUGE_ROW = 2;
const GAUGE_ROWS = 5;
const GAUGE_BEFORE = 1;
const GAUGE_AROUND = 3;
/** The widget writes an empty row and a title above a sparkline. */
const SPARK_ROW = 2;
const SPARK_ROWS = 4;
/** Values before the visible ones, so that the line begins at 0 and not at its least value. */
const SPARK_BEFORE = 2;

/** One disk in one row: how busy it is now, and its completions over time. */
export class DiskChart {
  private readonly gaugeSlot: Slot;
  private readonly gauge: GaugeWidget;
  private readonly sparkSlot: Slot;
  private readonly spark: SparklineWidget;

  constructor(
    private readonly host: ContribHost,
    private readonly columns: DiskColumns,
  ) {
    this.gaugeSlot = host.claim(columns.gauge + GAUGE_AROUND, GAUGE_ROWS);
    this.gauge = createGauge({ ...this.gaugeSlot.options, showLabel: false });
    this.gauge.calcSize = () => {
      const { width, height } = this.gaugeSlot;
      this.gauge.canvasSize = { width, height };
    };
    host.place(this.gauge);
    // The widget cuts two values off, for a border.
    this.sparkSlot = host.claim(columns.spark + SPARK_BEFORE + 2, SPARK_ROWS);
    // Its title, which is not shown, must not become two rows.
    const style = { fg: penNumber('read') };
    this.spark = createSparkline({ ...this.sparkSlot.options, style, wrap: false });
    host.place(this.spark);
  }

  update(disk: DiskTrend): void {
    const share = disk.utilization ?? 0;
    const cells = Math.round(share * this.columns.gauge);
    const stroke = penNumber(penOfShare(share));
    // Whole cells, the last included; the widget has no gauge without any.
    this.gauge.options.stroke = cells === 0 ? 'normal' : stroke;
    this.gauge.setPercent(Math.max(0, cells - 1) / this.columns.gauge);
    this.spark.setData([''], [sparkValues(disk.completions, this.columns.spark)]);
  }

  copy(to: ChartCells, x: number, y: number, disk: DiskTrend): void {
    const { name, gauge, spark, sparkX } = this.columns;
    to.write(x, y, truncateStart(sanitizeText(disk.disk), name));
    const gaugeX = x + name + GAP;
    to.write(gaugeX, y, '·'.repeat(gauge), 'axis');
    const gaugePart = { fromX: GAUGE_BEFORE, fromY: GAUGE_ROW, width: gauge, height: 1 };
    this.host.copy(this.gaugeSlot, { x: gaugeX, y, ...gaugePart }, to);
    to.write(gaugeX + gauge, y, alignRight(utilizationText(disk), PERCENT_COLUMNS - 1));
    const sparkPart = { fromX: SPARK_BEFORE, fromY: SPARK_ROW, width: spark, height: 1 };
    this.host.copy(this.sparkSlot, { x: x + sparkX, y, ...sparkPart }, to);
    for (let cell = 0; cell < spark; cell++)
      if (Number.isNaN(valueAt(disk.completions, cell, spark))) to.write(x + sparkX + cell, y, ' ');
    const rate = `${formatRate(lastKnown(disk.completions))}/s`;
    to.write(x + sparkX + spark, y, alignRight(rate, RATE_COLUMNS));
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

/** Of the last value that is known. */
export function lastKnown(values: Float64Array): number | undefined {
  return values.findLast((value) => !Number.isNaN(value));
}

/** Resampled to so many cells, from 0 to 100, after a 0 that the widget scales by. */
function sparkValues(completions: Float64Array, cells: number): number[] {
  const largest = completions.reduce((most, value) => (value > most ? value : most), 0);
  const scale = largest > 0 ? 100 / largest : 0;
  const values = Array.from({ length: cells }, (_, cell) => {
    const value = valueAt(completions, cell, cells);
    return value >= 0 ? value * scale : 0;
  });
  return [0, 100, ...values];
}

function valueAt(values: Float64Array, cell: number, cells: number): number {
  return values[Math.floor(((cell + 0.5) * values.length) / cells)] ?? NaN;
}
