import type { ShouldYield } from '../base/time.ts';
import { wallMs } from '../base/time.ts';
import type { Playback } from '../model/playback.ts';
import { completeFilter, knownTexts } from '../filter/language/complete.ts';
import type { KnownTexts } from '../filter/language/complete.ts';
import type { Trend } from '../model/trend.ts';
import type { Monitor } from '../monitor/monitor.ts';
import type { PaletteDepth } from '../raster/palette.ts';
import type { PaneStyle } from '../raster/pane-style.ts';
import type { MouseEvent } from '../terminal/input-event.ts';
import type { Screen } from '../terminal/screen.ts';
import { Arrivals } from './arrivals.ts';
import { detailRect, overlayRect } from './layout-screen.ts';
import { layoutProblem, layoutView } from './picture/layout-view.ts';
import { mapOf } from './picture/picture-view.ts';
import type { PictureView } from './picture/picture-view.ts';
import { windowOf } from './picture/picture-window.ts';
import { TrendPane } from './trend/trend-pane.ts';
import type { Action, ActionContext } from '../view/action.ts';
import { modeUnderPrompt } from '../view/view-state.ts';
import type { Mode, ViewState } from '../view/view-state.ts';
import { createChrome, shownPickEntries } from './chrome.tsx';
import type { Chrome, ChromeOptions, ChromePart, ChromeState } from './chrome.tsx';
import { rowTerms } from './row-terms.ts';
import { candidatesOf, filterText } from './filter-texts.ts';
import { hitTest } from './hit-test.ts';
import { InspectedBox } from './inspected-box.ts';
import { LossWatch } from './loss-watch.ts';
import { findRows, rowAt } from './selected-row.ts';
import { ShownReport } from './shown-report.ts';
import type { RecordingShown } from './status-line.tsx';
import { placeTables } from './table-places.ts';

/** Modes whose overlay lies over the picture. */
const COVERING: readonly Mode[] = ['help', 'pick', 'trend', 'columns'];

export interface FrameOptions extends ChromeOptions {
  /** Whether the terminal shows block elements and colours. */
  readonly unicode: boolean;
  readonly color: boolean;
  /** How many colours; 256 when that is not known. */
  readonly depth?: PaletteDepth;
  /** What alone is recorded, whatever the filter shows; empty when everything is. */
  readonly recordedOnly: string;
  /** How the replay stands, if it is one. */
  readonly playback?: (() => Playback) | undefined;
  /** The recording that is under way, if any. */
  readonly recording?: (() => RecordingShown | undefined) | undefined;
  /** Release of the kernel that was traced, where it is not this machine's. */
  readonly kernel?: string | undefined;
}

/** Paints whole frames, the picture and all around it, onto a screen. */
export class FramePainter {
  private readonly chrome: Chrome;
  private readonly shown: ShownReport;
  private paintedAtNs = 0;
  private lastView: ViewState | undefined;
  private lastStamp = '';
  private pictureStartNs = 0;
  private hasPicture = false;
  private hasTrend = false;
  private readonly inspected: InspectedBox;
  private readonly trend: TrendPane;
  private readonly arrivals = new Arrivals();
  private readonly losses = new LossWatch();

  constructor(
    private readonly monitor: Monitor,
    private readonly screen: Screen,
    private readonly options: FrameOptions,
  ) {
    this.shown = new ShownReport(monitor, options.playback);
    this.inspected = new InspectedBox(monitor);
    this.chrome = createChrome(options, screen.width, screen.height);
    this.trend = new TrendPane({ level: options.theme.level, unicode: options.unicode });
  }

  /** The screen has taken a new size and is blank. */
  resize(): void {
    this.chrome.resize(this.screen.width, this.screen.height);
    this.lastView = undefined;
  }

  /** Whether the time was over before all was counted, so that more should be painted soon. */
  get isUnfinished(): boolean {
    const { hasPicture, hasTrend, monitor, inspected, shown, trend } = this;
    if (inspected.isCounting || shown.isCounting) return true;
    return hasTrend ? trend.isUnfinished : hasPicture && monitor.isCounting;
  }

  /**
   * Paints what has changed since the last call, at the trace time `nowNs`. A picture that takes longer
   * than its turn is painted as far as it goes, and says so.
   */
  paint(view: ViewState, nowNs: number, shouldYield?: ShouldYield): void {
    const endNs = view.frozenAtNs ?? nowNs;
    const isChanged = view !== this.lastView;
    const { lastView } = this;
    const isReportDue = this.shown.refresh({ view, lastView, endNs, nowNs }, shouldYield);
    if (isReportDue) this.losses.note(nowNs, this.monitor.taken, this.monitor.fidelity().lost);
    const under = modeUnderPrompt(view);
    const rows = this.pictureRows(under);
    this.hasPicture = rows > 0;
    this.hasTrend = under === 'trend' && !this.chrome.layout.tooSmall;
    if (rows > 0)
      this.paintPicture(view, this.pictureView(view, endNs, shouldYield), isChanged, rows);
    const isFrozen = view.frozenAtNs !== undefined;
    const hasArrived = this.arrivals.update(isFrozen, this.monitor.taken, nowNs);
    // What helps with a prompt reaches into the picture on a small screen.
    const isPrompting = view.prompt !== undefined;
    this.inspected.advance(view, shouldYield);
    const isNew = this.inspected.takeNew() || this.trend.takeStale();
    const isDue = isNew || isChanged || isReportDue || hasArrived;
    if (isDue || isPrompting) {
      const parts = this.chrome.draw(this.stateOf(view, endNs, nowNs));
      this.blitParts(parts.filter(({ isOverlay }) => !isOverlay));
      if (this.hasTrend) this.paintTrend(view, endNs, 'draw', shouldYield);
      this.blitParts(parts.filter(({ isOverlay }) => isOverlay));
    } else if (this.hasTrend) this.paintTrend(view, endNs, 'fillIn', shouldYield);
    this.paintedAtNs = nowNs;
    this.lastView = view;
  }

  /** What to do once all is counted: the cursor goes where it could not go before. */
  followUp({ seeks }: ViewState): Action | undefined {
    return seeks === undefined || this.isUnfinished ? undefined : { type: 'seekOn' };
  }

  /**
   * What the reducer may know, at the trace time `nowNs`. What takes longer than its turn is
   * known only in part, and goes on with the next call.
   */
  actionContext(view: ViewState, nowNs: number, shouldYield?: ShouldYield): ActionContext {
    const endNs = view.frozenAtNs ?? nowNs;
    const picture = this.pictureView(view, endNs, shouldYield);
    const pictureAt = (shown: ViewState): PictureView =>
      this.pictureView(shown, shown.frozenAtNs ?? nowNs, shouldYield);
    this.inspected.advance(view, shouldYield);
    const state = this.stateOf(view, endNs, nowNs);
    return {
      nowNs,
      startNs: this.monitor.history.startNs,
      wallNowMs: wallMs(this.monitor.source.info.clockBase, nowNs),
      columns: Math.max(1, picture.columns),
      bins: Math.max(1, picture.bins),
      notableCell: () => picture.notableCell(),
      isCounting: () => this.isPartly(picture),
      fullerBin: (at) => picture.fullerBin(at),
      findRows: (text) => findRows(view, state.report, text),
      worst: (isAnew) => this.monitor.seekWorst(isAnew, shouldYield),
      cellOfWorst: (shown, worst) => {
        const there = pictureAt(shown);
        return this.isPartly(there) ? 'counting' : there.cellOfWorst(worst);
      },
      mapOf: (shown) => mapOf(pictureAt(shown)),
      boxOf: (a, b) => picture.boxOf(a, b),
      layoutProblem: (layout) => layoutProblem(layout, this.chrome.layout.pane.height),
      pickIds: shownPickEntries(state).map(({ id }) => id),
      rowTerms: rowTerms(rowAt(view, state.report)),
      completion: (line) => {
        const { from, candidates } = completeFilter(line.text, line.cursor, this.knownTexts());
        return candidates[0] && { from, text: candidates[0].text };
      },
      ...this.chrome.scrollSize(state),
    };
  }

  /** What an event of the mouse means on the screen as it is. */
  pointed(event: MouseEvent, view: ViewState): readonly Action[] {
    const { chrome } = this;
    const { report } = this.shown;
    if (report === undefined) return [];
    return hitTest(event, {
      view,
      layout: chrome.layout,
      pane: this.pictureView(view, view.frozenAtNs ?? this.paintedAtNs).pointed,
      tables: placeTables(report, view, chrome.layout.tables.width),
      pickLength: shownPickEntries({ view, report }).length,
    });
  }

  dispose(): void {
    this.chrome.dispose();
    this.trend.dispose();
  }

  /** Rows of the picture that nothing lies over. */
  private pictureRows(mode: Mode): number {
    const { layout } = this.chrome;
    if (layout.tooSmall || COVERING.includes(mode)) return 0;
    return mode === 'detail' ? detailRect(layout).y - layout.pane.y : layout.pane.height;
  }

  private paintPicture(
    view: ViewState,
    picture: PictureView,
    isChanged: boolean,
    rows: number,
  ): void {
    const { pane } = this.chrome.layout;
    const [stamp, startNs] = [picture.stamp(), picture.startNs()];
    if (!isChanged && stamp === this.lastStamp && startNs === this.pictureStartNs) return;
    const whole = picture.draw();
    const block = rows < pane.height ? windowOf(whole, picture, view, rows) : whole;
    this.announceScroll(view, picture, startNs);
    this.screen.blit(block, pane.x, pane.y);
    this.pictureStartNs = startNs;
    this.lastStamp = stamp;
  }

  /** Over picture and tables, at most once a second unless a key was pressed. */
  private paintTrend(
    view: ViewState,
    endNs: number,
    how: 'draw' | 'fillIn',
    shouldYield: ShouldYield | undefined,
  ): void {
    const { x, y, width, height } = overlayRect(this.chrome.layout);
    const columns = this.pictureView(view, endNs).timeColumns;
    const window = { endNs, columnNs: view.intervalNs, columns };
    const { clockBase } = this.monitor.source.info;
    const trendOf = (): Trend => this.monitor.trend(window, shouldYield);
    const block = this.trend[how](trendOf, clockBase, width, height);
    if (block !== undefined) this.screen.blit(block, x, y);
  }

  private styleOf({ palette }: ViewState): PaneStyle {
    return { ...this.options, palette, color: this.options.color && palette !== 'mono' };
  }

  /** Whether only a part of a picture has been counted. */
  private isPartly(picture: PictureView): boolean {
    picture.stamp();
    return this.monitor.isCounting;
  }

  private pictureView(view: ViewState, endNs: number, shouldYield?: ShouldYield): PictureView {
    const { width, height } = this.chrome.layout.pane;
    const { monitor } = this;
    const { theme } = this.options;
    // The right edge of a replay is never the present, even while it plays.
    const shown = this.isStanding() ? { ...view, frozenAtNs: endNs } : view;
    const style = this.styleOf(view);
    return layoutView({ monitor, view: shown, endNs, shouldYield, width, height, style, theme });
  }

  /** The map moves with the outlier lane above it and the time axis below it. */
  private announceScroll(view: ViewState, picture: PictureView, startNs: number): void {
    const { pane } = this.chrome.layout;
    const moved = (startNs - this.pictureStartNs) / view.intervalNs;
    const isSamePicture =
      this.lastView?.intervalNs === view.intervalNs && this.lastView.layout === view.layout;
    if (!isSamePicture || picture.scrolling === undefined) return;
    if (moved <= 0 || moved >= picture.timeColumns) return;
    const { x, y, width, height } = picture.scrolling;
    this.screen.scrolled({ x: pane.x + x, y: pane.y + y, width, height }, moved);
  }

  private blitParts(parts: readonly ChromePart[]): void {
    for (const { x, y, block } of parts) this.screen.blit(block, x, y);
  }

  /** A recording, or a stream that has ended: what is loaded has not come just now. */
  private isStanding(): boolean {
    const state = this.options.playback?.().state;
    return state !== undefined && state !== 'following';
  }

  private knownTexts(): KnownTexts {
    const { info } = this.monitor.source;
    return knownTexts(info.keys, info);
  }

  private stateOf(view: ViewState, endNs: number, nowNs: number): ChromeState {
    const { info } = this.monitor.source;
    return {
      host: info.host,
      sourceKind: info.kind,
      playback: this.options.playback?.(),
      kernel: this.options.kernel,
      wallMs: wallMs(info.clockBase, endNs),
      arrived: this.isStanding() ? 0 : this.arrivals.count,
      view,
      report: this.shown.of(view, endNs, nowNs),
      fidelity: this.monitor.fidelity(),
      recentLoss: this.losses.share,
      filterText: filterText(this.monitor.filter, this.options.recordedOnly),
      hanging: this.shown.hanging,
      recording: this.options.recording?.(),
      clockBase: info.clockBase,
      candidates: candidatesOf(view, this.knownTexts()),
      detail: this.inspected.of(view),
    };
  }
}
