import type { ShouldYield } from '../../base/time.ts';
import type { CompiledFilter } from '../../filter/match/match.ts';
import type { Past } from '../../history/scan/visitor.ts';
import { columnOf, windowStart } from '../../history/window/column-ring.ts';
import { WindowedCount } from '../../history/window/windowed-count.ts';
import type { CompletionColumns } from '../../model/completion-columns.ts';
import { FileCounter, FileCounts } from './file-counts.ts';
import { fillPlaces, placeFiles } from './place-files.ts';

/** The time and the I/O of a picture, and how many files have a place in it. */
export interface RankingSpec {
  readonly columnNs: number;
  readonly columns: number;
  readonly most: number;
  readonly filter: CompiledFilter;
}

/** A file loses its place at most this many times while the I/O of a picture passes. */
const PERIODS = 8;

/** Which files have lanes: those with the most I/O in the picture, each at one place for as long as possible. */
export class FileRanking {
  /** Numbers of files, from the first place on. */
  places: readonly number[] = [];
  private spec: RankingSpec;
  private counts: FileCounts;
  private window: WindowedCount;
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

  /** Files with I/O and without a place. */
  get others(): number {
    const { totals } = this.counts;
    const all = totals.reduce((sum, count) => sum + Number(count > 0), 0);
    return all - this.places.reduce((sum, file) => sum + Number(totals[file]! > 0), 0);
  }

  get isCounting(): boolean {
    return !this.window.isWhole;
  }

  /** Changes what to rank; the next `update` does it. */
  show(spec: RankingSpec): void {
    const before = this.spec;
    this.spec = spec;
    const isOther = before.filter !== spec.filter || before.most !== spec.most;
    if (isOther) this.places = [];
    if (isOther || before.columnNs !== spec.columnNs || before.columns !== spec.columns)
      this.isStale = true;
  }

  /** Takes rows that were just added to the history. */
  append(rows: CompletionColumns): void {
    if (!this.isStale) this.window.append(rows);
  }

  /** Counts until the deadline. Places change only once everything is counted. */
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
    if (this.period !== period) this.places = placeFiles(places, counts.totals, spec.most);
    else if (this.countedVersion !== counts.version)
      this.places = fillPlaces(places, counts.totals, spec.most);
    this.period = period;
    this.countedVersion = counts.version;
  }

  private rebuild(startNs: number): void {
    this.counts = this.createCounts(startNs);
    this.window = this.createWindow();
    this.isStale = false;
    this.period = undefined;
  }

  private createCounts(startNs: number): FileCounts {
    return new FileCounts(PERIODS + 1, this.periodNs, startNs);
  }

  private createWindow(): WindowedCount {
    const { filter } = this.spec;
    return new WindowedCount(
      this.past,
      new FileCounter(this.counts, filter.passesAll ? undefined : filter),
    );
  }
}
