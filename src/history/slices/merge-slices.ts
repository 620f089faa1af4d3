import { FINE_BINS } from '../../model/fine-bins.ts';
import { entryLimits } from './identity-facts.ts';
import type { IdentityFacts } from './identity-facts.ts';
import { addDense, addDenseOffsets, PackedSlice, SliceWriter } from './packed-slice.ts';
import {
  createBinList,
  Field,
  FIELDS,
  FIRST_MAX_FIELD,
  METRIC_INDEX,
  SLICE_METRICS,
} from './slice.ts';
import type { Slice } from './slice.ts';

/**
 * Packs several slices into one over [startNs, endNs). Every count and total is kept. Of more than `identityCap`
 * identities, the busiest keep their own entries; the others are folded into those of their commands, of which the busiest
 * keep theirs, and the rest into the entry "other" of its device.
 */
export function mergeSlices(
  slices: readonly Slice[],
  startNs: number,
  endNs: number,
  facts: IdentityFacts,
  identityCap: number,
): PackedSlice {
  const sources = sortedSources(slices, foldedIdentities(slices, facts, identityCap));
  writer.clear();
  let run = 0;
  while (run < sources.length) {
    let next = run + 1;
    while (next < sources.length && sources[next]!.identity === sources[run]!.identity) next++;
    writeEntry(sources, run, next);
    run = next;
  }
  const hasAggregates = slices.some((slice) => slice.hasAggregates);
  return new PackedSlice(startNs, endNs, hasAggregates, writer);
}

/** Size of the scratch memory that is kept between merges. */
export function mergeMemoryBytes(): number {
  return writer.memoryBytes;
}

const writer = new SliceWriter();
const list = createBinList();
const dense = new Float64Array(FINE_BINS);
const sums = new Float64Array(FIELDS);

interface Source {
  /** The identity in whose entry the source is counted. */
  readonly identity: number;
  readonly slice: Slice;
  readonly entry: number;
}

function sortedSources(slices: readonly Slice[], folded: ReadonlyMap<number, number>): Source[] {
  const sources: Source[] = [];
  for (const slice of slices) {
    for (let entry = 0; entry < slice.entries; entry++) {
      const identity = slice.identity(entry);
      sources.push({ identity: countedIn(identity, folded), slice, entry });
    }
  }
  return sources.sort((a, b) => a.identity - b.identity);
}

/** What an identity is folded into may have lost its entry, too. */
function countedIn(identity: number, folded: ReadonlyMap<number, number>): number {
  const into = folded.get(identity);
  return into === undefined ? identity : countedIn(into, folded);
}

/** The identities that lose their own entry, and the identity in whose entry each is counted. */
function foldedIdentities(
  slices: readonly Slice[],
  facts: IdentityFacts,
  identityCap: number,
): ReadonlyMap<number, number> {
  const limits = entryLimits(identityCap);
  const counts = limits.map(() => new Map<number, number>());
  for (const slice of slices) {
    for (let entry = 0; entry < slice.entries; entry++) {
      const identity = slice.identity(entry);
      addTo(counts[facts.entryKind[identity]!]!, identity, slice.field(entry, Field.count));
    }
  }
  const folded = new Map<number, number>();
  for (const [kind, most] of limits.entries()) {
    for (const [identity, count] of beyond(counts[kind]!, most)) {
      const into = facts.folded(identity);
      folded.set(identity, into);
      addTo(counts[facts.entryKind[into]!]!, into, count);
    }
  }
  return folded;
}

function addTo(counts: Map<number, number>, identity: number, count: number): void {
  counts.set(identity, (counts.get(identity) ?? 0) + count);
}

/** All but the `most` largest. */
function beyond(counts: ReadonlyMap<number, number>, most: number): (readonly [number, number])[] {
  if (counts.size <= most) return [];
  return [...counts].sort(([, a], [, b]) => b - a).slice(most);
}

function writeEntry(sources: readonly Source[], from: number, to: number): void {
  const { identity, slice, entry } = sources[from]!;
  const shift = sumFields(sources, from, to);
  writer.addEntry(identity, shift, sums);
  for (let metric = 0; metric < SLICE_METRICS.length; metric++) {
    const filled =
      to - from === 1
        ? slice.readBins(entry, metric, list)
        : mergeBins(sources, from, to, metric, shift);
    writer.addBins(metric, list, filled);
  }
}

/** Adds the totals up in `sums`. Returns an offset shift that suits all sources. */
function sumFields(sources: readonly Source[], from: number, to: number): number {
  let shift = 0;
  sums.fill(0);
  for (let i = from; i < to; i++) {
    const { slice, entry } = sources[i]!;
    shift = Math.max(shift, slice.offsetShift(entry));
    for (let field = 0; field < FIELDS; field++) {
      const value = slice.field(entry, field);
      sums[field] = field < FIRST_MAX_FIELD ? sums[field]! + value : Math.max(sums[field]!, value);
    }
  }
  return shift;
}

function mergeBins(
  sources: readonly Source[],
  from: number,
  to: number,
  metric: number,
  shift: number,
): number {
  dense.fill(0);
  for (let i = from; i < to; i++) {
    const { slice, entry } = sources[i]!;
    if (metric === METRIC_INDEX.offset) addDenseOffsets(slice, entry, shift, dense);
    else addDense(slice, entry, metric, dense);
  }
  let filled = 0;
  for (let bin = 0; bin < FINE_BINS; bin++) {
    if (dense[bin] === 0) continue;
    list.bins[filled] = bin;
    list.counts[filled++] = dense[bin]!;
  }
  return filled;
}
