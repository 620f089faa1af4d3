import createStackedBar from 'blessed-contrib/lib/widget/charts/stacked-bar.js';
import type { StackedBarWidget } from 'blessed-contrib/lib/widget/charts/stacked-bar.js';
import { alignRight } from '../../base/format.ts';
import type { ChartCells } from './chart-cells.ts';
import type { ContribHost, Slot } from './contrib-host.ts';
import { AXIS_COLUMNS } from './line-chart.ts';
import type { Series } from './line-chart.ts';
import { penNumber } from './pens.ts';
import type { Pen } from './pens.ts';
import type { ValueAxis } from './value-axis.ts';

/** Rows that the widget keeps free above its bars. */
const ROWS_ABOVE = 2;

/** How many values share a bar, and how many columns it has. */
export interface Bars {
  readonly bars: number;
  readonly perBar: number;
  readonly columns: number;
}

/** Bars over time, one part on the other, with a y axis. */
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
    const options = { top: this.slot.y, left: 0, width, height: rows };
    const barBgColor = pens.map(penNumber);
    this.widget = createStackedBar({ ...options, showText: false, showLegend: false, barBgColor });
    this.widget.calcSize = () => {
      this.widget.canvasSize = { width, height: rows };
    };
    host.place(this.widget);
  }

  /** Of `values` values: as many bars as fit, all of the same width. */
  layout(values: number): Bars {
    const room = Math.max(1, this.width - AXIS_COLUMNS);
    const perBar = Math.max(1, Math.ceil(values / room));
    const bars = Math.ceil(values / perBar);
    return { bars, perBar, columns: Math.max(1, Math.floor(room / bars)) };
  }

  update(axis: ValueAxis, series: readonly Series[]): void {
    const { options } = this.widget;
    this.axis = axis;
    const { bars, perBar, columns } = this.layout(series[0]?.values.length ?? 0);
    options.xOffset = AXIS_COLUMNS;
    // The widget draws one column more than it is told, and insists on gaps when it is made.
    options.barWidth = columns - 1;
    options.barSpacing = columns;
    options.maxValue = axis.high;
    const data = Array.from({ length: bars }, (_, bar) =>
      series.map(({ values }) => axis.placeOf(meanOf(values, bar * perBar, perBar))),
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

/** Of the values that are known; 0 when none is. */
function meanOf(values: Float64Array, from: number, count: number): number {
  let [sum, known] = [0, 0];
  for (let at = from; at < Math.min(values.length, from + count); at++) {
    if (!(values[at]! >= 0)) continue;
    sum += values[at]!;
    known++;
  }
  return known === 0 ? 0 : sum / known;
}
