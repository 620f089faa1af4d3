import type { TraceField } from '../../source/trace-reader.ts';
import type { Playback } from '../../model/playback.ts';
import type { Metric } from '../../model/metric.ts';
import { METRICS } from '../../model/metric.ts';
import type { Transport } from '../../replay/transport.ts';
import type { Gap } from '../../replay/trace-feed.ts';
import type { Action, ProgramAction } from '../../view/action.ts';
import { metricTitle, speedText } from '../../view/describe.ts';
import type { ReplayExtent } from '../../view/facts.ts';
import type { ViewState } from '../../view/state.ts';
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

/** What a replay has to say to the view. */
type Told = Extract<ProgramAction, { readonly type: 'notify' | 'showUntil' | 'metricUnknown' }>;

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
 * stands, and following means playing. A stream plays as it comes, and freezes like what is live. What
 * happens to the replay reaches the view as actions.
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
  extent(): ReplayExtent | undefined {
    const { clock, source, endNs = Infinity } = this.transport;
    return clock.isFollowing ? undefined : { startNs: source.startNs, endNs };
  }

  /** Whether all that is to be shown first has been loaded; of a stream, all. */
  get isThere(): boolean {
    const { transport } = this;
    return transport.clock.isFollowing ? transport.source.isEnded : !transport.isLoading;
  }

  /** Goes to where the view opens; `screenNs` is the time that fits on the screen. */
  begin({ metric }: ViewState, screenNs: number, plays = true): readonly Told[] {
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
    if (!this.lacks(metric)) return [];
    const known = METRICS.find((one) => !this.lacks(one));
    return [{ type: 'metricUnknown', metric: known, notice: unknownText(metric) }];
  }

  /** Carries over to the replay what an action has done to the view. */
  follow(before: ViewState, after: ViewState, action: Action): readonly Told[] {
    return [...this.unknownMetric(before, after), ...this.moved(before, after, action)];
  }

  private unknownMetric(before: ViewState, { metric }: ViewState): readonly Told[] {
    if (metric === before.metric || !this.lacks(metric)) return [];
    return [notify(unknownText(metric))];
  }

  private moved(before: ViewState, after: ViewState, action: Action): readonly Told[] {
    const { transport } = this;
    if (transport.clock.isFollowing || action.type === 'showUntil') return [];
    if (action.type === 'scrollTime' && action.by === 'now') {
      transport.toShare(1);
      return [];
    }
    if (after.frozenAtNs === before.frozenAtNs) return [];
    if (after.frozenAtNs !== undefined) transport.pauseAt(after.frozenAtNs);
    else if (!transport.play()) return [notify(AT_END)];
    else return [notify(`playing at ${speedText(transport.clock.speed)}`)];
    return [];
  }

  stepSpeed(step: 1 | -1): Told {
    if (this.transport.clock.isFollowing) return notify('cannot change the speed of a live stream');
    const speed = this.transport.stepSpeed(step);
    if (speed === undefined)
      return notify(step > 0 ? 'this is the maximum speed' : 'this is the minimum speed');
    return notify(speed === Infinity ? MAXIMUM : `speed ${speedText(speed)}`);
  }

  /** Starts looking; the answer comes with `tick`. */
  seekGap({ frozenAtNs }: ViewState): Told {
    const { transport, shownGap } = this;
    if (transport.clock.isFollowing) return notify('a stream has not ended yet');
    const atNs = frozenAtNs ?? transport.clock.nowNs();
    transport.seekGap(shownGap?.edgeNs === atNs ? shownGap.gap.startNs : atNs);
    return { type: 'showUntil', atNs, notice: 'searching for the next gap' };
  }

  /** To be called after each pump: what has happened meanwhile; for `screenNs` see `begin`. */
  tick(view: ViewState, screenNs: () => number): readonly Told[] {
    const { transport } = this;
    transport.step();
    const events = [...this.pastEnd(view), ...this.gapFound(screenNs), ...this.newProblem()];
    const { isLoading, isAtEnd } = transport;
    const notice = events.at(-1)?.notice ?? view.notice;
    if (isLoading) events.push(this.progressOf(notice));
    else if (isAtEnd && !this.wasAtEnd && notice === undefined) events.push(notify(AT_END));
    else if (this.progress !== undefined && notice === this.progress)
      events.push(notify(this.noticeBefore));
    if (!isLoading) this.progress = undefined;
    this.wasAtEnd = isAtEnd;
    return events;
  }

  /** What was to be said is said when loading is done. */
  private progressOf(notice: string | undefined): Told {
    if (this.progress === undefined || notice !== this.progress) this.noticeBefore = notice;
    this.progress = loadingText(this.transport);
    return notify(this.progress);
  }

  /** Nothing comes after the end: a picture beyond it would stay empty. */
  private pastEnd({ frozenAtNs }: ViewState): readonly Told[] {
    const { endNs } = this.transport.clock;
    if (frozenAtNs === undefined || frozenAtNs <= endNs) return [];
    return [{ type: 'showUntil', atNs: endNs, notice: 'the recording ends here' }];
  }

  /** Shows where the recording stops in the middle of the picture. */
  private gapFound(screenNs: () => number): readonly Told[] {
    const found = this.transport.takeGap();
    if (found === undefined) return [];
    if (found === 'none') return [notify('no further gap in the recording')];
    const edgeNs = Math.min(found.startNs + screenNs() / 2, this.transport.endNs ?? Infinity);
    this.transport.pauseAt(edgeNs);
    this.shownGap = { gap: found, edgeNs };
    return [{ type: 'showUntil', atNs: edgeNs, notice: gapText(found) }];
  }

  private newProblem(): readonly Told[] {
    const problems = this.transport.source.problems();
    if (problems.length <= this.problemsTold) return [];
    this.problemsTold = problems.length;
    return [notify(problemText(problems.at(-1)!))];
  }

  private lacks(metric: Metric): boolean {
    return NEEDED[metric].some((field) => this.options.unknown.includes(field));
  }
}

const AT_END = 'the end of the recording; Home goes to its start';
const MAXIMUM = 'as fast as it loads';

function unknownText(metric: Metric): string {
  return `${metricTitle(metric)} is unknown in this trace`;
}

function notify(notice: string | undefined): Told {
  return { type: 'notify', notice };
}
