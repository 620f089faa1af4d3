import type { ValueRange } from '../../filter/box.ts';
import type { CompiledFilter } from '../../filter/match/match.ts';
import type { History } from '../../history/history.ts';
import type { Past } from '../../history/scan/visitor.ts';
import type { Interval } from '../axis/scale.ts';
import { DiskShares, disksOfDifferentSize, sizedDisks } from '../../model/disk-shares.ts';
import type { IdentityTable } from '../../model/identity-table.ts';
import type { Metric, OutlierCut, ScaleKind, Weight } from '../../model/metric.ts';

/** The part of the history that a heat map reads. */
export type HeatmapData = Past & Pick<History, 'rows' | 'busySeries' | 'utilization'>;

/** A disk whose I/O may be in the picture. */
export interface HeatmapDisk {
  readonly dev: number;
  readonly name?: string;
  readonly host?: string;
  readonly sizeBytes?: number;
}

/** What to show, apart from the time. */
export interface HeatmapSpec {
  readonly metric: Metric;
  /** Offset and utilization always have a linear scale. */
  readonly scale: ScaleKind;
  readonly outlierCut: OutlierCut;
  /** The y axis that a person chose, in the metric's unit; if absent, the axis fits what is visible. */
  readonly valueRange?: ValueRange | undefined;
  /** Whether an axis that was fitted for this time stays: I/O that comes late would move the others under the cross-hair. */
  readonly holdsAxis?: boolean;
  /** What an I/O adds to its pixel; if absent, one. Utilization always counts disks. */
  readonly weight?: Weight | undefined;
  readonly columnNs: number;
  readonly columns: number;
  readonly bins: number;
  readonly filter: CompiledFilter;
  /** Disks that match the filter: the axis of offset and the counts of utilization are based on them. */
  readonly disks: readonly HeatmapDisk[];
  /** If present, offsets are shares of the size of the disk that they are on, instead of bytes. */
  readonly shares?: DiskShares | undefined;
  /** If present, the part of the I/O that is highlighted. */
  readonly highlight?: CompiledFilter | undefined;
  /** If present, the domain of another map, on whose axis this map is drawn. */
  readonly domain?: Interval | undefined;
}

/** Whether both show the same I/O on an axis of the same kind: only the number of pixels differs. */
export function isSameQuestion(a: HeatmapSpec, b: HeatmapSpec): boolean {
  return (
    a.metric === b.metric &&
    a.scale === b.scale &&
    weightOf(a) === weightOf(b) &&
    a.outlierCut === b.outlierCut &&
    a.domain?.low === b.domain?.low &&
    a.domain?.high === b.domain?.high &&
    a.valueRange?.low === b.valueRange?.low &&
    a.valueRange?.high === b.valueRange?.high &&
    a.columnNs === b.columnNs &&
    a.filter === b.filter &&
    (a.metric !== 'offset' || isSameShares(a, b)) &&
    (!dependsOnDisks(a.metric) || isSameDisks(a.disks, b.disks))
  );
}

/** Whether the same values are visible, however they are drawn. */
export function isSameValues(a: HeatmapSpec, b: HeatmapSpec): boolean {
  return (
    a.metric === b.metric &&
    a.columnNs === b.columnNs &&
    a.columns === b.columns &&
    a.filter === b.filter
  );
}

export function isSameSize(a: HeatmapSpec, b: HeatmapSpec): boolean {
  return a.columns === b.columns && a.bins === b.bins;
}

export function weightOf({ metric, weight = 'count' }: HeatmapSpec): Weight {
  return metric === 'utilization' ? 'count' : weight;
}

function dependsOnDisks(metric: Metric): boolean {
  return metric === 'offset' || metric === 'utilization';
}

/**
 * Where disks differ in size, offsets become shares of their disks. An axis that a person chose keeps its unit, also
 * when other disks are shown; if the size of a disk is no longer known, a range of shares has no meaning.
 */
export function withShares(
  spec: HeatmapSpec,
  identities: Pick<IdentityTable, 'get' | 'size'>,
): HeatmapSpec {
  const { metric, disks, valueRange } = spec;
  const chosen = metric === 'offset' ? valueRange : undefined;
  if (chosen !== undefined && chosen.isShare !== true) return spec;
  const sized = chosen === undefined ? disksOfDifferentSize(disks) : sizedDisks(disks);
  if (sized !== undefined) return { ...spec, shares: new DiskShares(sized, identities) };
  return chosen === undefined ? spec : { ...spec, valueRange: undefined };
}

/** Whether offsets have the same position on their axis in both. */
export function isSameShares(a: HeatmapSpec, b: HeatmapSpec): boolean {
  if (a.shares === undefined || b.shares === undefined) return a.shares === b.shares;
  return isSameDisks(a.shares.disks, b.shares.disks);
}

function isSameDisks(a: readonly HeatmapDisk[], b: readonly HeatmapDisk[]): boolean {
  return (
    a.length === b.length &&
    a.every((disk, i) => disk.dev === b[i]!.dev && disk.sizeBytes === b[i]!.sizeBytes)
  );
}

/** Size of the largest disk; undefined unless every size is known. */
export function largestDiskBytes(disks: readonly HeatmapDisk[]): number | undefined {
  let largest = 0;
  for (const { sizeBytes } of disks) {
    if (sizeBytes === undefined) return undefined;
    largest = Math.max(largest, sizeBytes);
  }
  return largest > 0 ? largest : undefined;
}
