import type { ShouldYield } from '../../base/time.ts';
import type { TermValue } from '../../filter/filter.ts';
import type { CompiledFilter } from '../../filter/match/match.ts';
import type { Past } from '../../history/scan/visitor.ts';
import { columnOf, windowStart } from '../../history/window/column-ring.ts';
import { WindowedCount } from '../../history/window/windowed-count.ts';
import type { CompletionColumns } from '../../model/completion-columns.ts';
import { RankCounter, RankCounts } from './rank-counter.ts';
import { NO_SUBJECT } from './lane-subjects.ts';
import type { LaneSubjects } from './lane-subjects.ts';
import type { CompletionSummary } from '../../trace/completion-summary.ts';
import { fillPlaces, placeSubjects } from './place-subjects.ts';

/** The time and the I/O of a picture, and how many subjects may get a place. */
export interface RankingSpec {
  readonly subjects: LaneSubjects;
  readonly columnNs: number;
  readonly columns: number;
  readonly most: number;
  readonly filter: CompiledFilter;
}

/** Places are taken away at most this many times while the time of a picture passes. */
const PERIODS = 8;

/**
 * Decides which subjects have lanes: those with the most I/O in the picture. Each keeps its place for as long as
 * possible.
 */
export class LaneRanking {
  /** The subject at each place. */
  places: readonly number[] = [];
  /** Whether there is I/O that belongs to none of them. It stays true until places may be taken away. */
  hasRest = false;
  /** Whether some I/O may belong to further subjects: it is aggregated, or of several that are not told apart. */
  hasMoreOthers = false;
  private hasUnowned = false;
  private spec: RankingSpec;
  private counts: RankCounts;
  private window: WindowedCount;
  /** Number of I/Os by subject; of those that share a lane, one has them all. */
  private totals: readonly number[] = [];
  private isStale = true;
  private countedVersion = -1;
  /** The period in which places were last taken away. */
  private period: number | undefined;

  constructor(
    private readonly past: Past,
    spec: RankingSpec,
  ) {
    this.spec = spec;
    this.counts = this.createCounts(0);
    this.window = this.createWindow();
  }

  /** Number of subjects with I/O and without a place. */
  get others(): number {
    const { totals } = this;
    const all = totals.reduce((sum, count) => sum + Number(count > 0), 0);
    return all - this.places.reduce((sum, subject) => sum + Number(totals[subject]! > 0), 0);
  }

  /** Whether all I/O without a place is of an unknown subject; aggregated I/O may belong to any. */
  get restIsUnknown(): boolean {
    return this.hasUnowned && !this.hasMoreOthers && this.others === 0;
  }

  get isCounting(): boolean {
    return !this.window.isWhole;
  }

  /** Changes what to rank; the next `update` does it. */
  show(spec: RankingSpec): void {
    const before = this.spec;
    this.spec = spec;
    const isOther =
      before.subjects !== spec.subjects ||
      before.filter !== spec.filter ||
      before.most !== spec.most;
    if (isOther) [this.places, this.hasRest] = [[], false];
    if (isOther || before.columnNs !== spec.columnNs || before.columns !== spec.columns)
      this.isStale = true;
  }

  /** Counts rows that were just added to the history. */
  append(rows: CompletionColumns): void {
    if (!this.isStale) this.window.append(rows);
  }

  /** Counts an aggregate that was just added to the history and does not change any more. */
  appendAggregate(aggregate: CompletionSummary): void {
    if (!this.isStale) this.window.appendAggregate(aggregate);
  }

  /** Counts until the deadline. Places change only when everything is counted. */
  update(nowNs: number, shouldYield?: ShouldYield): void {
    const startNs = windowStart(nowNs, this.periodNs, PERIODS + 1);
    if (this.isStale || startNs < this.window.startNs) this.rebuild(startNs);
    else this.window.moveTo(startNs, startNs + (PERIODS + 1) * this.periodNs);
    this.window.advance(shouldYield);
    if (this.window.isWhole) this.place(columnOf(nowNs, this.periodNs));
  }

  private get periodNs(): number {
    return Math.max(1, Math.ceil(this.spec.columns / PERIODS)) * this.spec.columnNs;
  }

  private place(period: number): void {
    const { counts, spec, places } = this;
    const isCounted = this.countedVersion !== counts.version;
    if (isCounted) {
      this.totals = byKey(bySubject(counts.totals, spec.subjects), spec.subjects, places);
      const isFolded = (number: number): boolean => spec.subjects.isUnknown(number);
      this.hasMoreOthers = counts.aggregated > 0 || hasUnowned(counts, spec.subjects, isFolded);
      this.hasUnowned = this.hasMoreOthers || hasUnowned(counts, spec.subjects);
    }
    if (this.period !== period) this.places = placeSubjects(places, this.totals, spec.most);
    else if (isCounted) this.places = fillPlaces(places, this.totals, spec.most);
    const keepsRest = this.period === period && this.hasRest;
    this.hasRest = keepsRest || this.others > 0 || this.hasUnowned;
    this.period = period;
    this.countedVersion = counts.version;
  }

  private rebuild(startNs: number): void {
    this.counts = this.createCounts(startNs);
    this.window = this.createWindow();
    this.isStale = false;
    this.period = undefined;
    this.countedVersion = -1;
  }

  private createCounts(startNs: number): RankCounts {
    return new RankCounts(PERIODS + 1, this.periodNs, startNs);
  }

  private createWindow(): WindowedCount {
    const { filter, subjects } = this.spec;
    const counted = filter.passesAll ? undefined : filter;
    return new WindowedCount(this.past, new RankCounter(this.counts, subjects.column, counted));
  }
}

function bySubject(totals: Float64Array, subjects: LaneSubjects): number[] {
  const sums: number[] = [];
  for (let number = 0; number < Math.min(totals.length, subjects.size); number++) {
    const subject = subjects.of(number);
    if (subject === NO_SUBJECT) continue;
    while (sums.length <= subject) sums.push(0);
    sums[subject]! += totals[number]!;
  }
  return sums;
}

/**
 * Subjects with the same key share a lane, such as files that replaced each other under one path. The one with a place
 * gets the I/O of all of them.
 */
function byKey(
  totals: readonly number[],
  subjects: LaneSubjects,
  places: readonly number[],
): number[] {
  const sums = [...totals];
  const first = new Map<TermValue, number>();
  const merge = (subject: number): void => {
    const key = subjects.key(subject);
    const other = first.get(key) ?? subject;
    first.set(key, other);
    if (other === subject) return;
    sums[other] = (sums[other] ?? 0) + (sums[subject] ?? 0);
    sums[subject] = 0;
  };
  places.forEach(merge);
  totals.forEach((count, subject) => {
    if (count > 0) merge(subject);
  });
  return sums;
}

/** Whether some I/O belongs to no subject, or to one that is not known; of the numbers that pass `which`. */
function hasUnowned(
  { totals }: RankCounts,
  subjects: LaneSubjects,
  which: (number: number) => boolean = () => true,
): boolean {
  const numbers = Math.min(totals.length, subjects.size);
  for (let number = 0; number < numbers; number++)
    if (totals[number]! > 0 && subjects.of(number) === NO_SUBJECT && which(number)) return true;
  return false;
}
