import { fineBin, fineBinLow, lastFilled } from '../../model/fine-bins.ts';
import type { CompletionSummary } from '../../trace/completion-summary.ts';
import type { CellSample, OwnerSample } from './owner-samples.ts';

type Histogram = 'device' | 'queue' | 'total' | 'size' | 'offset';
type Sum = 'bytes' | 'deviceNsSum' | 'queueNsSum';

/**
 * Divides a summary among the owners of a sample of the same I/O. Every count and every bin of the parts adds up to
 * that of the summary. The part of an owner is an estimate, whose variance the part states. `round`, from 0 to 1,
 * decides how fractions of I/Os are rounded: with evenly distributed numbers, no owner gains by it.
 *
 * A summary with failed I/Os, none of which was drawn, is not divided, because the sample does not show whose they were.
 */
export function splitBySample(
  summary: CompletionSummary,
  { owners: samples, spent }: CellSample,
  round: number,
): CompletionSummary[] {
  const drawn = samples.reduce((sum, { totals }) => sum + totals.count, 0);
  const failed = samples.map(({ totals }) => totals.errors);
  const isFailedUnknown = (summary.errors ?? 0) > 0 && failed.every((count) => count === 0);
  if (drawn === 0 || isFailedUnknown) return [summary];
  const shares = samples.map(({ totals }) => totals.count);
  const counts = apportion(summary.count, shares, round);
  const bins = (name: Histogram): Uint32Array[] => {
    const shapes = samples.map(({ totals }) => totals[name]);
    return splitBins(summary[name], shapes, counts, round);
  };
  const sums = (name: Sum): number[] => splitSum(summary[name], samples, counts, name);
  const parts = {
    device: bins('device'),
    queue: bins('queue'),
    total: bins('total'),
    size: bins('size'),
    offset: bins('offset'),
    bytes: sums('bytes'),
    deviceNsSum: sums('deviceNsSum'),
    queueNsSum: sums('queueNsSum'),
  };
  const { startNs, endNs, offsetShift } = summary;
  const errors =
    summary.errors === undefined ? undefined : splitErrors(summary.errors, failed, counts);
  return samples
    .map(({ identity = summary.identity, totals }, i): CompletionSummary => {
      const [device, queue] = [parts.device[i]!, parts.queue[i]!];
      return {
        startNs,
        endNs,
        identity,
        count: counts[i]!,
        countVariance: varianceOf(summary.count, spent, totals.count, drawn),
        bytes: parts.bytes[i]!,
        ...(errors !== undefined && { errors: errors[i]! }),
        deviceNsSum: parts.deviceNsSum[i]!,
        queueNsSum: parts.queueNsSum[i]!,
        maxDeviceNs: largest(device, summary.maxDeviceNs),
        maxQueueNs: largest(queue, summary.maxQueueNs),
        device,
        queue,
        total: parts.total[i]!,
        size: parts.size[i]!,
        offset: parts.offset[i]!,
        offsetShift,
      };
    })
    .filter(({ count }) => count > 0);
}

/**
 * The variance of the estimated number of I/Os of an owner among `count` that were not drawn, if `own` of the `drawn`
 * ones are its own. The 1 and the 2 that are added keep it above 0 where all or none of them are. I/Os that were
 * divided by the same sample before (`spent`) are off to the same side, so this part adds more than it would alone:
 * (spent + count)² - spent².
 */
function varianceOf(count: number, spent: number, own: number, drawn: number): number {
  const share = (own + 1) / (drawn + 2);
  return count * share * (1 - share) * (1 + (count + 2 * spent) / drawn);
}

/** In proportion to `failed`, which of each owner were drawn; nobody gets more than it has in all. */
function splitErrors(
  errors: number,
  failed: readonly number[],
  counts: readonly number[],
): number[] {
  if (errors === 0) return counts.map(() => 0);
  const parts = apportion(errors, failed, 0.5).map((part, i) => Math.min(part, counts[i]!));
  let rest = errors - parts.reduce((a, b) => a + b, 0);
  return parts.map((part, i) => {
    const more = Math.min(rest, counts[i]! - part);
    rest -= more;
    return part + more;
  });
}

/** Whole numbers that add up to `whole`, in proportion to `weights`, not all of which are 0. */
function apportion(whole: number, weights: readonly number[], round: number): number[] {
  const total = weights.reduce((a, b) => a + b, 0);
  let [passed, given] = [0, 0];
  return weights.map((weight) => {
    passed += weight;
    const until = passed === total ? whole : Math.floor((whole * passed) / total + round);
    const part = until - given;
    given = until;
    return part;
  });
}

/**
 * Divides bins in proportion to those of the samples, starting at the last bin. An owner that has all its I/Os takes no
 * more, so that the error falls on the smallest values.
 */
function splitBins(
  bins: Uint32Array,
  shapes: readonly Uint32Array[],
  counts: readonly number[],
  round: number,
): Uint32Array[] {
  if (shapes.length === 1) return [bins];
  // All parts are in one piece of memory, because dozens of pieces per histogram would be most of the garbage.
  const all = new Uint32Array(shapes.length * bins.length);
  const parts = shapes.map((_, i) => all.subarray(i * bins.length, (i + 1) * bins.length));
  const left = Float64Array.from(counts);
  const weights = new Float64Array(shapes.length);
  for (let bin = bins.length - 1; bin >= 0; bin--) {
    if (bins[bin] === 0) continue;
    weigh(shapes, bin, left, weights);
    fillBin(parts, bin, bins[bin]!, left, weights, (round + bin * GOLDEN_RATIO) % 1);
  }
  return parts;
}

/** Weighs owners by what their samples have in the bin or, if none has anything, by the I/Os that they still lack. */
function weigh(
  shapes: readonly Uint32Array[],
  bin: number,
  left: Float64Array,
  weights: Float64Array,
): void {
  let isSeen = false;
  for (let i = 0; i < shapes.length; i++) {
    weights[i] = left[i]! > 0 ? shapes[i]![bin]! : 0;
    if (weights[i]! > 0) isSeen = true;
  }
  if (!isSeen) weights.set(left);
}

/** Works like `apportion`, but no owner gets more than `left` has for it; the rest goes to the others. */
function fillBin(
  parts: readonly Uint32Array[],
  bin: number,
  count: number,
  left: Float64Array,
  weights: Float64Array,
  round: number,
): void {
  let total = 0;
  for (const weight of weights) total += weight;
  let [passed, given, rest] = [0, 0, count];
  const give = (i: number, most: number): void => {
    const part = Math.min(most, left[i]!, rest);
    parts[i]![bin]! += part;
    left[i]! -= part;
    rest -= part;
  };
  for (let i = 0; i < parts.length; i++) {
    passed += weights[i]!;
    const until = passed === total ? count : Math.floor((count * passed) / total + round);
    give(i, until - given);
    given = until;
  }
  for (let i = 0; i < parts.length && rest > 0; i++) give(i, rest);
}

const GOLDEN_RATIO = 0.6180339887;

/** Divides a sum in proportion to that of the drawn I/Os of each owner. */
function splitSum(
  sum: number,
  samples: readonly OwnerSample[],
  counts: readonly number[],
  name: Sum,
): number[] {
  const sampled = samples.map(({ totals }, i) => (totals[name] / totals.count) * counts[i]!);
  return apportion(sum, sampled.some((part) => part > 0) ? sampled : counts, 0.5);
}

/**
 * The largest value that is certain. The maximum of the summary belongs to the parts that have something in its bin.
 */
function largest(bins: Uint32Array, maxNs: number): number {
  const last = lastFilled(bins);
  if (last < 0) return 0;
  return last === fineBin(maxNs) ? maxNs : fineBinLow(last);
}
