import { createCellBlock } from '../../base/cell-block.ts';
import type { CellBlock } from '../../base/cell-block.ts';
import { whyNotLoaded } from '../../base/late-code.ts';
import { sanitizeText } from '../../base/sanitize.ts';
import type { ClockBase } from '../../base/time.ts';
import type { Trend } from '../../model/trend.ts';
import { putText, toAscii } from '../../raster/put-text.ts';
import type { ChartStyle } from './contrib/chart-cells.ts';
import type { TrendView } from './trend-view.ts';

/** Loads the charts. The only import of them, so they are not loaded at the start of the program. */
export type LoadTrendView = (style: ChartStyle) => Promise<TrendView>;

const LOADING = 'loading charts…';
/** A chart is drawn again each time this share of the trend has been counted: that takes as long as drawing. */
const SHARE_STEP = 0.1;
const TOO_SMALL = 'charts need 60×16; Esc: back';

export const loadTrendView: LoadTrendView = async (style) => {
  const { createTrendView } = await import('./trend-view.ts');
  return createTrendView(style);
};

/** The part of the screen for charts, while they are being loaded and after. */
export class TrendPane {
  private view: TrendView | undefined;
  private failure: string | undefined;
  private isLoading = false;
  private isDisposed = false;
  private isStale = false;
  /** The share that had been counted when the charts were drawn last. */
  private drawnShare = 1;

  constructor(
    private readonly style: ChartStyle,
    private readonly load: LoadTrendView = loadTrendView,
  ) {}

  /** True once, when there is something new to draw. */
  takeStale(): boolean {
    const { isStale } = this;
    this.isStale = false;
    return isStale;
  }

  draw(trendOf: () => Trend, clockBase: ClockBase, width: number, height: number): CellBlock {
    if (this.view === undefined) {
      this.startLoading();
      return this.sentence(this.failure ?? LOADING, width, height);
    }
    return this.drawTrend(this.view, trendOf(), clockBase, width, height);
  }

  /** Whether the last drawing was counted only in part. */
  get isUnfinished(): boolean {
    return this.drawnShare < 1;
  }

  /** Draws again when enough of the rest has been counted. */
  fillIn(
    trendOf: () => Trend,
    clockBase: ClockBase,
    width: number,
    height: number,
  ): CellBlock | undefined {
    if (this.view === undefined || !this.isUnfinished) return undefined;
    const trend = trendOf();
    const { countedShare } = trend;
    if (countedShare < 1 && countedShare < this.drawnShare + SHARE_STEP) return undefined;
    return this.drawTrend(this.view, trend, clockBase, width, height);
  }

  dispose(): void {
    this.isDisposed = true;
    this.view?.dispose();
  }

  private drawTrend(
    view: TrendView,
    trend: Trend,
    clockBase: ClockBase,
    width: number,
    height: number,
  ): CellBlock {
    this.drawnShare = trend.countedShare;
    const block = view.draw(trend, clockBase, width, height);
    return block ?? this.sentence(TOO_SMALL, width, height);
  }

  private startLoading(): void {
    if (this.isLoading || this.failure !== undefined) return;
    this.isLoading = true;
    this.load(this.style).then(
      (view) => {
        if (this.isDisposed) view.dispose();
        else this.view = view;
        this.isStale = true;
      },
      (error: unknown) => {
        this.failure = `cannot load the charts: ${whyNotLoaded(error)}`;
        this.isStale = true;
      },
    );
  }

  private sentence(text: string, width: number, height: number): CellBlock {
    const block = createCellBlock(width, height);
    const safe = sanitizeText(this.style.unicode ? text : toAscii(text)).slice(0, width);
    putText(block, Math.floor((width - safe.length) / 2), Math.floor(height / 2), safe);
    return block;
  }
}
