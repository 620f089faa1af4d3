import type { CompletionColumns } from '../../model/completion-columns.ts';
import { FINE_BINS, fineBin, fineBinLow } from '../../model/fine-bins.ts';

/** This share of the latest I/Os is slow. */
export const SLOW_SHARE = 0.002;
/** The share may grow up to this one, if the slowest of the last minute would not be among them otherwise. */
export const MOST_SLOW_SHARE = 0.01;
const SLOWEST_OF_MINUTE = 200;
/** At millions of I/Os per second, the reader cannot afford these shares, so their numbers are limited, too. */
const MOST_SLOW = 1000;
const MOST_OF_STORM = 5000;
/** This many latencies of single I/Os are kept between two steps. */
const KEPT_ROWS = 8192;
/** A step, of which there are four per second, leaves this share of a count. */
const KEPT = 0.5;
const KEPT_OF_MINUTE = 0.99;

/**
 * Finds the total latency from which on an I/O is slow, by the distribution of the latest I/Os and of the last minute.
 */
export class SlowLimit {
  /** Since the last step. */
  private readonly current = new Float64Array(FINE_BINS);
  private readonly latest = new Float64Array(FINE_BINS);
  private readonly minute = new Float64Array(FINE_BINS);
  /** Single I/Os since the last step, as far as there is room: the latency, and how many I/Os it stands for. */
  private readonly singles = { ns: new Float64Array(KEPT_ROWS), each: new Float64Array(KEPT_ROWS) };
  private kept = 0;

  /** `limitNs` is the limit until the first step. */
  constructor(private limitNs = 0) {}

  /** `rows` has one in `oneIn` of the I/Os below the limit. `isMeant` tells which rows count; all do by default. */
  addRows(rows: CompletionColumns, oneIn = 1, isMeant?: (row: number) => boolean): void {
    const { deviceNs, queueNs, length } = rows;
    const { current, singles, limitNs } = this;
    for (let row = 0; row < length; row++) {
      if (isMeant?.(row) === false) continue;
      const ns = deviceNs[row]! + queueNs[row]!;
      if (!(ns >= 0)) continue;
      current[fineBin(ns)]! += 1;
      if (this.kept === KEPT_ROWS) continue;
      singles.ns[this.kept] = ns;
      singles.each[this.kept++] = ns >= limitNs ? 1 : oneIn;
    }
  }

  addCounts(bins: Uint32Array): void {
    for (let bin = 0; bin < FINE_BINS; bin++) this.current[bin]! += bins[bin]!;
  }

  /** Returns the new limit in ns. */
  step(): number {
    const { current, latest, minute } = this;
    let [now, all] = [0, 0];
    for (let bin = 0; bin < FINE_BINS; bin++) {
      now += current[bin]!;
      latest[bin]! += current[bin]!;
      all += latest[bin]!;
      // An I/O adds a half in this step, a quarter in the next and so on, which makes one.
      minute[bin] = minute[bin]! * KEPT_OF_MINUTE + latest[bin]! * (1 - KEPT);
    }
    const usual = this.usualEdge(now, all);
    const least = edgeOf(latest, Math.min(MOST_SLOW_SHARE * all, MOST_OF_STORM));
    const wanted = edgeOf(minute, SLOWEST_OF_MINUTE);
    const low = wanted.bin > least.bin ? wanted : least;
    this.limitNs = this.within(usual.bin <= low.bin ? usual : low);
    for (let bin = 0; bin < FINE_BINS; bin++) latest[bin]! *= KEPT;
    current.fill(0);
    this.kept = 0;
    return this.limitNs;
  }

  /** After slow I/O has ended, the last moments still have much of it, and what is slow now would not come. */
  private usualEdge(now: number, all: number): Edge {
    const { current, latest } = this;
    const ofLatest = edgeOf(latest, Math.min(SLOW_SHARE * all, MOST_SLOW));
    if (now === 0) return ofLatest;
    const ofCurrent = edgeOf(current, Math.min(SLOW_SHARE * now, MOST_SLOW * KEPT));
    return ofCurrent.bin < ofLatest.bin ? ofCurrent : ofLatest;
  }

  /**
   * If most I/O takes nearly the same time, all of it is in one or two bins. Then the single I/Os in the bin below the
   * edge show where its slowest begin.
   */
  private within({ bin, part }: Edge): number {
    const { ns, each } = this.singles;
    const rows = [...ns.subarray(0, this.kept).keys()].filter(
      (row) => fineBin(ns[row]!) === bin - 1,
    );
    rows.sort((a, b) => ns[b]! - ns[a]!);
    const most = part * rows.reduce((sum, row) => sum + each[row]!, 0);
    let limitNs = fineBinLow(bin);
    for (let [at, above] = [0, 0]; at < rows.length;) {
      const value = ns[rows[at]!]!;
      let [next, tied] = [at, 0];
      // I/Os that take the same time are all slow or all not.
      while (next < rows.length && ns[rows[next]!] === value) tied += each[rows[next++]!]!;
      // A single I/O stands for others around it, half of them faster. If it is alone at the top, it is the best guess.
      const isTopGuess = at === 0 && next === 1 && tied > 1;
      if (above + tied / 2 > most && !isTopGuess) break;
      limitNs = Math.floor(value);
      above += tied;
      at = next;
    }
    return limitNs;
  }
}

interface Edge {
  /** The lowest bin such that it and all higher ones have at most the wanted number. */
  readonly bin: number;
  /** The share of the bin below that would still fit into that number. */
  readonly part: number;
}

function edgeOf(counts: Float64Array, most: number): Edge {
  let above = 0;
  for (let bin = FINE_BINS; bin > 0; bin--) {
    const count = counts[bin - 1]!;
    if (above + count > most) return { bin, part: (most - above) / count };
    above += count;
  }
  return { bin: 0, part: 0 };
}
