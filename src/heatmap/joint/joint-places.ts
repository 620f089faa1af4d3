import { SECTOR_BYTES } from '../../model/completion-columns.ts';
import type { CompletionColumns } from '../../model/completion-columns.ts';
import type { DiskShares } from '../../model/disk-shares.ts';
import { fineBin } from '../../model/fine-bins.ts';
import { BLOCK_ROWS, fineBinOfFloat } from '../time/binning.ts';
import type { Heatmap } from '../time/heatmap.ts';
import type { Scale } from '../axis/scale.ts';
import type { ValueCodes } from '../time/value-codes.ts';

/** Metrics of the x axis in a map of two values. */
export type AcrossMetric = 'size' | 'offset';

/** Where the matching rows of a block are in a map of two values. */
export interface JointPlaces {
  /** Row numbers, relative to the start of the block. */
  readonly rows: Uint16Array;
  /** 0 to the number of columns, which means left of the axis; one more means right of it. */
  readonly columns: Int16Array;
  /** Fine bins of the x values, −1 without a value. */
  readonly acrossFines: Int16Array;
  /** Bin + 1: 0 means below the axis. */
  readonly bins: Int16Array;
  /** Fine bins of the y values, −1 without a value. */
  readonly fines: Int16Array;
}

export function createJointPlaces(): JointPlaces {
  return {
    rows: new Uint16Array(BLOCK_ROWS),
    columns: new Int16Array(BLOCK_ROWS),
    acrossFines: new Int16Array(BLOCK_ROWS),
    bins: new Int16Array(BLOCK_ROWS),
    fines: new Int16Array(BLOCK_ROWS),
  };
}

/** Finds the x positions of `count` rows of the block that starts at row `from`. */
export function findAcross(
  into: JointPlaces,
  { acrossMetric, across, shares }: AcrossAxis,
  columns: CompletionColumns,
  from: number,
  count: number,
): void {
  if (acrossMetric === 'size') findSizes(into, knownSizes(across), columns.bytes, from, count);
  else findOffsets(into, across, columns, from, count, shares?.bytesOf);
}

interface AcrossAxis {
  readonly acrossMetric: AcrossMetric;
  readonly across: Scale;
  readonly shares?: DiskShares | undefined;
}

const SIZE_SHIFT = 9;
const SIZE_REST = (1 << SIZE_SHIFT) - 1;
const KNOWN_SIZES = 1 << 14;
const UNKNOWN = -1;

/** Columns and fine bins by size in sectors, filled on demand. */
interface KnownSizes {
  readonly scale: Scale;
  readonly columns: Int16Array;
  readonly fines: Int16Array;
}

const sizesByScale = new WeakMap<Scale, KnownSizes>();

function knownSizes(scale: Scale): KnownSizes {
  const known = sizesByScale.get(scale);
  if (known !== undefined) return known;
  const columns = new Int16Array(KNOWN_SIZES).fill(UNKNOWN);
  const created = { scale, columns, fines: new Int16Array(KNOWN_SIZES) };
  sizesByScale.set(scale, created);
  return created;
}

/** Nearly all sizes are whole sectors, and there are few different ones. */
function findSizes(
  { rows, columns, acrossFines }: JointPlaces,
  known: KnownSizes,
  bytes: Uint32Array,
  from: number,
  count: number,
): void {
  const { columns: knownColumns, fines: knownFines } = known;
  for (let i = 0; i < count; i++) {
    const size = bytes[from + rows[i]!]!;
    const sectors = size >>> SIZE_SHIFT;
    if ((size & SIZE_REST) !== 0 || sectors >= KNOWN_SIZES) {
      columns[i] = columnOf(known.scale, size);
      acrossFines[i] = fineBin(size);
      continue;
    }
    if (knownColumns[sectors] === UNKNOWN) learn(known, sectors);
    columns[i] = knownColumns[sectors]!;
    acrossFines[i] = knownFines[sectors]!;
  }
}

/** A flush has neither size nor offset. */
function learn({ scale, columns, fines }: KnownSizes, sectors: number): void {
  const size = sectors * 2 ** SIZE_SHIFT;
  columns[sectors] = columnOf(scale, size);
  fines[sectors] = size > 0 ? fineBin(size) : -1;
}

function columnOf(scale: Scale, value: number): number {
  const column = scale.binOf(value);
  if (column < 0) return scale.bins;
  return column < scale.bins ? column : scale.bins + 1;
}

/**
 * The axis of offsets is linear; fine bins are not needed for it. `diskBytes`: by identity, where offsets are shares
 * of their disks.
 */
function findOffsets(
  { rows, columns, acrossFines }: JointPlaces,
  scale: Scale,
  { sector, identity }: CompletionColumns,
  from: number,
  count: number,
  diskBytes: Float64Array | undefined,
): void {
  const { domain, edges, bins } = scale;
  const { low, high } = domain;
  const perUnit = bins / (high - low);
  for (let i = 0; i < count; i++) {
    const row = from + rows[i]!;
    const bytes = sector[row]! * SECTOR_BYTES;
    const value = diskBytes === undefined ? bytes : bytes / diskBytes[identity[row]!]!;
    acrossFines[i] = Number(value >= 0) - 1;
    let column = bins + 1;
    if (!(value >= low)) column = bins;
    else if (value < high) {
      // Rounding of the product may cross an edge.
      column = Math.min(bins - 1, ((value - low) * perUnit) | 0);
      if (value < edges[column]!) column--;
      if (value >= edges[column + 1]!) column++;
    }
    columns[i] = column;
  }
}

/** Finds the bins of `count` rows from the values of the block. */
export function findBins(
  into: JointPlaces,
  map: Heatmap,
  values: Float32Array,
  count: number,
): void {
  const codes = map.tally?.codes;
  const bits = new Int32Array(values.buffer, values.byteOffset, values.length);
  if (codes === undefined) findNarrowBins(into, map, values, bits, count);
  else findCodedBins(into, codes, bits, count);
}

function findCodedBins(
  { rows, bins, fines }: JointPlaces,
  { shift, codeOf, limits, binOf, fineOf }: ValueCodes,
  bits: Int32Array,
  count: number,
): void {
  for (let i = 0; i < count; i++) {
    const value = bits[rows[i]!]!;
    const upper = value >>> shift;
    const code = codeOf[upper]! + ((limits[upper]! - value) >>> 31);
    bins[i] = binOf[code]! + 1;
    fines[i] = fineOf[code]!;
  }
}

/** As `findBins`, for bins that are too narrow for value codes. */
function findNarrowBins(
  { rows, bins, fines }: JointPlaces,
  { scale }: Heatmap,
  values: Float32Array,
  bits: Int32Array,
  count: number,
): void {
  for (let i = 0; i < count; i++) {
    const value = values[rows[i]!]!;
    const fine = fineBinOfFloat(value, bits[rows[i]!]!);
    fines[i] = fine;
    bins[i] = fine < 0 ? 0 : scale.binOf(value) + 1;
  }
}
