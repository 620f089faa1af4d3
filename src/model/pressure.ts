/**
 * How long tasks had waited for storage at a moment, since the machine started: the pressure stall information of the
 * kernel (Documentation/accounting/psi.rst). Times in ns.
 */
export interface PressureSample {
  /** Trace time. */
  readonly atNs: number;
  /** At least one task waited. */
  readonly someNs: number;
  /** At least one waited, and none ran. */
  readonly fullNs: number;
}

/** How long tasks were stalled within a stretch of time; all in ns. */
export interface StalledTime {
  readonly someNs: number;
  readonly fullNs: number;
  /** The part of the stretch of which this is known. */
  readonly knownNs: number;
}

/** Shares of a time in which tasks waited for storage, 0 to 1. */
export interface Stalled {
  readonly some: number;
  readonly full: number;
}

/** The pressure of one machine or cgroup. */
export interface PressureHistory {
  during(startNs: number, endNs: number): StalledTime;
  /** In order of time. */
  samplesAfter(atNs: number): readonly PressureSample[];
}

/** The pressure of one machine, and by id of its cgroups that were seen with I/O. */
export interface KnownPressure extends PressureHistory {
  readonly cgroups: ReadonlyMap<number, PressureHistory>;
}

/** The shares of a stretch in which tasks were stalled; undefined if less than half of it is known. */
export function stalledShares(
  known: PressureHistory | undefined,
  startNs: number,
  endNs: number,
): Stalled | undefined {
  if (known === undefined || endNs <= startNs) return undefined;
  const { someNs, fullNs, knownNs } = known.during(startNs, endNs);
  if (knownNs <= 0 || knownNs < (endNs - startNs) / 2) return undefined;
  return { some: Math.min(1, someNs / knownNs), full: Math.min(1, fullNs / knownNs) };
}

/** One sample a second for a day: 2 MB. */
const MOST_SAMPLES = 86_400;
const FIELDS = 3;

/** Samples as they are taken; the oldest are forgotten. */
export class PressureBook implements PressureHistory {
  /** Time, some and full of each sample, in order of time. */
  private values = new Float64Array(64 * FIELDS);
  private count = 0;

  constructor(private readonly most = MOST_SAMPLES) {}

  /** A sample that is not later than the last one is ignored. */
  put({ atNs, someNs, fullNs }: PressureSample): void {
    if (this.count > 0 && atNs <= this.timeOf(this.count - 1)) return;
    if (this.count === this.most) this.forget();
    if (this.count * FIELDS === this.values.length) this.grow();
    this.values.set([atNs, someNs, fullNs], this.count * FIELDS);
    this.count++;
  }

  during(startNs: number, endNs: number): StalledTime {
    const from = Math.max(startNs, this.count === 0 ? Infinity : this.timeOf(0));
    const to = Math.min(endNs, this.count === 0 ? -Infinity : this.timeOf(this.count - 1));
    if (to <= from) return { someNs: 0, fullNs: 0, knownNs: 0 };
    const [before, after] = [this.at(from), this.at(to)];
    return {
      someNs: Math.max(0, after.someNs - before.someNs),
      fullNs: Math.max(0, after.fullNs - before.fullNs),
      knownNs: to - from,
    };
  }

  samplesAfter(atNs: number): readonly PressureSample[] {
    const first = this.firstAfter(atNs);
    return Array.from({ length: this.count - first }, (_, index) => this.sample(first + index));
  }

  /** Between two samples the time grows evenly. */
  private at(atNs: number): PressureSample {
    const next = Math.min(this.count - 1, Math.max(1, this.firstAfter(atNs)));
    const [a, b] = [this.sample(next - 1), this.sample(next)];
    const share = (atNs - a.atNs) / (b.atNs - a.atNs);
    return {
      atNs,
      someNs: a.someNs + share * (b.someNs - a.someNs),
      fullNs: a.fullNs + share * (b.fullNs - a.fullNs),
    };
  }

  private firstAfter(atNs: number): number {
    let [low, high] = [0, this.count];
    while (low < high) {
      const middle = (low + high) >> 1;
      if (this.timeOf(middle) <= atNs) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  private timeOf(index: number): number {
    return this.values[index * FIELDS]!;
  }

  private sample(index: number): PressureSample {
    const [atNs, someNs, fullNs] = this.values.subarray(index * FIELDS, (index + 1) * FIELDS);
    return { atNs: atNs!, someNs: someNs!, fullNs: fullNs! };
  }

  /** Forgets an eighth of the samples at once, so that moving the others costs little per sample. */
  private forget(): void {
    const forgotten = Math.ceil(this.most / 8);
    this.values.copyWithin(0, forgotten * FIELDS, this.count * FIELDS);
    this.count -= forgotten;
  }

  private grow(): void {
    const larger = new Float64Array(this.values.length * 2);
    larger.set(this.values);
    this.values = larger;
  }
}
