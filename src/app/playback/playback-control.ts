import { firstKnownMetric, lacksMetric, lacksWeight } from '../../trace/known-metrics.ts';
import type { Playback } from '../../model/playback.ts';
import type { Metric } from '../../model/metric.ts';
import type { Transport } from '../../trace/replay/transport.ts';
import type { Gap } from '../../trace/replay/trace-feed.ts';
import type { Action, ProgramAction } from '../../view/action.ts';
import { metricTitle, speedText } from '../../view/describe.ts';
import type { ReplayExtent } from '../../view/facts.ts';
import type { ViewState } from '../../view/state.ts';
import { problemText } from '../../export/trace/trace-info.ts';
import { gapText, loadingText } from './playback-texts.ts';

/** Where to start: a trace time in ns, or a share of the whole; by default, the first screenful. */
export type StartAt =
  | { readonly kind: 'time'; readonly atNs: number }
  | { readonly kind: 'share'; readonly share: number }
  | { readonly kind: 'first-screen' };

type PlaybackNotice = Extract<
  ProgramAction,
  { readonly type: 'notify' | 'showUntil' | 'metricUnknown' }
>;
/** Actions that a replay sends to the view. */
type PlaybackEvent = PlaybackNotice | { readonly type: 'endReached' };

/**
 * Connects the view to the replay: the right edge of a frozen picture is the position of the replay, and
 * following means playing. A stream plays as it arrives, and freezes like live tracing. The view learns
 * of the replay by actions.
 */
export class PlaybackControl {
  private wasAtEnd = false;
  /** The notice while more is loaded, and the one it replaces. */
  private progress: string | undefined;
  private noticeBefore: string | undefined;
  private problemsShown = 0;
  private shownGap: { readonly gap: Gap; readonly edgeNs: number } | undefined;

  /** Where a replay was held to be read, as under a cross-hair: it goes on from there, wherever a zoom has moved to. */
  private heldNs: number | undefined;

  private readonly isStream: boolean;

  constructor(
    private readonly transport: Transport,
    private readonly startAt: StartAt,
  ) {
    this.isStream = transport.clock.isFollowing;
  }

  /** Whether a followed stream has ended, so that its writer is ending or has ended. */
  get hasStreamEnded(): boolean {
    return this.isStream && this.transport.source.isEnded;
  }

  /** Whether more that is due by now is waiting to be read. */
  get isBehind(): boolean {
    return !this.transport.source.isCaughtUp;
  }

  status(): Playback {
    return this.transport.status();
  }

  /** The extent for the reducer; undefined for a stream, whose end is the present. */
  extent(): ReplayExtent | undefined {
    const { clock, source, endNs = Infinity } = this.transport;
    return clock.isFollowing ? undefined : { startNs: source.startNs, endNs };
  }

  /** Whether the first picture has been loaded; of a stream, all of it. */
  get isThere(): boolean {
    const { transport } = this;
    return transport.clock.isFollowing ? transport.source.isEnded : !transport.isLoading;
  }

  /** Goes to where the view opens; `screenNs` is the time that fits on the screen. */
  begin(
    { metric, fitsInterval }: ViewState,
    screenNs: number,
    plays = true,
  ): readonly PlaybackNotice[] {
    const { clock, source, endNs = Infinity } = this.transport;
    if (!clock.isFollowing) {
      const { startAt } = this;
      if (startAt.kind === 'first-screen' && fitsInterval) this.transport.toShare(1);
      else if (startAt.kind === 'share') this.transport.toShare(startAt.share);
      else {
        const wanted = startAt.kind === 'time' ? startAt.atNs : source.startNs + screenNs;
        this.transport.pauseAt(Math.min(wanted, endNs));
      }
      if (plays) this.transport.play();
    }
    if (!this.lacks(metric)) return [];
    const known = firstKnownMetric(this.known);
    return [{ type: 'metricUnknown', metric: known, notice: unknownText(metric) }];
  }

  /** Applies to the replay what an action has done to the view. */
  follow(before: ViewState, after: ViewState, action: Action): readonly PlaybackEvent[] {
    return [
      ...this.unknownMetric(before, after),
      ...this.unknownWeight(before, after),
      ...this.moved(before, after, action),
    ];
  }

  private unknownMetric(before: ViewState, { metric }: ViewState): readonly PlaybackNotice[] {
    if (metric === before.metric || !this.lacks(metric)) return [];
    return [notify(unknownText(metric))];
  }

  /** Weighted by a value that no I/O has, the picture is empty. */
  private unknownWeight(before: ViewState, { weight }: ViewState): readonly PlaybackNotice[] {
    if (weight === before.weight || !lacksWeight(weight, this.known)) return [];
    return [
      notify(
        `${weight === 'bytes' ? 'sizes are' : 'latency is'} not in this trace; w: next weight`,
      ),
    ];
  }

  private moved(before: ViewState, after: ViewState, action: Action): readonly PlaybackEvent[] {
    const { transport } = this;
    if (transport.clock.isFollowing || action.type === 'showUntil') return [];
    if (action.type === 'scrollTime' && action.by === 'now') {
      transport.toShare(1);
      return [];
    }
    if (after.frozenAtNs === before.frozenAtNs) return [];
    if (after.frozenAtNs !== undefined) {
      if (before.frozenAtNs === undefined) this.heldNs = after.frozenAtNs;
      transport.pauseAt(after.frozenAtNs);
      return [];
    }
    if (before.heldForCursor && this.heldNs !== undefined) transport.pauseAt(this.heldNs);
    const plays = transport.play();
    // Where playing on is a side effect, the answer to the key stays.
    if (action.type !== 'togglePause' && after.notice !== undefined) return [];
    if (!plays) return [{ type: 'endReached' }];
    return [notify(`playing at ${speedText(transport.clock.speed)}`)];
  }

  stepSpeed(step: 1 | -1): PlaybackNotice {
    if (this.transport.clock.isFollowing) return notify('cannot change the speed of a live stream');
    const speed = this.transport.stepSpeed(step);
    if (speed === undefined)
      return notify(step > 0 ? 'this is the maximum speed' : 'this is the minimum speed');
    return notify(speed === Infinity ? MAXIMUM : `speed ${speedText(speed)}`);
  }

  /** Starts the search; the answer comes with `tick`. */
  seekGap({ frozenAtNs }: ViewState): PlaybackNotice {
    const { transport, shownGap } = this;
    if (transport.clock.isFollowing) return notify('the stream has not ended yet');
    const atNs = frozenAtNs ?? transport.clock.nowNs();
    transport.seekGap(shownGap?.edgeNs === atNs ? shownGap.gap.startNs : atNs);
    return { type: 'showUntil', atNs, notice: 'searching for the next gap' };
  }

  /** Call it after each pump: returns what has happened; for `screenNs` see `begin`. */
  tick(view: ViewState, screenNs: () => number): readonly PlaybackEvent[] {
    const { transport } = this;
    const follows = (): boolean => transport.clock.isFollowing;
    const followed = follows();
    transport.step();
    const hasJustEnded = followed && !follows();
    if (hasJustEnded && view.frozenAtNs !== undefined) transport.pauseAt(view.frozenAtNs);
    const notices = [...this.pastEnd(view), ...this.gapFound(screenNs), ...this.newProblem()];
    const events: PlaybackEvent[] = [...notices];
    const { isLoading, isAtEnd } = transport;
    const notice = notices.at(-1)?.notice ?? view.notice;
    if (isLoading) events.push(this.progressOf(notice));
    else if (isAtEnd && !this.wasAtEnd && notice === undefined) events.push({ type: 'endReached' });
    else if (this.progress !== undefined && notice === this.progress)
      events.push(notify(this.noticeBefore));
    if (!isLoading) this.progress = undefined;
    this.wasAtEnd = isAtEnd;
    return events;
  }

  /** A pending notice is shown when loading is done. */
  private progressOf(notice: string | undefined): PlaybackNotice {
    if (this.progress === undefined || notice !== this.progress) this.noticeBefore = notice;
    this.progress = loadingText(this.transport);
    return notify(this.progress);
  }

  /** Playing stops at the end, because a picture beyond it would stay empty. */
  private pastEnd({ frozenAtNs }: ViewState): readonly PlaybackNotice[] {
    const { endNs } = this.transport.clock;
    if (frozenAtNs === undefined || frozenAtNs <= endNs) return [];
    return [{ type: 'showUntil', atNs: endNs, notice: 'the recording ends here' }];
  }

  /** Shows the start of the gap in the middle of the picture. */
  private gapFound(screenNs: () => number): readonly PlaybackNotice[] {
    const found = this.transport.takeGap();
    if (found === undefined) return [];
    if (found === 'none') return [notify('no more gaps in the recording')];
    const edgeNs = Math.min(found.startNs + screenNs() / 2, this.transport.endNs ?? Infinity);
    this.transport.pauseAt(edgeNs);
    this.shownGap = { gap: found, edgeNs };
    return [{ type: 'showUntil', atNs: edgeNs, notice: gapText(found) }];
  }

  private newProblem(): readonly PlaybackNotice[] {
    const problems = this.transport.source.problems();
    if (problems.length <= this.problemsShown) return [];
    this.problemsShown = problems.length;
    return [notify(problemText(problems.at(-1)!))];
  }

  /** Whether a field that it requires is not in at least one of the traces; in a log, in no line so far. */
  private lacks(metric: Metric): boolean {
    return lacksMetric(metric, this.known);
  }

  private get known(): Parameters<typeof lacksMetric>[1] {
    return this.transport.source.info.origin ?? { unknown: [] };
  }
}

const MAXIMUM = 'speed max: as fast as it loads';

function unknownText(metric: Metric): string {
  return `${metricTitle(metric)} is not in this trace`;
}

function notify(notice: string | undefined): PlaybackNotice {
  return { type: 'notify', notice };
}
