import { createColumns } from '../../model/completion-columns.ts';
import type { CompletionColumns } from '../../model/completion-columns.ts';
import type { DiskBusy } from '../../model/disk-busy.ts';
import type { EventSource, SourceInfo } from '../event-source.ts';
import type { CompletionSummary, DiskLoss, SourceCounters } from '../completion-summary.ts';
import type { Stretch, TraceProblem } from '../trace-reader.ts';
import { joinTraces } from './join-traces.ts';
import type { JoinOptions, NamedTrace } from './join-traces.ts';
import type { ReplayClock } from './replay-clock.ts';
import type { Gap, TraceFeed } from './trace-feed.ts';

const BUFFER_ROWS = 1 << 16;

/** Simultaneous traces take turns of this length; rows only need to be roughly in order. */
const TURN_NS = 10e6;

/** A damaged file may claim a far end; idle time beyond this after its last I/O is ignored. */
const MOST_IDLE_NS = 24 * 3600e9;

/**
 * Replays traces: returns rows up to the time of the clock, each once. When the clock is set back, rows already
 * returned stay in the history.
 */
export class ReplaySource implements EventSource {
  readonly info: SourceInfo;
  /** Whether everything up to the clock's time had been returned at the last `read`. */
  isCaughtUp = false;
  /** Loads everything available, regardless of the clock. */
  loadsAll = false;
  private readonly feeds: readonly TraceFeed[];
  private readonly between: () => readonly Gap[];
  private readonly silent: () => readonly Gap[];
  private readonly out = createColumns(BUFFER_ROWS);
  private readonly firstNs: number;
  private delivered = 0;
  private summarised = 0;

  constructor(
    traces: readonly NamedTrace[],
    private readonly clock: Pick<ReplayClock, 'untilNs'>,
    options: JoinOptions,
  ) {
    const { info, feeds, gaps, silences } = joinTraces(traces, options);
    this.info = info;
    this.feeds = feeds;
    this.between = gaps;
    this.silent = silences;
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

  readBusy(): readonly DiskBusy[] {
    const untilNs = this.untilNs();
    return this.feeds.flatMap((feed) => feed.takeBusy(untilNs));
  }

  /** Rows and aggregates count what was returned; losses are those that the traces report. */
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

  /** The losses that belong to a known disk. */
  lostOn(): DiskLoss[] {
    const byWay = new Map<string, DiskLoss>();
    for (const loss of this.feeds.flatMap((feed) => feed.lostOn)) {
      const way = `${loss.dev} ${loss.way}`;
      byWay.set(way, { ...loss, count: loss.count + (byWay.get(way)?.count ?? 0) });
    }
    return [...byWay.values()];
  }

  /** No I/O is earlier than this. */
  get startNs(): number {
    return this.firstNs;
  }

  /** Time of the latest returned I/O; -Infinity before the first. */
  get lastNs(): number {
    return Math.max(...this.feeds.map(({ lastNs }) => lastNs));
  }

  /** Whether everything has been returned and no more can come. */
  get isEnded(): boolean {
    return this.feeds.every(({ isEnded }) => isEnded);
  }

  /** End of the traces according to their headers; undefined if one lacks it. */
  get claimedEndNs(): number | undefined {
    const ends = this.feeds.map(({ claimedEndNs }) => claimedEndNs);
    return ends.every((end) => end !== undefined) ? Math.max(...ends) : undefined;
  }

  /** End of the traces; known when everything has been returned. */
  get endNs(): number {
    const { lastNs, claimedEndNs = lastNs } = this;
    const isLikely = claimedEndNs > lastNs && claimedEndNs < lastNs + MOST_IDLE_NS;
    return Math.max(0, isLikely ? claimedEndNs : lastNs);
  }

  /** The gaps known so far, in order. */
  gaps(): Gap[] {
    const known = [...this.between(), ...this.feeds.flatMap(({ gaps }) => gaps)];
    return known.sort((a, b) => a.startNs - b.startNs);
  }

  /** The stretches known so far in which no host was recorded, in order. */
  silences(): readonly Gap[] {
    return this.silent();
  }

  /** When they were recorded; known at the end, unless one of them does not know. */
  get recorded(): Stretch | undefined {
    const isKnown = this.feeds.every(({ reader }) => reader.recorded !== undefined);
    if (!this.isEnded || !isKnown) return undefined;
    const stretches = this.feeds.map(({ stretch }) => stretch);
    return {
      startNs: Math.min(...stretches.map(({ startNs }) => startNs)),
      endNs: Math.max(...stretches.map(({ endNs }) => endNs)),
    };
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

  /** The trace that is furthest behind continues until shortly after the others. */
  private takeTurns(untilNs: number): boolean {
    const { out } = this;
    let waiting: readonly TraceFeed[] = this.feeds;
    while (out.length < out.identity.length) {
      const [next, other] = firstTwo(waiting);
      if (next === undefined || next.nextNs > untilNs) return true;
      const limitNs = Math.min(untilNs, (other?.nextNs ?? Infinity) + TURN_NS);
      if (!next.take(out, limitNs)) return false;
      // A trace that has nothing now must not delay the others.
      if (next.nextNs <= limitNs) waiting = waiting.filter((feed) => feed !== next);
    }
    return false;
  }
}

/** The two traces with the earliest next row. */
function firstTwo(feeds: readonly TraceFeed[]): [TraceFeed | undefined, TraceFeed | undefined] {
  let first: TraceFeed | undefined;
  let second: TraceFeed | undefined;
  for (const feed of feeds) {
    if (first === undefined || feed.nextNs < first.nextNs) [first, second] = [feed, first];
    else if (second === undefined || feed.nextNs < second.nextNs) second = feed;
  }
  return [first, second];
}
