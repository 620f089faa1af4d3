/** The widgets of blessed-contrib in use, by path: its index loads maps, pictures and more. */
declare module 'blessed-contrib/lib/widget/charts/line.js' {
  import type { Widgets } from 'blessed';

  export interface LineSeries {
    readonly x: readonly string[];
    readonly y: readonly number[];
    readonly style: { readonly line: number };
  }

  export interface LineOptions extends Widgets.BoxOptions {
    xLabelPadding?: number;
    xPadding?: number;
    numYLabels?: number;
    minY?: number;
    maxY?: number;
    style?: { line?: number; text?: number; baseline?: number };
  }

  /** Draws in pixels half a cell wide and a quarter of one high. */
  export interface Pencil {
    beginPath(): void;
    moveTo(x: number, y: number): void;
    lineTo(x: number, y: number): void;
    fillText(text: string, x: number, y: number): void;
  }

  export interface LineWidget extends Widgets.BoxElement {
    options: LineOptions;
    /** Defined once the widget is on a screen. */
    ctx: Pencil;
    canvasSize: { width: number; height: number };
    calcSize: () => void;
    setData(data: readonly LineSeries[]): void;
  }

  const createLine: (options: LineOptions) => LineWidget;
  export default createLine;
}

declare module 'blessed-contrib/lib/widget/charts/stacked-bar.js' {
  import type { Widgets } from 'blessed';

  export interface StackedBarOptions extends Widgets.BoxOptions {
    barWidth?: number;
    barSpacing?: number;
    xOffset?: number;
    maxValue?: number;
    showText?: boolean;
    showLegend?: boolean;
    barBgColor?: readonly number[];
  }

  export interface StackedBarWidget extends Widgets.BoxElement {
    options: StackedBarOptions;
    canvasSize: { width: number; height: number };
    calcSize: () => void;
    setData(bars: {
      readonly barCategory: readonly string[];
      readonly stackedCategory: readonly string[];
      readonly data: readonly (readonly number[])[];
    }): void;
  }

  const createStackedBar: (options: StackedBarOptions) => StackedBarWidget;
  export default createStackedBar;
}

declare module 'blessed-contrib/lib/widget/gauge.js' {
  import type { Widgets } from 'blessed';

  export interface GaugeOptions extends Widgets.BoxOptions {
    stroke?: number | 'normal';
    showLabel?: boolean;
  }

  export interface GaugeWidget extends Widgets.BoxElement {
    options: GaugeOptions;
    canvasSize: { width: number; height: number };
    calcSize: () => void;
    /** A share, 0 to 1; larger values are treated as percent. */
    setPercent(share: number): void;
  }

  const createGauge: (options: GaugeOptions) => GaugeWidget;
  export default createGauge;
}

declare module 'blessed-contrib/lib/widget/sparkline.js' {
  import type { Widgets } from 'blessed';

  export interface SparklineOptions extends Widgets.BoxOptions {
    style?: { fg?: number; titleFg?: string };
  }

  export interface SparklineWidget extends Widgets.BoxElement {
    setData(titles: readonly string[], values: readonly (readonly number[])[]): void;
  }

  const createSparkline: (options: SparklineOptions) => SparklineWidget;
  export default createSparkline;
}
