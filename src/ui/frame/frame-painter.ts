import type { ShouldYield } from '../../base/time.ts';
import { wallMs } from '../../base/time.ts';
import { knownTexts } from '../../filter/language/complete.ts';
import type { Choice } from '../../filter/fields.ts';
import type { Trend } from '../../model/trend.ts';
import type { Arrived } from '../../monitor/monitor.ts';
import type { Screen } from '../../terminal/screen.ts';
import { modeUnderPrompt } from '../../view/state.ts';
import type { Mode, PointedSingle, SelectedRow, ViewState } from '../../view/state.ts';
import type { Dialogs } from '../dialogs/dialogs.tsx';
import { candidatesOf, filterText } from '../status/filter-texts.ts';
import { cardRect } from '../dialogs/card-layout.ts';
import { detailRect, overlayRect } from '../layout-screen.ts';
import type { Rect } from '../layout-screen.ts';
import type { PictureView } from '../picture/picture-view.ts';
import { windowOf } from '../picture/picture-window.ts';
import type { RecordingShown } from '../status/status-line.ts';
import { loadTrendView, TrendPane } from '../charts/trend-pane.ts';
import { Arrivals } from './arrivals.ts';
import type { FrameState } from './frame-state.ts';
import type { PlacedCells } from '../dialogs/dialog-state.ts';
import { LossWatch } from './loss-watch.ts';
import { loadDialogs, Overlay } from './overlay.ts';
import { pointedInFlight } from './pointed-in-flight.ts';
import { pointedSingle } from './pointed-single.ts';
import { edgeOf } from './scene.ts';
import type { Scene } from './scene.ts';
import { answerRects, rectOf } from './answer-rects.ts';
import { drawNotice, drawStrips, stripKeyAt } from './strips.ts';

/** Modes whose overlay lies over the picture. */
const COVERING: readonly Mode[] = [
  'help',
  'pick',
  'trend',
  'columns',
  'inFlight',
  'singles',
  'explain',
  'actions',
];

export interface FrameOptions {
  /** The filter that tracing itself applies, as text; empty when everything is recorded. */
  readonly recordedOnly: string;
  /** The current recording, if any. */
  readonly recording?: (() => RecordingShown | undefined) | undefined;
  /** The release of the traced kernel, if it is not this machine's. */
  readonly kernel?: string | undefined;
  /** Called when the first dialog has been loaded and a frame would show it. */
  readonly onLoaded?: (() => void) | undefined;
  /** Dialogs that are already loaded; otherwise they load when the first one is opened. */
  readonly dialogs?: Dialogs | undefined;
}

/** Paints whole frames, the picture and all around it, onto a screen. */
export class FramePainter {
  private readonly overlay: Overlay;
  /** Trace time of the last frame, in ns. */
  paintedAtNs = 0;
  private lastView: ViewState | undefined;
  private lastState: FrameState | undefined;
  private lastStamp = '';
  private lastOver: Rect | undefined;
  private pictureStartNs = 0;
  private hasPicture = false;
  private hasTrend = false;
  private readonly trend: TrendPane;
  private readonly arrivals = new Arrivals();
  private readonly losses = new LossWatch();

  constructor(
    private readonly scene: Scene,
    private readonly screen: Screen,
    private readonly options: FrameOptions,
  ) {
    const { theme, unicode } = scene.options;
    this.overlay = new Overlay(scene.options, options.onLoaded, options.dialogs, async (look) => {
      await scene.monitor.outstanding.load();
      return loadDialogs(look);
    });
    scene.helpLength = this.overlay.helpLength.bind(this.overlay);
    scene.drillDownScroll = this.overlay.drillDownScroll.bind(this.overlay);
    this.trend = new TrendPane({ theme, unicode }, async (style) => {
      await scene.monitor.loadTrend();
      return loadTrendView(style);
    });
  }

  /** Call it when the screen has a new size and is blank. */
  resize(): void {
    this.scene.resize(this.screen.width, this.screen.height);
    this.repaint();
  }

  /** Call it when the theme has changed. */
  repaint(): void {
    this.lastView = undefined;
  }

  /** Whether the deadline passed before all was counted, so that more should be painted soon. */
  get isUnfinished(): boolean {
    const { hasPicture, hasTrend, scene, trend } = this;
    if (scene.box.isCounting || scene.reports.isCounting) return true;
    return hasTrend ? trend.isUnfinished : hasPicture && scene.monitor.isCounting;
  }

  /**
   * Paints what has changed since the last call, at the trace time `nowNs`. A picture that takes longer
   * than its turn is painted in part, with a note that says so.
   */
  paint(view: ViewState, nowNs: number, shouldYield?: ShouldYield): void {
    const { scene } = this;
    const { monitor } = scene;
    const range = scene.range(view, nowNs);
    const isChanged = view !== this.lastView;
    const { lastView } = this;
    const isReportDue = scene.reports.refresh({ view, lastView, range, nowNs }, shouldYield);
    const { taken, completeness } = this.arrived();
    if (isReportDue) {
      this.losses.note(nowNs, taken, completeness.lost);
      scene.box.renew();
    }
    const under = modeUnderPrompt(view);
    const rows = this.pictureRows(under, view);
    this.hasPicture = rows > 0;
    this.hasTrend = under === 'trend' && !scene.layout.tooSmall;
    if (rows > 0) this.paintPicture(view, scene.picture(view, nowNs, shouldYield), isChanged, rows);
    const isFrozen = view.frozenAtNs !== undefined;
    const hasArrived = this.arrivals.update(isFrozen, () => monitor.taken, nowNs);
    // Candidates and hints of a prompt cover a part of the picture on a small screen.
    const isPrompting = view.prompt !== undefined;
    scene.box.advance(view, shouldYield);
    const isNew = [scene.box.takeNew(), this.trend.takeStale(), this.overlay.takeStale()];
    const isDue = isNew.includes(true) || isChanged || isReportDue || hasArrived;
    if (isDue || isPrompting) {
      const state = this.stateOf(view, nowNs);
      this.lastState = state;
      const { theme } = scene.options;
      this.blit(...drawStrips(state, scene.layout, theme));
      if (this.hasTrend) this.paintTrend(view, nowNs, 'draw', shouldYield);
      this.paintOver(state);
    } else if (this.hasTrend) this.paintTrend(view, nowNs, 'fillIn', shouldYield);
    this.paintedAtNs = nowNs;
    this.lastView = view;
  }

  /** See `Overlay.prepare`. */
  prepareDialogs(): void {
    this.overlay.prepare();
  }

  dispose(): void {
    this.overlay.dispose();
    this.trend.dispose();
  }

  /** The key that a click on a cell presses, where the header or a hint shows one. */
  keyAt(x: number, y: number): string | undefined {
    return this.lastState && stripKeyAt(this.lastState, this.scene.layout, x, y);
  }

  /** The row of the list of single I/Os at line `y` of the screen. */
  singleAt(y: number): PointedSingle | undefined {
    return this.lastState && pointedSingle(this.scene, this.lastState, y);
  }

  /** The row of the list of I/Os in flight at line `y` of the screen. */
  inFlightAt(y: number): SelectedRow | undefined {
    return this.lastState && pointedInFlight(this.lastState, this.scene.layout, y);
  }

  /** The number of rows of the picture that nothing covers. */
  private pictureRows(mode: Mode, { card, prompt }: ViewState): number {
    const { layout } = this.scene;
    if (layout.tooSmall || COVERING.includes(mode)) return 0;
    if (card !== undefined) return cardRect(card, layout.pane).y - layout.pane.y;
    // A prompt takes the place of the drill-down, of which a part would stay above the tables.
    if (mode !== 'drillDown' || prompt !== undefined) return layout.pane.height;
    return detailRect(layout).y - layout.pane.y;
  }

  private paintPicture(
    view: ViewState,
    picture: PictureView,
    isChanged: boolean,
    rows: number,
  ): void {
    const { pane } = this.scene.layout;
    const [stamp, startNs] = [picture.stamp(), picture.startNs()];
    if (!isChanged && stamp === this.lastStamp && startNs === this.pictureStartNs) return;
    const whole = picture.draw();
    const block = rows < pane.height ? windowOf(whole, picture, view, rows) : whole;
    this.announceScroll(view, picture, startNs);
    this.screen.blit(block, pane.x, pane.y);
    this.pictureStartNs = startNs;
    this.lastStamp = stamp;
  }

  /** The open dialog, or a notice. */
  private paintOver(state: FrameState): void {
    const { scene, lastOver } = this;
    const { layout } = scene;
    const over = this.overlay.draw(state, layout) ?? drawNotice(state, layout, scene.options.theme);
    this.blit(over);
    this.lastOver = over && rectOf(over);
    this.screen.writeFirst(answerRects(state.view, layout, this.lastOver, lastOver));
  }

  /** Over picture and tables, at most once a second unless a key was pressed. */
  private paintTrend(
    view: ViewState,
    nowNs: number,
    how: 'draw' | 'fillIn',
    shouldYield: ShouldYield | undefined,
  ): void {
    const { monitor, layout } = this.scene;
    const { x, y, width, height } = overlayRect(layout);
    const columns = this.scene.picture(view, nowNs).timeColumns;
    const window = { endNs: edgeOf(view, nowNs), columnNs: view.intervalNs, columns };
    const { clockBase } = monitor.source.info;
    const trendOf = (): Trend => monitor.trend(window, shouldYield);
    const block = this.trend[how](trendOf, clockBase, width, height);
    if (block !== undefined) this.screen.blit(block, x, y);
  }

  /** The map moves with the outlier row above it and the time axis below it. */
  private announceScroll(view: ViewState, picture: PictureView, startNs: number): void {
    const { pane } = this.scene.layout;
    const moved = (startNs - this.pictureStartNs) / view.intervalNs;
    const isSamePicture =
      this.lastView?.intervalNs === view.intervalNs && this.lastView.layout === view.layout;
    if (!isSamePicture || picture.scrolling === undefined) return;
    if (moved <= 0 || moved >= picture.timeColumns) return;
    const { x, y, width, height } = picture.scrolling;
    this.screen.scrolled({ x: pane.x + x, y: pane.y + y, width, height }, moved);
  }

  private blit(...parts: readonly (PlacedCells | undefined)[]): void {
    for (const part of parts) if (part !== undefined) this.screen.blit(part.block, part.x, part.y);
  }

  private stateOf(view: ViewState, nowNs: number): FrameState {
    const { scene, options } = this;
    const { monitor } = scene;
    const { info } = monitor.source;
    return {
      host: info.host,
      sourceKind: info.kind,
      playback: scene.options.playback?.(),
      isWhole: scene.picture(view, nowNs).startNs() <= monitor.history.startNs,
      kernel: options.kernel,
      wallMs: wallMs(info.clockBase, edgeOf(view, nowNs)),
      arrived: scene.isReplay() ? 0 : this.arrivals.count,
      view,
      layers: [...info.identities.layers],
      report: scene.report(view, nowNs),
      completeness: this.arrived().completeness,
      recentLoss: this.losses.share,
      framesPerSecond: scene.reports.framesPerSecond,
      filterText: filterText(monitor.filter, options.recordedOnly),
      hanging: scene.reports.hanging,
      stall: options.recordedOnly === '' ? scene.reports.stall : undefined,
      recording: options.recording?.(),
      hasKeys: scene.options.bindings.length > 0,
      clockBase: info.clockBase,
      candidates: this.candidates(view),
      drillDown: scene.drillDown(view),
      inFlight: scene.inFlight(view, nowNs),
      singles: scene.singles(view, nowNs),
      explained: scene.explained(view, nowNs),
    };
  }

  /** The counters as of the last report. */
  private arrived(): Arrived {
    const { reports, monitor } = this.scene;
    return reports.arrived ?? monitor.arrived();
  }

  /** Names are collected and sorted only while somebody types a filter. */
  private candidates(view: ViewState): readonly Choice[] {
    if (view.mode !== 'filter') return [];
    const { info } = this.scene.monitor.source;
    return candidatesOf(view, knownTexts(info.identities, info));
  }
}
