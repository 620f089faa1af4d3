import type { TraceField } from '../../source/trace-reader.ts';
import type { Playback } from '../../model/playback.ts';
import type { Metric } from '../../model/metric.ts';
import { METRICS } from '../../model/metric.ts';
import type { Transport } from '../../replay/transport.ts';
import type { Gap } from '../../replay/trace-feed.ts';
import type { Action, ReplayContext } from '../../view/action.ts';
import { metricTitle, speedText } from '../../view/describe.ts';
import type { ViewState } from '../../view/view-state.ts';
import { gapText, loadingText, problemText } from './playback-texts.ts';

/** Where to begin: a trace time in ns, or a part of the whole; by itself, the first screenful. */
export type StartAt =
  | { readonly kind: 'time'; readonly atNs: number }
  | { readonly kind: 'share'; readonly share: number }
  | { readonly kind: 'first-screen' };

export interface ControlOptions {
  readonly startAt: StartAt;
  readonly unknown: readonly TraceField[];
}

/** What each metric cannot do without. */
const NEEDED: Readonly<Record<Metric, readonly TraceField[]>> = {
  device: ['device'],
  queue: ['queue'],
  total: ['device', 'queue'],
  offset: ['sector'],
  size: ['bytes'],
  utilization: ['device'],
};

/**
 * Ties the view to the replay: the right edge of a picture that stands still is where the replay
 * stands, and following means playing. A stream plays as it comes, and freezes like what is live.
 */
export class PlaybackControl {
  private wasAtEnd = false;
  /** What is told while more is loaded, and what it takes the place of. */
  private progress: string | undefined;
  private noticeBefore: string | undefined;
  private problemsTold = 0;
  private shownGap: { readonly gap: Gap; readonly edgeNs: number } | undefined;

  private readonly isStream: boolean;

  constructor(
    private readonly transport: Transport,
    private readonly options: ControlOptions,
  ) {
    this.isStream = transport.clock.isFollowing;
  }

  /** A stream that was followed is over, and what wrote it is ending or has ended. */
  get hasStreamEnded(): boolean {
    return this.isStream && this.transport.source.isEnded;
  }

  /** More of what is to be there by now waits to be read. */
  get isBehind(): boolean {
    return !this.transport.source.isCaughtUp;
  }

  /** Fields that the traces, or one of them, do not know. */
  get unknown(): readonly TraceField[] {
    return this.options.unknown;
  }

  status(): Playback {
    return this.transport.status();
  }

  /** What the reducer may know; undefined for a stream, whose end is the present. */
  context(): ReplayContext | undefined {
    const { clock, source, endNs = Infinity } = this.transport;
    return clock.isFollowing ? undefined : { startNs: source.startNs, endNs };
  }

  /** Whether all that is to be shown first has been loaded; of a stream, all. */
  get isThere(): boolean {
    const { transport } = this;
    return transport.clock.isFollowing ? transport.source.isEnded : !transport.isLoading;
  }

  /** The view to open with; `screenNs` is the time that fits on the screen. */
  begin(view: ViewState, screenNs: number, plays = true): ViewState {
    const { clock, source, endNs = Infinity } = this.transport;
    if (!clock.isFollowing) {
      const { startAt } = this.options;
      if (startAt.kind === 'share') this.transport.toShare(startAt.share);
      else {
        const wanted = startAt.kind === 'time' ? startAt.atNs : source.startNs + screenNs;
        this.transport.pauseAt(Math.min(wanted, endNs));
      }
      if (plays) this.transport.play();
    }
    return this.withKnownMetric(view);
  }

  /** Carries over to the replay what an action has done to the view. */
  follow(action: Action, before: ViewState, after: ViewState): ViewState {
    const { transport } = this;
    const view = this.tellingUnknown(before, after);
    if (transport.clock.isFollowing) return view;
    if (action.type === 'scrollTime' && action.by === 'now') {
      transport.toShare(1);
      return view;
    }
    if (view.frozenAtNs === before.frozenAtNs) return view;
    if (view.frozenAtNs !== undefined) transport.pauseAt(view.frozenAtNs);
    else if (!transport.play()) return { ...view, notice: AT_END };
    else return { ...view, notice: `playing at ${speedText(transport.clock.speed)}` };
    return view;
  }

  stepSpeed(view: ViewState, step: 1 | -1): ViewState {
    if (this.transport.clock.isFollowing)
      return { ...view, notice: 'a stream has the speed of its source' };
    const speed = this.transport.stepSpeed(step);
    if (speed === undefined)
      return { ...view, notice: step > 0 ? 'this is the maximum' : 'this is the slowest' };
    return { ...view, notice: speed === Infinity ? MAXIMUM : `speed ${speedText(speed)}` };
  }

  /** Starts looking; the answer comes with `tick`. */
  seekGap(view: ViewState): ViewState {
    const { transport, shownGap } = this;
    if (transport.clock.isFollowing) return { ...view, notice: 'a stream has not ended yet' };
    const atNs = view.frozenAtNs ?? transport.clock.nowNs();
    transport.seekGap(shownGap?.edgeNs === atNs ? shownGap.gap.startNs : atNs);
    return { ...view, frozenAtNs: atNs, notice: 'looking for the next gap' };
  }

  /** To be called after each pump: the view with what has happened meanwhile; see `begin`. */
  tick(view: ViewState, screenNs: () => number): ViewState {
    const { transport } = this;
    transport.step();
    let next = this.tellingProblems(this.atGap(this.withinEnd(view), screenNs));
    const { isLoading, isAtEnd } = transport;
    if (isLoading) next = this.tellingProgress(next);
    else if (isAtEnd && !this.wasAtEnd && next.notice === undefined) next = noticing(next, AT_END);
    else if (this.progress !== undefined && next.notice === this.progress)
      next = noticing(next, this.noticeBefore);
    if (!isLoading) this.progress = undefined;
    this.wasAtEnd = isAtEnd;
    return next;
  }

  /** What was to be told is told when loading is done. */
  private tellingProgress(view: ViewState): ViewState {
    if (this.progress === undefined || view.notice !== this.progress)
      this.noticeBefore = view.notice;
    this.progress = loadingText(this.transport);
    return noticing(view, this.progress);
  }

  /** Nothing comes after the end: a picture beyond it would stay empty. */
  private withinEnd(view: ViewState): ViewState {
    const { endNs } = this.transport.clock;
    if (view.frozenAtNs === undefined || view.frozenAtNs <= endNs) return view;
    return { ...view, frozenAtNs: endNs, notice: 'the recording ends before; this is its end' };
  }

  /** Shows where the recording stops in the middle of the picture. */
  private atGap(view: ViewState, screenNs: () => number): ViewState {
    const found = this.transport.takeGap();
    if (found === undefined) return view;
    if (found === 'none') return { ...view, notice: 'no gap in the recording after this' };
    const edgeNs = Math.min(found.startNs + screenNs() / 2, this.transport.endNs ?? Infinity);
    this.transport.pauseAt(edgeNs);
    this.shownGap = { gap: found, edgeNs };
    return { ...view, frozenAtNs: edgeNs, notice: gapText(found) };
  }

  private tellingProblems(view: ViewState): ViewState {
    const problems = this.transport.source.problems();
    if (problems.length <= this.problemsTold) return view;
    this.problemsTold = problems.length;
    return { ...view, notice: problemText(problems.at(-1)!) };
  }

  private lacks(metric: Metric): boolean {
    return NEEDED[metric].some((field) => this.options.unknown.includes(field));
  }

  private withKnownMetric(view: ViewState): ViewState {
    if (!this.lacks(view.metric)) return view;
    const metric = METRICS.find((one) => !this.lacks(one));
    const missing = `${metricTitle(view.metric)} is unknown in this trace`;
    if (metric === undefined) return { ...view, notice: missing };
    return { ...view, metric, valueRange: undefined, notice: missing };
  }

  private tellingUnknown(before: ViewState, after: ViewState): ViewState {
    if (after.metric === before.metric || !this.lacks(after.metric)) return after;
    return { ...after, notice: `${metricTitle(after.metric)} is unknown in this trace` };
  }
}

const AT_END = 'the end of the recording; Home goes to its beginning';
const MAXIMUM = 'as fast as it can be loaded';

function noticing(view: ViewState, notice: string | undefined): ViewState {
  return view.notice === notice ? view : { ...view, notice };
}
