/** A stretch of time with I/O much slower than usual. Times in ns. */
export interface Burst {
  /** Numbers of its first and last column, counted from the start of the trace. */
  readonly firstColumn: number;
  readonly lastColumn: number;
  /** When its slowest I/O completed, and how uncertain that is: 0 where it is known as a single I/O. */
  readonly atNs: number;
  readonly withinNs: number;
  readonly latencyNs: number;
}

/** The slowest I/O of a column of time. */
export type SlowestOfColumn = Pick<Burst, 'atNs' | 'withinNs' | 'latencyNs'>;

/** A column is slow if its slowest I/O is this many times slower than that of a usual column. */
const TIMES_SLOWER = 3;
/** Slow columns that are no further apart belong to the same burst. */
const MOST_COLUMNS_APART = 2;

/** Finds bursts from the slowest I/O of each column that has I/O; in order of time. */
export function findBursts(slowest: ReadonlyMap<number, SlowestOfColumn>): Burst[] {
  const leastNs = TIMES_SLOWER * usualNs(slowest);
  const bursts: Burst[] = [];
  // Logs with coarse times have many latencies of 0, so that 0 may be usual.
  const slow = [...slowest].filter(([, { latencyNs }]) => latencyNs >= leastNs && latencyNs > 0);
  for (const [column, found] of slow.sort(([a], [b]) => a - b)) {
    const last = bursts.at(-1);
    if (last === undefined || column - last.lastColumn > MOST_COLUMNS_APART) {
      bursts.push({ ...found, firstColumn: column, lastColumn: column });
      continue;
    }
    const worst = found.latencyNs > last.latencyNs ? found : last;
    const { firstColumn } = last;
    bursts[bursts.length - 1] = { ...last, ...worst, firstColumn, lastColumn: column };
  }
  return bursts;
}

/** The median of the slowest I/Os: bursts are rare, so that it is not part of one. */
function usualNs(slowest: ReadonlyMap<number, SlowestOfColumn>): number {
  const latencies = Float64Array.from(slowest.values(), ({ latencyNs }) => latencyNs).sort();
  return latencies[Math.floor(latencies.length / 2)] ?? Infinity;
}

/** Bursts at regular intervals. */
export interface Rhythm {
  readonly count: number;
  /** The median interval, in ns. */
  readonly everyNs: number;
}

/** With fewer bursts, equal intervals are chance. */
const LEAST_COUNT = 3;
/** How far intervals may be from their median, as a share of it. */
const TOLERANCE = 0.1;

/** Bursts with the same cause are alike: their slowest I/Os differ by less than this factor. */
const LIKE_RATIO = 1.6;

/** The longest regular sequence of bursts like number `at` that contains it; undefined where there is none. */
export function rhythmAt(bursts: readonly Burst[], at: number): Rhythm | undefined {
  const burst = bursts[at]!;
  const alike = bursts.filter(({ latencyNs }) => {
    const ratio = latencyNs / burst.latencyNs;
    return ratio <= LIKE_RATIO && ratio >= 1 / LIKE_RATIO;
  });
  const gaps = alike.slice(1).map(({ atNs }, i) => atNs - alike[i]!.atNs);
  const own = alike.indexOf(burst);
  // Where the rhythm changes, the burst belongs to both sequences.
  const [before, after] = [regularAround(gaps, own - 1), regularAround(gaps, own)];
  const regular = after.length > before.length ? after : before;
  if (regular.length + 1 < LEAST_COUNT) return undefined;
  const everyNs = regular.toSorted((a, b) => a - b)[Math.floor(regular.length / 2)]!;
  return { count: regular.length + 1, everyNs };
}

/** The gaps next to number `at` that are about as long as it, and itself; empty if there is no such gap. */
function regularAround(gaps: readonly number[], at: number): readonly number[] {
  const nearNs = gaps[at];
  if (nearNs === undefined) return [];
  const isRegular = (gap: number | undefined): boolean =>
    gap !== undefined && Math.abs(gap - nearNs) <= TOLERANCE * nearNs;
  let [from, to] = [at, at + 1];
  while (isRegular(gaps[from - 1])) from--;
  while (isRegular(gaps[to])) to++;
  return gaps.slice(from, to);
}
