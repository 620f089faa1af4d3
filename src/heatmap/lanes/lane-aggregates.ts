import { countBefore, seedOf } from '../../history/estimate/even-share.ts';
import { judgeEntry, judgeSummary } from '../../history/estimate/judge-bins.ts';
import type { BinJudge } from '../../history/estimate/judge-bins.ts';
import { createBinList, Field, METRIC_INDEX } from '../../history/slices/slice.ts';
import type { Slice } from '../../history/slices/slice.ts';
import type { SliceView } from '../../history/slices/slice-view.ts';
import { FINE_BINS, fineBinHigh, fineBinMiddle } from '../../model/fine-bins.ts';
import type { Latency } from '../../model/metric.ts';
import { Verdict } from '../../filter/verdict.ts';
import type { CompletionSummary } from '../../source/event-source.ts';
import { columnOf } from '../time/binning.ts';
import type { Selection } from '../time/heatmap.ts';
import type { LaneCounts, LaneOf } from './lane-counts.ts';

/** I/Os of one key, known only as a histogram of their latency over [startNs, endNs). */
interface Lump {
  readonly startNs: number;
  readonly endNs: number;
  readonly key: number;
  readonly lane: number;
  readonly count: number;
  /** Their latencies together, exactly; in ns. */
  readonly sumNs: number;
  /** The largest, where that is known; else Infinity. */
  readonly maxNs: number;
  readonly judge: BinJudge;
  readonly bins: ArrayLike<number>;
  readonly counts: ArrayLike<number>;
  readonly filled: number;
}

type Range = Pick<Selection, 'fromNs' | 'toNs'>;

const MAX_FIELDS = {
  device: Field.maxDeviceNs,
  queue: Field.maxQueueNs,
  total: Field.maxTotalNs,
} as const;

const list = createBinList();

/** Counts the part of a slice that is selected. One that still grows holds nothing after `latestNs`. */
export function addLaneSlice(
  into: LaneCounts,
  view: SliceView,
  laneOf: LaneOf,
  { fromNs, toNs, filter }: Selection,
  latestNs: number,
): void {
  const { metric } = into;
  const endNs = Math.min(view.endNs, Math.max(latestNs, view.startNs));
  view.forEachShown((slice, entry, key) => {
    const lane = laneOf[key]!;
    const judge = judgeEntry(filter, slice, entry, metric);
    if (lane < 0 || judge.verdict === Verdict.no) return;
    const filled = slice.readBins(entry, METRIC_INDEX[metric], list);
    const { bins, counts } = list;
    const count = slice.field(entry, Field.count);
    const maxNs = slice.field(entry, MAX_FIELDS[metric]) || Infinity;
    const sumNs = sumOf(slice, entry, metric);
    const lump = { startNs: view.startNs, endNs, key, lane, count, sumNs, maxNs };
    addLump(into, { ...lump, judge, bins, counts, filled }, { fromNs, toNs });
  });
  into.version++;
}

function sumOf(slice: Slice, entry: number, metric: Latency): number {
  const device = metric === 'queue' ? 0 : slice.field(entry, Field.deviceNs);
  return device + (metric === 'device' ? 0 : slice.field(entry, Field.queueNs));
}

const ALL_BINS = Uint16Array.from({ length: FINE_BINS }, (_, bin) => bin);

/** Counts completions that the kernel program only counted, if they are selected. */
export function addLaneSummary(
  into: LaneCounts,
  summary: CompletionSummary,
  laneOf: LaneOf,
  { fromNs, toNs, filter }: Selection,
): void {
  const { metric } = into;
  const { startNs, endNs, key, count, deviceNsSum, queueNsSum } = summary;
  const lane = laneOf[key]!;
  const judge = judgeSummary(filter, summary, metric);
  if (lane < 0 || judge.verdict === Verdict.no) return;
  const sumNs = (metric === 'queue' ? 0 : deviceNsSum) + (metric === 'device' ? 0 : queueNsSum);
  const counts = summary[metric];
  const lump = { startNs, endNs, key, lane, count, sumNs, maxNs: Infinity, judge };
  addLump(into, { ...lump, bins: ALL_BINS, counts, filled: counts.length }, { fromNs, toNs });
  into.version++;
}

/** The sum is exact for all bins together: each gets of it what its middle says. */
function addLump(into: LaneCounts, lump: Lump, range: Range): void {
  const { bins, counts, filled, judge, lane, maxNs, key } = lump;
  let [middles, measured] = [0, 0];
  for (let i = 0; i < filled; i++) {
    middles += fineBinMiddle(bins[i]!) * counts[i]!;
    measured += counts[i]!;
  }
  const perMiddle = middles > 0 ? lump.sumNs / middles : 0;
  for (let i = 0; i < filled; i++) {
    const [bin, count] = [bins[i]!, counts[i]!];
    const verdict = count === 0 ? Verdict.no : judge.ofBin(bin, 0);
    if (verdict === Verdict.no) continue;
    const each = fineBinMiddle(bin) * perMiddle;
    const worst = Math.min(maxNs, fineBinHigh(bin));
    forEachColumn(into, lump, count, seedOf(key, bin), range, (column, part) => {
      if (verdict === Verdict.maybe) into.addUndecided(lane, column, part);
      else into.addMany(lane, column, bin, part, each * part, worst);
    });
  }
  addUnmeasured(into, lump, lump.count - measured, range);
}

function addUnmeasured(into: LaneCounts, lump: Lump, count: number, range: Range): void {
  const verdict = lump.judge.ofUnmeasured();
  if (count <= 0 || verdict === Verdict.no) return;
  forEachColumn(into, lump, count, seedOf(lump.key, FINE_BINS), range, (column, part) => {
    if (verdict === Verdict.maybe) into.addUndecided(lump.lane, column, part);
    else into.addUnmeasured(lump.lane, column, part);
  });
}

/** Where a lump covers several columns, each gets what falls to its share of the time. */
function forEachColumn(
  into: LaneCounts,
  { startNs, endNs }: Lump,
  count: number,
  seed: number,
  { fromNs, toNs }: Range,
  visit: (column: number, count: number) => void,
): void {
  const { columnNs } = into;
  const first = columnOf(Math.max(startNs, fromNs, into.startNs), columnNs);
  const end = Math.min(Math.max(startNs, endNs - 1), toNs - 1, into.endNs - 1);
  const upTo = (atNs: number): number => countBefore(atNs, count, seed, startNs, endNs);
  let before = upTo(Math.max(fromNs, first * columnNs));
  for (let column = first; column <= columnOf(end, columnNs); column++) {
    const after = upTo(Math.min(toNs, (column + 1) * columnNs));
    if (after > before) visit(column, after - before);
    before = after;
  }
}
