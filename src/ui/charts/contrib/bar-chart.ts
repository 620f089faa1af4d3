import createStackedBar from 'blessed-contrib/lib/widget/charts/stacked-bar.js';
import type { StackedBarWidget } from 'blessed-contrib/lib/widget/charts/stacked-bar.js';
import { alignRight } from '../../../base/format.ts';
import type { ChartCells } from './chart-cells.ts';
import type { ContribHost, Slot } from './contrib-host.ts';
import { AXIS_COLUMNS } from './line-chart.ts';
import type { Series } from './line-chart.ts';
import { penNumber } from './pens.ts';
import type { Pen } from './pens.ts';
import type { ValueAxis } from './value-axis.ts';

/** Rows that the widget keeps free above its bars. */
const ROWS_ABOVE = 2;

/** Stacked bars over time, with a y axis. */
export class BarChart {
  private readonly slot: Slot;
  private readonly widget: StackedBarWidget;
  private axis: ValueAxis | undefined;

  constructor(
    private readonly host: ContribHost,
    pens: readonly Pen[],
    readonly width: number,
    readonly height: number,
  ) {
    const rows = height + ROWS_ABOVE;
    this.slot = host.claim(width, rows);
    const { options } = this.slot;
    const barBgColor = pens.map(penNumber);
    this.widget = createStackedBar({ ...options, showText: false, showLegend: false, barBgColor });
    this.widget.calcSize = () => {
      this.widget.canvasSize = { width, height: rows };
    };
    host.place(this.widget);
  }

  /** Columns of the plot, each of which is a bar. */
  get bars(): number {
    return Math.max(1, this.width - AXIS_COLUMNS);
  }

  update(axis: ValueAxis, series: readonly Series[]): void {
    const { options } = this.widget;
    this.axis = axis;
    options.xOffset = AXIS_COLUMNS;
    // The widget draws one column more than asked for, and requires gaps at its creation.
    options.barWidth = 0;
    options.barSpacing = 1;
    options.maxValue = axis.high;
    const { bars } = this;
    const data = Array.from({ length: bars }, (_, bar) =>
      series.map(({ values }) => axis.placeOf(meanOf(values, bar / bars, (bar + 1) / bars))),
    );
    this.widget.setData({ barCategory: [], stackedCategory: [], data });
  }

  copy(to: ChartCells, x: number, y: number): void {
    const { width, height } = this;
    this.host.copy(this.slot, { x, y, fromY: ROWS_ABOVE, width, height }, to);
    for (let row = 0; row < height; row++) to.write(x + AXIS_COLUMNS - 1, y + row, '│', 'axis');
    const { axis } = this;
    if (axis === undefined) return;
    for (let place = axis.low + 1; place <= axis.high; place++) {
      const row = Math.round(height * (1 - place / axis.high));
      to.write(x, y + row, alignRight(axis.labelAt(place), AXIS_COLUMNS - 2));
      to.write(x + AXIS_COLUMNS - 1, y + row, '┤', 'axis');
    }
  }
}

/** The mean of known values in a part of the chart, in shares of its width; 0 when none is known. */
function meanOf(values: Float64Array, from: number, to: number): number {
  const first = Math.floor(from * values.length + 1e-9);
  const end = Math.max(first + 1, Math.ceil(to * values.length - 1e-9));
  let [sum, known] = [0, 0];
  for (const value of values.subarray(first, end)) {
    if (!(value >= 0)) continue;
    sum += value;
    known++;
  }
  return known === 0 ? 0 : sum / known;
}
