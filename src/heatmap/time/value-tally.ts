import { FINE_BINS } from '../../model/fine-bins.ts';
import { Verdict } from '../../filter/verdict.ts';
import { floatOf, INFINITY_BITS } from './value-codes.ts';
import type { ValueCodes } from './value-codes.ts';

/** The columns of a heat map to which a tally is added. */
export interface TalliedColumns {
  readonly bins: number;
  readonly stride: number;
  readonly counts: Uint32Array;
  readonly weights: Float64Array | undefined;
  readonly columnMax: Float64Array;
  readonly fineCounts: Uint32Array;
}

/** Number of verdicts from which those of the whole block are predicted. */
const PROBED = 128;
/** If fewer than one in this many match, branches are predictable and skip most of the work. */
const FEW = 16;

function areFew(verdicts: Uint8Array): boolean {
  let open = 0;
  for (let i = 0; i < Math.min(PROBED, verdicts.length); i++) open += verdicts[i]! & 1;
  return open * FEW < PROBED;
}

/**
 * Counts float values of one column by their code, and adds them to the bins of a map at the end. There are no
 * branches, because neither values nor verdicts are predictable: this is four times as fast as searching for the bin
 * of each.
 */
export class ValueTally {
  readonly codes: ValueCodes;
  private readonly counts: Uint32Array;
  private readonly weights: Float64Array;
  private undecided = 0;
  /** Bits of the largest value, plus one; 0 when there is none. */
  private most = 0;

  constructor(codes: ValueCodes) {
    this.codes = codes;
    this.counts = new Uint32Array(codes.fineOf.length);
    this.weights = new Float64Array(codes.fineOf.length);
  }

  /** Counts all values, given as float bits. */
  addAll(bits: Int32Array): void {
    const { counts } = this;
    const { shift, codeOf, limits } = this.codes;
    let { most } = this;
    for (let i = 0; i < bits.length; i++) {
      const value = bits[i]!;
      const upper = value >>> shift;
      counts[codeOf[upper]! + ((limits[upper]! - value) >>> 31)]!++;
      if (value >= most && value <= INFINITY_BITS) most = value + 1;
    }
    this.most = most;
  }

  /** Counts the values whose verdict is `yes`. */
  addJudged(bits: Int32Array, verdicts: Uint8Array): void {
    if (areFew(verdicts)) this.addFew(bits, verdicts);
    else this.addMany(bits, verdicts);
  }

  private addFew(bits: Int32Array, verdicts: Uint8Array): void {
    const { counts } = this;
    const { shift, codeOf, limits } = this.codes;
    for (let i = 0; i < bits.length; i++) {
      const verdict = verdicts[i]!;
      if (verdict === Verdict.no) continue;
      if (verdict === Verdict.maybe) {
        this.undecided++;
        continue;
      }
      const value = bits[i]!;
      const upper = value >>> shift;
      counts[codeOf[upper]! + ((limits[upper]! - value) >>> 31)]!++;
      if (value >= this.most && value <= INFINITY_BITS) this.most = value + 1;
    }
  }

  private addMany(bits: Int32Array, verdicts: Uint8Array): void {
    const { counts } = this;
    const { shift, codeOf, limits } = this.codes;
    let { most, undecided } = this;
    for (let i = 0; i < bits.length; i++) {
      const value = bits[i]!;
      const upper = value >>> shift;
      const passes = verdicts[i]! >> 1;
      undecided += (verdicts[i]! & 1) - passes;
      counts[codeOf[upper]! + ((limits[upper]! - value) >>> 31)]! += passes;
      const reached = (value + 1) & -passes;
      if (reached > most && value <= INFINITY_BITS) most = reached;
    }
    this.most = most;
    this.undecided = undecided;
  }

  /** Adds the weights of values that were counted before. */
  addWeights(bits: Int32Array, verdicts: Uint8Array | undefined, rowWeights: Float64Array): void {
    const { weights } = this;
    const { shift, codeOf, limits } = this.codes;
    for (let i = 0; i < bits.length; i++) {
      if (verdicts !== undefined && verdicts[i] !== Verdict.yes) continue;
      const value = bits[i]!;
      const upper = value >>> shift;
      weights[codeOf[upper]! + ((limits[upper]! - value) >>> 31)]! += rowWeights[i]!;
    }
  }

  /** Adds everything to a column of `map`, whose scale must be that of the codes, and empties the tally. */
  moveInto(map: TalliedColumns, slot: number): void {
    const { counts, weights } = this;
    const { fineOf, binOf } = this.codes;
    const base = slot * map.stride + 1;
    let measured = 0;
    for (let code = 0; code < counts.length; code++) {
      const count = counts[code]!;
      if (count === 0) continue;
      counts[code] = 0;
      const fine = fineOf[code]!;
      const bin = fine < 0 ? map.bins + 1 : binOf[code]!;
      map.counts[base + bin]! += count;
      if (fine < 0) continue;
      measured += count;
      map.fineCounts[slot * FINE_BINS + fine]! += count;
      if (map.weights !== undefined) map.weights[base + bin]! += weights[code]!;
    }
    if (map.weights !== undefined) weights.fill(0);
    map.counts[base + map.bins + 2]! += this.undecided;
    const max = this.most > 0 ? floatOf(this.most - 1) : 0;
    if (measured > 0 && max > map.columnMax[slot]!) map.columnMax[slot] = max;
    this.undecided = 0;
    this.most = 0;
  }
}
