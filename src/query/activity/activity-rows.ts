import type { DiskActivity, ProcessActivity, Totals } from '../../model/activity.ts';
import { cgroupName } from '../../model/cgroup-names.ts';
import type { CgroupNames } from '../../model/cgroup-names.ts';
import { deviceName } from '../../model/device.ts';
import type { DeviceNames } from '../../model/device.ts';
import type { Identity } from '../../model/identity-table.ts';
import { cgroupOf, IdentityMark, OTHER_COMM, ownerIsKnown } from '../../model/identity-table.ts';
import type { Grouping } from '../../model/metric.ts';
import { ActivityRow } from './activity-group.ts';
import type { ActivityGroup } from './activity-group.ts';

/** Stands for the owner of I/O that was only counted. */
export const NO_DETAIL_COMM = '(no detail)';
/** Stands for the owner of I/O that was never seen at submission. */
export const UNKNOWN_COMM = '(unknown)';

export function ownerName(key: Identity): string {
  return ownerIsKnown(key) ? key.comm : placeholder(key);
}

/** Stands for whoever it was. */
export function placeholder({ marks }: Identity): string {
  if ((marks & IdentityMark.noDetail) !== 0) return NO_DETAIL_COMM;
  return (marks & IdentityMark.other) !== 0 ? OTHER_COMM : UNKNOWN_COMM;
}

export class TotalsRow extends ActivityRow implements Totals {
  readonly p999Ns: number | undefined;
  readonly hasQueue: boolean;

  /** `isTotal`: what stands for device times is from submission on. */
  constructor(group: ActivityGroup, spanNs: number, isTotal: boolean) {
    super(group, spanNs);
    this.p999Ns = group.quantileNs(0.999);
    this.hasQueue = isTotal || group.queueNs >= 0;
  }
}

export interface ProcessGroup {
  /** One of the keys that were added up: they differ in what the row is not about. */
  readonly owner: Identity;
  readonly group: ActivityGroup;
  readonly devs: Set<number>;
  isIndirect: boolean;
  /** Undefined when it is not known, or when there are several. */
  cgroup: number | undefined;
}

/** What names a row of the process table. */
export interface ProcessNames {
  readonly disks: DeviceNames;
  readonly cgroups: CgroupNames;
  readonly grouping: Grouping;
}

export class ProcessRow extends ActivityRow implements ProcessActivity {
  readonly tgid: number | undefined;
  readonly comm: string;
  readonly dev: number | undefined;
  readonly disk: string;
  readonly cgroup: number | undefined;
  readonly cgroupName: string | undefined;
  readonly waitShare: number;
  readonly indirect: boolean;

  constructor(process: ProcessGroup, names: ProcessNames, spanNs: number, allWaitNs: number) {
    const { owner, group, devs, isIndirect, cgroup } = process;
    super(group, spanNs);
    const isProcess = names.grouping !== 'cgroup';
    this.tgid = isProcess && ownerIsKnown(owner) ? owner.tgid : undefined;
    this.comm = isProcess ? ownerName(owner) : cgroupText(owner, names.cgroups);
    this.dev = devs.size === 1 ? owner.dev : undefined;
    this.disk = devs.size === 1 ? deviceName(names.disks, owner.dev) : `${devs.size} disks`;
    this.cgroup = cgroup;
    this.cgroupName = cgroup === undefined ? undefined : names.cgroups.name(cgroup);
    this.waitShare = allWaitNs > 0 ? group.waitNs / allWaitNs : 0;
    this.indirect = isIndirect;
  }
}

function cgroupText(key: Identity, names: CgroupNames): string {
  const cgroup = cgroupOf(key);
  return cgroup === undefined ? placeholder(key) : cgroupName(names, cgroup);
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
