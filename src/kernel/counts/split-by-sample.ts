import { fineBin, fineBinLow, lastFilled } from '../../model/fine-bins.ts';
import type { CompletionSummary } from '../../trace/completion-summary.ts';
import type { CellSample, OwnerSample } from './owner-samples.ts';

type Histogram = 'device' | 'queue' | 'total' | 'size' | 'offset';
type Sum = 'bytes' | 'deviceNsSum' | 'queueNsSum';

/**
 * Divides a summary among the owners of a sample of the same I/O. Every count and every bin of the parts adds up to
 * that of the summary; what each owner gets is an estimate, whose variance is in the part. `round`, from 0 to 1, decides
 * how fractions of I/Os are rounded: with evenly distributed numbers, no owner gains by it.
 *
 * Where failed I/O was only counted and none was drawn, nothing is divided, because nobody knows whose it was.
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
 * Of the number of I/Os of an owner among `count` that were not drawn, when `own` of `drawn` that were are its own. One
 * more and one less than were seen keep it above 0 where all or none were its own. What was divided by the same sample before
 * (`spent`) is off to the same side, so that this part adds more than it would alone: (spent + count)² - spent².
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
 * Divides bins in proportion to those of the samples, from the last bin on: what has to give way because an owner has
 * all its I/Os is among the smallest values.
 */
function splitBins(
  bins: Uint32Array,
  shapes: readonly Uint32Array[],
  counts: readonly number[],
  round: number,
): Uint32Array[] {
  if (shapes.length === 1) return [bins];
  // In one piece of memory: dozens of pieces for each histogram would be most of what is collected as garbage.
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

/** By what the samples have in the bin; where they have nothing, by what is left of each owner. */
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

/** As `apportion`, but nobody gets more than is left of it; the rest goes to the others. */
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

/** In proportion to what the drawn I/Os of each owner have. */
function splitSum(
  sum: number,
  samples: readonly OwnerSample[],
  counts: readonly number[],
  name: Sum,
): number[] {
  const sampled = samples.map(({ totals }, i) => (totals[name] / totals.count) * counts[i]!);
  return apportion(sum, sampled.some((part) => part > 0) ? sampled : counts, 0.5);
}

/** The largest value that the bins can have, as far as it is certain: that of the whole is of the part with its bin. */
function largest(bins: Uint32Array, maxNs: number): number {
  const last = lastFilled(bins);
  if (last < 0) return 0;
  return last === fineBin(maxNs) ? maxNs : fineBinLow(last);
}
