import type { IdentityFacts } from './identity-facts.ts';
import type { CoarseningStep } from './coarsening.ts';
import { mergeMemoryBytes, mergeSlices } from './merge-slices.ts';
import type { PackedSlice } from './packed-slice.ts';
import type { Slice } from './slice.ts';

export interface PackedSlicesOptions {
  readonly facts: IdentityFacts;
  readonly sliceNs: number;
  /** Memory limit of all closed slices. */
  readonly packedBytes: number;
  /** Entries per slice, see `mergeSlices`. */
  readonly identityCap: number;
  readonly steps: readonly CoarseningStep[];
}

interface StepState {
  readonly widthNs: number;
  readonly ageNs: number;
  /** All slices that start before this time are at least as wide as this step requires. */
  doneNs: number;
}

/**
 * Closed slices in order of time, disjoint; stretches of time without I/O have none. Each step's width is a
 * multiple of the previous one, and slices are aligned to their width. So any two widths nest, and a widened slice
 * never cuts a neighbour.
 */
export class PackedSlices {
  private readonly slices: PackedSlice[] = [];
  private readonly steps: readonly StepState[];
  private readonly options: PackedSlicesOptions;
  private sliceBytes = 0;
  /** End of the slices that were merged in addition to all steps, because memory was still short. */
  private unitedUntilNs = -Infinity;

  constructor(options: PackedSlicesOptions) {
    this.options = options;
    this.steps = options.steps.map(({ width, age }) => ({
      widthNs: width * options.sliceNs,
      ageNs: age * options.sliceNs,
      doneNs: -Infinity,
    }));
  }

  get memoryBytes(): number {
    return this.sliceBytes + mergeMemoryBytes();
  }

  /** From this time on, no slice is wider than the finest ones; the edge of a slice. */
  get finestFromNs(): number {
    return Math.max(this.unitedUntilNs, ...this.steps.map(({ doneNs }) => doneNs));
  }

  /** Merges a slice into the closed one that contains its time, or inserts it. */
  add(slice: Slice): void {
    const at = this.indexAfter(slice.startNs);
    const existing = this.slices[at];
    if (existing !== undefined && existing.startNs <= slice.startNs) {
      this.replace(at, 1, this.merge([existing, slice], existing.startNs, existing.endNs));
      return;
    }
    const widthNs = this.widthAt(slice.startNs);
    const startNs = Math.floor(slice.startNs / widthNs) * widthNs;
    this.replace(at, 0, this.merge([slice], startNs, startNs + widthNs));
  }

  private merge(slices: readonly Slice[], startNs: number, endNs: number): PackedSlice {
    return mergeSlices(slices, startNs, endNs, this.options.facts, this.options.identityCap);
  }

  private replace(at: number, removed: number, by: PackedSlice): void {
    for (let i = at; i < at + removed; i++) this.sliceBytes -= this.slices[i]!.memoryBytes;
    this.slices.splice(at, removed, by);
    this.sliceBytes += by.memoryBytes;
  }

  /** Width of the slices at a moment: a slice that arrives late must not be narrower than its neighbours. */
  private widthAt(atNs: number): number {
    const step = this.steps.findLast(({ doneNs }) => atNs < doneNs);
    return step?.widthNs ?? this.options.sliceNs;
  }

  /** Index of the first slice that ends after a moment. */
  private indexAfter(atNs: number): number {
    let low = 0;
    let high = this.slices.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (this.slices[middle]!.endNs > atNs) high = middle;
      else low = middle + 1;
    }
    return low;
  }

  *overlapping(startNs: number, endNs: number): Generator<PackedSlice> {
    for (let i = this.indexAfter(startNs); i < this.slices.length; i++) {
      const slice = this.slices[i]!;
      if (slice.startNs >= endNs) return;
      yield slice;
    }
  }

  /** Widens slices that are old enough, and further ones while they use too much memory. */
  coarsen(nowNs: number): void {
    for (const step of this.steps) {
      while (this.nextGroupNs(step) + step.widthNs + step.ageNs <= nowNs) this.widen(step);
    }
    let isShrinking = true;
    while (isShrinking && this.sliceBytes > this.options.packedBytes) {
      isShrinking = this.widenOldest(nowNs);
    }
  }

  /** Start of the next stretch of a step's width that has slices; Infinity at the end. */
  private nextGroupNs(step: StepState): number {
    const next = this.slices[this.indexAfter(step.doneNs)];
    return next === undefined ? Infinity : Math.floor(next.startNs / step.widthNs) * step.widthNs;
  }

  private widen(step: StepState): void {
    const startNs = this.nextGroupNs(step);
    const endNs = startNs + step.widthNs;
    const from = this.indexAfter(startNs);
    const first = this.slices[from]!;
    step.doneNs = Math.max(endNs, first.endNs);
    if (first.endNs >= endNs && first.startNs <= startNs) return;
    let to = from + 1;
    while (to < this.slices.length && this.slices[to]!.startNs < endNs) to++;
    this.unite(from, to, startNs, endNs);
  }

  private unite(from: number, to: number, startNs: number, endNs: number): void {
    const group = this.slices.slice(from, to);
    this.replace(from, to - from, this.merge(group, startNs, endNs));
  }

  /**
   * Coarsens ahead of time: takes the step that is the least too early; when no step is left, merges the two oldest
   * slices. False when nothing can be merged.
   */
  private widenOldest(nowNs: number): boolean {
    let best: StepState | undefined;
    let bestRatio = -Infinity;
    for (const step of this.steps) {
      const ratio = (nowNs - this.nextGroupNs(step)) / step.ageNs;
      if (ratio > bestRatio) [best, bestRatio] = [step, ratio];
    }
    if (best !== undefined) this.widen(best);
    else if (this.slices.length > 1) {
      this.unitedUntilNs = this.slices[1]!.endNs;
      this.unite(0, 2, this.slices[0]!.startNs, this.slices[1]!.endNs);
    } else return false;
    return true;
  }
}
