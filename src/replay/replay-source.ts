import { createColumns } from '../model/completion-columns.ts';
import type { CompletionColumns } from '../model/completion-columns.ts';
import type { EventSource, SourceInfo } from '../source/event-source.ts';
import type { CompletionSummary, SourceCounters } from '../source/completion-summary.ts';
import type { TraceProblem } from '../source/trace-reader.ts';
import { joinTraces } from './join-traces.ts';
import type { JoinOptions, NamedTrace } from './join-traces.ts';
import type { ReplayClock } from './replay-clock.ts';
import type { Gap, TraceFeed } from './trace-feed.ts';

const BUFFER_ROWS = 1 << 16;

/** Traces that ran side by side take turns of this length: rows need only nearly be in order. */
const TURN_NS = 10e6;

/** A file may claim to end in a thousand years; more idle time than this after its last I/O is none. */
const MOST_IDLE_NS = 24 * 3600e9;

/**
 * Traces made before, as a source: their rows until the time of the clock, each once. A clock that is
 * set back leaves what has been handed out where it is, in the history.
 */
export class ReplaySource implements EventSource {
  readonly info: SourceInfo;
  /** Whether all until the clock's time has been handed out, as of the last `read`. */
  isCaughtUp = false;
  /** Loads whatever there is, wherever the clock stands. */
  loadsAll = false;
  private readonly feeds: readonly TraceFeed[];
  private readonly between: readonly Gap[];
  private readonly out = createColumns(BUFFER_ROWS);
  private readonly firstNs: number;
  private delivered = 0;
  private summarised = 0;

  constructor(
    traces: readonly NamedTrace[],
    private readonly clock: Pick<ReplayClock, 'untilNs'>,
    options: JoinOptions,
  ) {
    const { info, feeds, gaps } = joinTraces(traces, options);
    this.info = info;
    this.feeds = feeds;
    this.between = gaps;
    this.firstNs = Math.min(...feeds.map(({ nextNs }) => nextNs));
  }

  read(): CompletionColumns {
    const { out } = this;
    const untilNs = this.untilNs();
    out.length = 0;
    const [feed, ...others] = this.feeds;
    if (others.length > 0) this.isCaughtUp = this.takeTurns(untilNs);
    else {
      const whole = untilNs === Infinity ? feed!.takeWhole() : undefined;
      if (whole !== undefined) return this.handOutWhole(whole);
      this.isCaughtUp = feed!.take(out, untilNs);
    }
    this.delivered += out.length;
    return out;
  }

  private handOutWhole(rows: CompletionColumns): CompletionColumns {
    this.isCaughtUp = false;
    this.delivered += rows.length;
    return rows;
  }

  readSummaries(): CompletionSummary[] {
    const untilNs = this.untilNs();
    const due = this.feeds.flatMap((feed) => feed.takeSummaries(untilNs));
    for (const { count } of due) this.summarised += count;
    return due;
  }

  /** Rows and sums are those handed out; what was lost is as the traces tell. */
  counters(): SourceCounters {
    const losses: Record<string, number> = {};
    let lost = 0;
    for (const { counters } of this.feeds) {
      lost += counters?.lost ?? 0;
      for (const [name, count] of Object.entries(counters?.losses ?? {}))
        losses[name] = (losses[name] ?? 0) + count;
    }
    return { delivered: this.delivered, summarised: this.summarised, lost, losses };
  }

  /** Nothing is earlier. */
  get startNs(): number {
    return this.firstNs;
  }

  /** Time of the latest I/O handed out; -Infinity before the first. */
  get lastNs(): number {
    return Math.max(...this.feeds.map(({ lastNs }) => lastNs));
  }

  /** Whether everything has been handed out for good. */
  get isEnded(): boolean {
    return this.feeds.every(({ isEnded }) => isEnded);
  }

  /** When the traces end, as their headers say it; undefined where one does not. */
  get claimedEndNs(): number | undefined {
    const ends = this.feeds.map(({ claimedEndNs }) => claimedEndNs);
    return ends.every((end) => end !== undefined) ? Math.max(...ends) : undefined;
  }

  /** When they do end: known once everything has been handed out. */
  get endNs(): number {
    const { lastNs, claimedEndNs = lastNs } = this;
    const isLikely = claimedEndNs > lastNs && claimedEndNs < lastNs + MOST_IDLE_NS;
    return Math.max(0, isLikely ? claimedEndNs : lastNs);
  }

  /** Those known so far, in order. */
  gaps(): Gap[] {
    const known = [...this.between, ...this.feeds.flatMap(({ gaps }) => gaps)];
    return known.sort((a, b) => a.startNs - b.startNs);
  }

  problems(): TraceProblem[] {
    return this.feeds.flatMap(({ reader }) => reader.problems());
  }

  dispose(): void {
    for (const { reader } of this.feeds) reader.dispose();
  }

  private untilNs(): number {
    return this.loadsAll ? Infinity : this.clock.untilNs();
  }

  /** The trace that is behind the others goes on until shortly after them. */
  private takeTurns(untilNs: number): boolean {
    const { out } = this;
    let waiting: readonly TraceFeed[] = this.feeds;
    while (out.length < out.key.length) {
      const [next, other] = firstTwo(waiting);
      if (next === undefined || next.nextNs > untilNs) return true;
      const limitNs = Math.min(untilNs, (other?.nextNs ?? Infinity) + TURN_NS);
      if (!next.take(out, limitNs)) return false;
      // It has nothing now, and must not keep the others waiting.
      if (next.nextNs <= limitNs) waiting = waiting.filter((feed) => feed !== next);
    }
    return false;
  }
}

/** The two traces that go on first. */
function firstTwo(feeds: readonly TraceFeed[]): [TraceFeed | undefined, TraceFeed | undefined] {
  let first: TraceFeed | undefined;
  let second: TraceFeed | undefined;
  for (const feed of feeds) {
    if (first === undefined || feed.nextNs < first.nextNs) [first, second] = [feed, first];
    else if (second === undefined || feed.nextNs < second.nextNs) second = feed;
  }
  return [first, second];
}
