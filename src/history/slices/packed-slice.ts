import { createBinList, FIELDS, METRIC_INDEX, SLICE_METRICS } from './slice.ts';
import type { BinList, Slice } from './slice.ts';

const METRICS = SLICE_METRICS.length;

/** Memory of a slice in addition to its contents: the objects for a buffer and five views of it. */
const OVERHEAD_BYTES = 1024;

/**
 * A closed slice in one buffer: totals, identities and an index per entry, then the histograms as pairs of (distance
 * to the previous non-empty bin, count) in base-128 digits, low digit first. Entries are in ascending order of
 * identities.
 */
export class PackedSlice implements Slice {
  readonly startNs: number;
  readonly endNs: number;
  readonly hasAggregates: boolean;
  readonly entries: number;
  readonly memoryBytes: number;
  private readonly fields: Float64Array;
  private readonly identities: Uint32Array;
  /** By entry and metric, the first byte of the histogram; plus one value for the end. */
  private readonly index: Uint32Array;
  private readonly shifts: Uint8Array;
  private readonly bytes: Uint8Array;

  constructor(startNs: number, endNs: number, hasAggregates: boolean, from: SliceWriter) {
    const entries = from.entries;
    this.startNs = startNs;
    this.endNs = endNs;
    this.hasAggregates = hasAggregates;
    this.entries = entries;
    const fieldBytes = entries * FIELDS * 8;
    const keyBytes = entries * 4;
    const indexBytes = (entries * METRICS + 1) * 4;
    const fixedBytes = fieldBytes + keyBytes + indexBytes + entries;
    const buffer = new ArrayBuffer(fixedBytes + from.usedBytes);
    this.fields = new Float64Array(buffer, 0, entries * FIELDS);
    this.identities = new Uint32Array(buffer, fieldBytes, entries);
    this.index = new Uint32Array(buffer, fieldBytes + keyBytes, entries * METRICS + 1);
    this.shifts = new Uint8Array(buffer, fieldBytes + keyBytes + indexBytes, entries);
    this.bytes = new Uint8Array(buffer, fixedBytes, from.usedBytes);
    this.fields.set(from.fields.subarray(0, entries * FIELDS));
    this.identities.set(from.identities.subarray(0, entries));
    this.index.set(from.index.subarray(0, entries * METRICS + 1));
    this.shifts.set(from.shifts.subarray(0, entries));
    this.bytes.set(from.bytes.subarray(0, from.usedBytes));
    this.memoryBytes = buffer.byteLength + OVERHEAD_BYTES;
  }

  identity(entry: number): number {
    return this.identities[entry]!;
  }

  field(entry: number, field: number): number {
    return this.fields[entry * FIELDS + field]!;
  }

  offsetShift(entry: number): number {
    return this.shifts[entry]!;
  }

  readBins(entry: number, metric: number, into: BinList): number {
    const { bytes } = this;
    const { bins, counts } = into;
    let at = this.index[entry * METRICS + metric]!;
    const end = this.index[entry * METRICS + metric + 1]!;
    let bin = -1;
    let filled = 0;
    while (at < end) {
      let digit = bytes[at++]!;
      bin += digit & 127;
      if (digit > 127) bin += bytes[at++]! * 128;
      digit = bytes[at++]!;
      let count = digit & 127;
      for (let weight = 128; digit > 127; weight *= 128) {
        digit = bytes[at++]!;
        count += (digit & 127) * weight;
      }
      bins[filled] = bin;
      counts[filled++] = count;
    }
    return filled;
  }
}

/** Collects the contents of a slice; reused from slice to slice. */
export class SliceWriter {
  entries = 0;
  usedBytes = 0;
  fields = new Float64Array(16 * FIELDS);
  identities = new Uint32Array(16);
  index = new Uint32Array(16 * METRICS + 1);
  shifts = new Uint8Array(16);
  bytes = new Uint8Array(4096);

  get memoryBytes(): number {
    return (
      this.fields.byteLength +
      this.identities.byteLength +
      this.index.byteLength +
      this.shifts.byteLength +
      this.bytes.byteLength
    );
  }

  clear(): void {
    this.entries = 0;
    this.usedBytes = 0;
  }

  /** Starts an entry. Its histograms must follow, each once, in the order of `SLICE_METRICS`. */
  addEntry(identity: number, offsetShift: number, fields: Float64Array): void {
    const entry = this.entries++;
    if (entry === this.identities.length) this.growEntries();
    this.identities[entry] = identity;
    this.shifts[entry] = offsetShift;
    this.fields.set(fields, entry * FIELDS);
  }

  addBins(metric: number, list: BinList, filled: number): void {
    this.ensureBytes(filled * MAX_PAIR_BYTES);
    let last = -1;
    for (let i = 0; i < filled; i++) {
      const bin = list.bins[i]!;
      this.writeNumber(bin - last);
      this.writeNumber(list.counts[i]!);
      last = bin;
    }
    this.index[(this.entries - 1) * METRICS + metric + 1] = this.usedBytes;
  }

  private writeNumber(value: number): void {
    let rest = value;
    while (rest > 127) {
      this.bytes[this.usedBytes++] = (rest % 128) + 128;
      rest = Math.floor(rest / 128);
    }
    this.bytes[this.usedBytes++] = rest;
  }

  private ensureBytes(room: number): void {
    if (this.usedBytes + room <= this.bytes.length) return;
    const larger = new Uint8Array(Math.max(this.bytes.length * 2, this.usedBytes + room));
    larger.set(this.bytes);
    this.bytes = larger;
  }

  private growEntries(): void {
    const capacity = this.identities.length * 2;
    const { fields, identities, index, shifts } = this;
    this.fields = new Float64Array(capacity * FIELDS);
    this.fields.set(fields);
    this.identities = new Uint32Array(capacity);
    this.identities.set(identities);
    this.index = new Uint32Array(capacity * METRICS + 1);
    this.index.set(index);
    this.shifts = new Uint8Array(capacity);
    this.shifts.set(shifts);
  }
}

/** Two bytes for the distance, and eight for a count below 2^53. */
const MAX_PAIR_BYTES = 10;

/** Adds the bins of an entry's metric to dense counts; returns their sum. */
export function addDense(slice: Slice, entry: number, metric: number, into: Float64Array): number {
  const filled = slice.readBins(entry, metric, scratch);
  let sum = 0;
  for (let i = 0; i < filled; i++) {
    const count = scratch.counts[i]!;
    into[scratch.bins[i]!]! += count;
    sum += count;
  }
  return sum;
}

const scratch = createBinList();

/** Adds an entry's offset bins to dense bins of 2^`shift` sectors, which must not be narrower. */
export function addDenseOffsets(
  slice: Slice,
  entry: number,
  shift: number,
  into: Float64Array,
): void {
  const filled = slice.readBins(entry, METRIC_INDEX.offset, scratch);
  const by = shift - slice.offsetShift(entry);
  for (let i = 0; i < filled; i++) into[scratch.bins[i]! >> by]! += scratch.counts[i]!;
}
