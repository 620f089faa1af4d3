import createLine from 'blessed-contrib/lib/widget/charts/line.js';
import type { LineWidget } from 'blessed-contrib/lib/widget/charts/line.js';
import { alignRight } from '../../../base/format.ts';
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
/** The widget leaves a row between the base line and the lower edge; labels go there. */
const ROWS_BELOW_BASE = 2;
const PIXELS = { perColumn: 2, perRow: 4 } as const;
/** Pixels that the widget keeps free below the base line, and between that and the lines. */
const BELOW_BASE = 11;
const ABOVE_BASE = 2;

/** Lines over time with a y axis. The caller draws the time axis below. */
export class LineChart {
  private readonly slot: Slot;
  private readonly widget: LineWidget;
  private axis: ValueAxis | undefined;
  /** Steps of the axis from one label to the next. */
  private labelEvery = 1;

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

  /** The number of steps of a y axis that leave room for a label each, and if possible for one row more. */
  mostSteps(): { readonly roomy: number; readonly tight: number } {
    const tight = Math.max(1, this.height - 2);
    return { tight, roomy: Math.max(1, Math.min(6, Math.floor(tight / 2))) };
  }

  update(axis: ValueAxis, series: readonly Series[]): void {
    const { options, canvasSize } = this.widget;
    this.axis = axis;
    const range = axis.high - axis.low;
    const plotted = canvasSize.height - BELOW_BASE;
    // The widget puts the largest value above its upper edge.
    const room = Math.max(1, (plotted - ABOVE_BASE - 1) / PIXELS.perRow);
    const { every, rowsPerStep } = evenSteps(range, room);
    this.labelEvery = every;
    const headroom = Math.max(0, plotted / (rowsPerStep * PIXELS.perRow) - range);
    options.minY = axis.low;
    options.maxY = axis.high + headroom;
    options.numYLabels = range + headroom;
    this.widget.setData(series.map((one) => dataOf(one, axis)));
  }

  copy(to: ChartCells, x: number, y: number): void {
    this.host.copy(this.slot, { x, y, width: this.width, height: this.height }, to);
  }

  private labelAt(place: number): string {
    const { axis, labelEvery } = this;
    if (axis === undefined || place > axis.high || place % labelEvery !== 0) return '';
    return axis.labelAt(place);
  }

  /**
   * The widget draws NaN as if it were a number, labels only in plain numbers, and times at every column
   * instead of at round moments: it gets them empty, and they are not drawn.
   */
  private adaptPencil(): void {
    const pencil = this.widget.ctx;
    const beginPath = pencil.beginPath.bind(pencil);
    const moveTo = pencil.moveTo.bind(pencil);
    const lineTo = pencil.lineTo.bind(pencil);
    const fillText = pencil.fillText.bind(pencil);
    let isBroken = true;
    pencil.beginPath = () => {
      isBroken = true;
      beginPath();
    };
    pencil.lineTo = (x, y) => {
      if (!Number.isFinite(y)) {
        isBroken = true;
        return;
      }
      if (isBroken) moveTo(x, y);
      // A single point is a line to itself.
      lineTo(x, y);
      isBroken = false;
    };
    pencil.fillText = (text, x, y) => {
      const label = text === '' ? '' : this.labelAt(Number(text));
      if (label !== '') fillText(alignRight(label, AXIS_COLUMNS - 2), x, y);
    };
  }
}

/** Share of rows that may stay empty above the lines, so that labels are evenly spaced. */
const MOST_EMPTY = 0.25;

/**
 * How many of `steps` there are per label, and rows per step, so that labels are on whole rows and evenly
 * spaced within `rows` rows.
 */
export function evenSteps(
  steps: number,
  rows: number,
): { readonly every: number; readonly rowsPerStep: number } {
  for (let every = 1; every < steps; every++) {
    const between = Math.floor((rows * every) / steps);
    const rowsPerStep = between / every;
    if (rowsPerStep * steps >= rows * (1 - MOST_EMPTY)) return { every, rowsPerStep };
  }
  return { every: steps, rowsPerStep: Math.max(1, Math.floor(rows)) / steps };
}

function dataOf({ pen, values }: Series, axis: ValueAxis) {
  const places = Array.from(values, (value) => axis.placeOf(value));
  return { x: places.map(() => ''), y: places, style: { line: penNumber(pen) } };
}
