import { group, term } from './filter.ts';
import type { Condition, Term } from './filter.ts';
import { SECTOR_BYTES } from '../model/completion-columns.ts';
import type { FieldName } from './fields.ts';
import type { AxisValues, Metric } from '../model/metric.ts';
import type { SizedDisk } from '../model/disk-shares.ts';

/** A part of the picture: a stretch of time and an interval of values of one metric. */
export interface Box extends ValuesInBox {
  readonly metric: Metric;
  /** Trace time in ns, [startNs, endNs). */
  readonly startNs: number;
  readonly endNs: number;
  /** In lanes, and only there: the filter terms of their subjects; empty for all I/O. */
  readonly where?: readonly Term[];
  /** In a map of two values, the range on its x axis. */
  readonly across?: ValuesInBox;
}

/** A range of values of a metric. */
export interface ValuesInBox {
  readonly metric: Metric;
  /**
   * In the metric's unit (ns, bytes, share), [low, high). `high` is Infinity if there is no upper end, as in the
   * outlier row.
   */
  readonly low: number;
  readonly high: number;
  /** The disks, if offsets are shares of the size of the disk that they are on. */
  readonly disks?: readonly SizedDisk[];
}

export interface ValueRange {
  readonly low: number;
  readonly high: number;
  /** For offsets: whether they are shares of the size of the disk that they are on, instead of bytes. */
  readonly isShare?: boolean;
}

export function axisValuesOf({ metric, disks }: Pick<ValuesInBox, 'metric' | 'disks'>): AxisValues {
  return disks === undefined ? metric : 'diskShare';
}

const FIELDS: Partial<Record<Metric, FieldName>> = {
  device: 'dlat',
  queue: 'qlat',
  total: 'lat',
  offset: 'offset',
  'file-offset': 'fileoffset',
  size: 'size',
};

/**
 * The conditions that the I/O of a box meets, except for its time; empty for utilization, which is a figure of a disk,
 * and for all lanes.
 */
export function boxConditions(box: Box): readonly Condition[] {
  // Lanes have I/O with any value, also with an unknown value.
  const values = box.where === undefined ? valueConditions(box) : [];
  return [...conditionsBesides(box), ...values];
}

/** The same without the condition on the values of the metric. */
export function conditionsBesides({ where = [], across }: Box): readonly Condition[] {
  return [...where, ...(across === undefined ? [] : valueConditions(across))];
}

/**
 * The conditions on a range of values. Times and sizes are whole numbers, so any edge between two of them means the
 * same.
 */
function valueConditions({ metric, low, high, disks }: ValuesInBox): readonly Condition[] {
  const field = FIELDS[metric];
  if (field === undefined) return [];
  if (disks !== undefined) return [sharesCondition(disks, { low, high })];
  const below = Number.isFinite(high) ? [term(field, '<', Math.ceil(high))] : [];
  return [term(field, '>=', Math.ceil(low)), ...below];
}

/** The condition for offsets in [low, high), as shares of the size of the disk that they are on. */
function sharesCondition(
  disks: readonly SizedDisk[],
  { low, high }: Pick<ValuesInBox, 'low' | 'high'>,
): Condition {
  const sizes = [...new Set(disks.map(({ sizeBytes }) => sizeBytes))];
  const [first, ...rest] = sizes.map((size) => {
    const ofSize = disks.filter(({ sizeBytes }) => sizeBytes === size);
    return group('and', [
      whichDisks(ofSize),
      term('offset', '>=', firstByte(low * size)),
      ...(Number.isFinite(high) ? [term('offset', '<', firstByte(high * size))] : []),
    ]);
  });
  return group('or', [first!, ...rest]);
}

/** The condition for these disks: by host and name, because two hosts may have disks of the same name. */
function whichDisks(disks: readonly SizedDisk[]): Condition {
  const hosts = [...new Set(disks.map(({ host }) => host))];
  const [first, ...rest] = hosts.map((host) => {
    const names = disks.filter((disk) => disk.host === host).map(({ name }) => name);
    const named = term('disk', '=', ...names);
    return host === undefined ? named : group('and', [named, term('host', '=', host)]);
  });
  return group('or', [first!, ...rest]);
}

/** The start of the next sector, except that a product of shares may be off by a rounding error. */
function firstByte(bytes: number): number {
  return Math.ceil(bytes / SECTOR_BYTES - 1e-6) * SECTOR_BYTES;
}
