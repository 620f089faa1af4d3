import { NS_PER_SECOND } from '../../base/time.ts';
import type { ShouldYield } from '../../base/time.ts';
import type { Screen } from '../../terminal/screen.ts';
import type { TerminalOutput } from '../../terminal/terminal-output.ts';
import { LAST_WIDTH_NS } from '../../view/reduce/fit-interval.ts';
import type { ViewState } from '../../view/state.ts';
import type { OpenedSource } from '../open/opened-source.ts';
import { FrameBudget } from './frame-budget.ts';
import { isFrameDue, isReplayFrameDue, nextFrameNs } from './frame-due.ts';
import type { FrameTimes, ReplayFrame } from './frame-due.ts';
import type { Shown } from './shown.ts';

/**
 * How long a large history is counted before its picture is painted in part: half of what a frame may
 * take. The rest is counted in turns, with keys answered in between.
 */
const COUNT_MS = 15;
/** The first frame answers no key: in part, it would be sent a second time a moment later. */
const FIRST_COUNT_MS = 150;

export interface FramesParts {
  readonly shown: () => Shown;
  readonly screen: Screen;
  readonly output: TerminalOutput;
  readonly playback: OpenedSource['playback'];
  /** Share of one core that the program may take; infinite: frames are never rarer. */
  readonly budget: number;
  /** When the keys that are being handled arrived; undefined while none are. */
  readonly keysArrivedMs: () => number | undefined;
  /** A search has gone on by a step. */
  readonly onSought: () => void;
}

/** Decides when a frame is painted: as keys, time and I/O ask for it, and as the terminal takes it. */
export class Frames {
  private readonly budget: FrameBudget;
  /** Continues a picture that is not complete yet. */
  private going: NodeJS.Immediate | undefined;
  /** A frame is due when all keys that arrived together are handled. */
  private isUnpainted = false;
  /** It answers a key, and does not wait for the rest of the frame before. */
  private isUrgent = false;
  /** A frame was due while the terminal was busy with the one before. */
  private isLate = false;
  /** What the last frame showed; `version` is that of history and notes. */
  private painted: ReplayFrame | undefined;
  private isOver = false;

  constructor(private readonly parts: FramesParts) {
    this.budget = new FrameBudget(parts.budget);
  }

  /** Paints now, or when all keys that arrived together are handled. */
  paint(): void {
    if (this.isOver) return;
    if (this.parts.keysArrivedMs() !== undefined) this.isUnpainted = true;
    else this.paintNow();
  }

  /** The next frame answers a key. */
  hurry(): void {
    this.isUrgent = true;
  }

  /** All keys that arrived together are handled. */
  keysHandled(): void {
    this.paintPending();
    this.isUrgent = false;
  }

  /** Paints what keys have led to so far. */
  paintPending(): void {
    if (this.isUnpainted) this.paintNow();
  }

  /** Call it ten times a second at most. */
  tick(): void {
    this.keepBudget();
    if (!this.isDue()) return;
    // The rest of a frame comes before the next one: else the bottom of the screen would never be sent.
    if (this.parts.output.isReady()) this.paint();
    else this.isLate = true;
  }

  /** The terminal takes more: the rest of a frame, then the frame that could not be sent meanwhile. */
  presentMore(): void {
    const { output, screen } = this.parts;
    if (this.isLate && !screen.isCut && !this.isOver) this.paint();
    else output.present(screen);
  }

  /** Whether a frame is due without a key. What else changes than I/O and time paints by itself. */
  isDue(): boolean {
    if (this.parts.playback !== undefined) return isReplayFrameDue(this.painted, this.frame);
    return isFrameDue({
      ...this.times,
      nowNs: this.nowNs,
      hasNews: this.version !== this.painted?.version,
    });
  }

  /** When a frame is due if I/O goes on, in ns of trace time. */
  get nextNs(): number {
    return nextFrameNs(this.times);
  }

  /** A terminal that is too small for a picture has no columns for the trace to fit in. */
  passTime(): void {
    const { scene, store } = this.parts.shown();
    if (!scene.layout.tooSmall) store.dispatch({ type: 'passTime' });
  }

  /** A picture that is counted for longer than this is painted in part. */
  deadline(): ShouldYield {
    const countMs = this.painted === undefined ? FIRST_COUNT_MS : COUNT_MS;
    const overMs = (this.parts.keysArrivedMs() ?? performance.now()) + countMs;
    return () => performance.now() >= overMs;
  }

  /** Of a picture that is not complete, the rest is not wanted any more. */
  dropRest(): void {
    clearImmediate(this.going);
  }

  /** The terminal is about to be restored: nothing may be drawn any more. */
  stop(): void {
    this.isOver = true;
    this.dropRest();
  }

  private paintNow(): void {
    const { output, screen } = this.parts;
    const { painter } = this.parts.shown();
    this.isUnpainted = false;
    if (this.changesWithTime) this.passTime();
    const deadline = this.deadline();
    this.painted = this.frame;
    this.isLate = false;
    this.budget.draw(() => {
      painter.paint(this.view, this.nowNs, deadline);
      // On a link too slow for frames the first dialog is not to wait for its code as well.
      if (!output.present(screen, this.isUrgent)) painter.prepareDialogs();
    });
    this.isUrgent = false;
    this.dropRest();
    if (painter.isUnfinished) this.going = setImmediate(this.paint.bind(this));
    else if (this.view.seeks !== undefined) this.going = setImmediate(this.seekOn.bind(this));
  }

  private seekOn(): void {
    this.parts.shown().store.dispatch({ type: 'seekOn' });
    this.parts.onSought();
    this.paint();
  }

  /** Spares the facts of an action in each frame once no notice ends by itself and columns are as wide as they get. */
  private get changesWithTime(): boolean {
    const { fitsInterval, intervalNs, passing } = this.view;
    if (passing !== undefined) return true;
    return fitsInterval && (this.parts.playback !== undefined || intervalNs < LAST_WIDTH_NS);
  }

  /** Frames and figures that nobody asked for with a key become rarer above the budget. */
  private keepBudget(): void {
    const { reports } = this.parts.shown().scene;
    const { oneIn = 1, callsOneIn = 1 } = reports.arrived?.completeness ?? {};
    this.budget.look(this.view.intervalNs, oneIn > 1 || callsOneIn > 1);
    reports.framesPerSecond = this.budget.framesPerSecond;
  }

  private get times(): FrameTimes {
    const { intervalNs, frozenAtNs = Infinity } = this.view;
    const { paintedAtNs } = this.parts.shown().painter;
    // The column in which the picture was frozen fills up to its end, and its figures are counted a second later.
    const isMoving = paintedAtNs < frozenAtNs + intervalNs + NS_PER_SECOND;
    const columnNs = isMoving ? intervalNs : undefined;
    return { paintedAtNs, columnNs, apartNs: this.budget.apartNs };
  }

  /** What a frame would show now. */
  private get frame(): ReplayFrame {
    const { view, version } = this;
    const { state, share } = this.parts.playback?.status() ?? {};
    return { view, version, state, share, atMs: performance.now() };
  }

  private get view(): ViewState {
    return this.parts.shown().store.state;
  }

  /** Grows with every change of what a frame shows. */
  private get version(): number {
    const { history, notes } = this.parts.shown().monitor;
    return history.version + notes.version;
  }

  private get nowNs(): number {
    return this.parts.shown().opened.clock.nowNs();
  }
}
