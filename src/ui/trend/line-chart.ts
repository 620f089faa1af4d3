import createLine from 'blessed-contrib/lib/widget/charts/line.js';
import type { LineWidget } from 'blessed-contrib/lib/widget/charts/line.js';
import { alignRight } from '../../base/format.ts';
import type { ChartCells } from './chart-cells.ts';
import type { ContribHost, Slot } from './contrib-host.ts';
import { penNumber } from './pens.ts';
import type { Pen } from './pens.ts';
import type { ValueAxis } from './value-axis.ts';

/** One line of a chart; gaps where a value is NaN. */
export interface Series {
  readonly pen: Pen;
  readonly values: Float64Array;
}

/** Columns left of the plot: a value, a space and the axis itself. */
export const AXIS_COLUMNS = 7;
/** The widget leaves a row between the base line and the lower edge; labels go there here. */
const ROWS_BELOW_BASE = 2;
const PIXELS = { perColumn: 2, perRow: 4 } as const;
/** Pixels that the widget keeps free below the base line, and between that and the lines. */
const BELOW_BASE = 11;
const ABOVE_BASE = 2;

/** Lines over time with a y axis. The time axis below belongs to the caller. */
export class LineChart {
  private readonly slot: Slot;
  private readonly widget: LineWidget;
  private axis: ValueAxis | undefined;

  /** `height` rows, the last of which is the base line. */
  constructor(
    private readonly host: ContribHost,
    readonly width: number,
    readonly height: number,
  ) {
    const rows = height + ROWS_BELOW_BASE;
    this.slot = host.claim(width, rows);
    const xPadding = (AXIS_COLUMNS - 1) * PIXELS.perColumn;
    const style = { text: penNumber('text'), baseline: penNumber('axis'), line: 0 };
    const padding = { xPadding, xLabelPadding: xPadding };
    this.widget = createLine({ ...this.slot.options, ...padding, style });
    this.widget.calcSize = () => {
      this.widget.canvasSize = {
        width: width * PIXELS.perColumn,
        height: rows * PIXELS.perRow,
      };
    };
    host.place(this.widget);
    this.adaptPencil();
  }

  /** Steps of a y axis that leave room for a label each, and for one row more if there can be. */
  mostSteps(): { readonly roomy: number; readonly tight: number } {
    const tight = Math.max(1, this.height - 2);
    return { tight, roomy: Math.max(1, Math.min(6, Math.floor(tight / 2))) };
  }

  update(axis: ValueAxis, series: readonly Series[]): void {
    const { options, canvasSize } = this.widget;
    this.axis = axis;
    const range = axis.high - axis.low;
    const plotted = Math.max(1, canvasSize.height - BELOW_BASE - ABOVE_BASE - 1);
    // The widget puts the largest value above its upper edge.
    const headroom = Math.min(0.95, ((ABOVE_BASE + 1) * range) / plotted);
    options.minY = axis.low;
    options.maxY = axis.high + headroom;
    options.numYLabels = range + headroom;
    this.widget.setData(series.map((one) => dataOf(one, axis)));
  }

  copy(to: ChartCells, x: number, y: number): void {
    this.host.copy(this.slot, { x, y, width: this.width, height: this.height }, to);
  }

  /**
   * The widget draws what is no number as if it were one, labels in plain numbers only, and times
   * one by one rather than where they are round: these it is given empty, and they are not drawn.
   */
  private adaptPencil(): void {
    const pencil = this.widget.ctx;
    const moveTo = pencil.moveTo.bind(pencil);
    const lineTo = pencil.lineTo.bind(pencil);
    const fillText = pencil.fillText.bind(pencil);
    let isBroken = true;
    pencil.lineTo = (x, y) => {
      if (!Number.isFinite(y)) {
        isBroken = true;
        return;
      }
      if (isBroken) moveTo(x, y);
      // A point by itself is a line to where it is.
      lineTo(x, y);
      isBroken = false;
    };
    pencil.fillText = (text, x, y) => {
      const label = text === '' ? '' : (this.axis?.labelAt(Number(text)) ?? '');
      if (label !== '') fillText(alignRight(label, AXIS_COLUMNS - 2), x, y);
    };
  }
}

function dataOf({ pen, values }: Series, axis: ValueAxis) {
  const places = Array.from(values, (value) => axis.placeOf(value));
  return { x: places.map(() => ''), y: places, style: { line: penNumber(pen) } };
}
