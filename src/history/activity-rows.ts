import type { DiskActivity, ProcessActivity, Totals } from '../model/activity.ts';
import type { CompletionKey } from '../model/key-table.ts';
import { KeyMark, OTHER_COMM, ownerIsKnown } from '../model/key-table.ts';
import { ActivityRow } from './activity-group.ts';
import type { ActivityGroup } from './activity-group.ts';

/** Stands for the owner of I/O that was only counted. */
export const NO_DETAIL_COMM = '(no detail)';
/** Stands for the owner of I/O that was never seen at submission. */
export const UNKNOWN_COMM = '(unknown)';

export function ownerName(key: CompletionKey): string {
  if ((key.marks & KeyMark.noDetail) !== 0) return NO_DETAIL_COMM;
  if ((key.marks & KeyMark.other) !== 0) return OTHER_COMM;
  return ownerIsKnown(key) ? key.comm : UNKNOWN_COMM;
}

export class TotalsRow extends ActivityRow implements Totals {
  readonly p999Ns: number | undefined;

  constructor(group: ActivityGroup, spanNs: number) {
    super(group, spanNs);
    this.p999Ns = group.quantileNs(0.999);
  }
}

export interface ProcessGroup {
  readonly owner: CompletionKey;
  readonly group: ActivityGroup;
  isIndirect: boolean;
}

export class ProcessRow extends ActivityRow implements ProcessActivity {
  readonly tgid: number | undefined;
  readonly comm: string;
  readonly dev: number;
  readonly disk: string;
  readonly waitShare: number;
  readonly indirect: boolean;

  constructor(process: ProcessGroup, disk: string, spanNs: number, allWaitNs: number) {
    const { owner, group, isIndirect } = process;
    super(group, spanNs);
    this.tgid = ownerIsKnown(owner) ? owner.tgid : undefined;
    this.comm = ownerName(owner);
    this.dev = owner.dev;
    this.disk = disk;
    this.waitShare = allWaitNs > 0 ? group.waitNs / allWaitNs : 0;
    this.indirect = isIndirect;
  }
}

export interface DiskGroup {
  readonly dev: number;
  readonly group: ActivityGroup;
}

export interface DiskMeasurement {
  readonly disk: string;
  readonly utilization: number | undefined;
  readonly isUtilizationPartial: boolean;
}

export class DiskRow extends ActivityRow implements DiskActivity {
  readonly dev: number;
  readonly disk: string;
  readonly utilization: number | undefined;
  readonly isUtilizationPartial: boolean;
  readonly queueDepth: number;

  constructor({ dev, group }: DiskGroup, measured: DiskMeasurement, spanNs: number) {
    super(group, spanNs);
    this.dev = dev;
    this.disk = measured.disk;
    this.utilization = measured.utilization;
    this.isUtilizationPartial = measured.isUtilizationPartial;
    this.queueDepth = spanNs > 0 ? group.waitNs / spanNs : 0;
  }
}
