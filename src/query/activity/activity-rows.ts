import { NS_PER_SECOND } from '../../base/time.ts';
import type {
  Activity,
  DiskActivity,
  DiskInFlight,
  ProcessActivity,
  Totals,
  TailSplit,
} from '../../model/activity.ts';
import { cgroupName } from '../../model/cgroup-names.ts';
import { userText } from '../../model/known-processes.ts';
import { deviceName, hostNumberOf } from '../../model/device.ts';
import type { IdentityNames } from '../../model/identity-names.ts';
import { fileText, folderText } from '../../model/file.ts';
import type { Identity } from '../../model/identity.ts';
import type { IdentityTable } from '../../model/identity-table.ts';
import {
  cgroupOf,
  commandIsKnown,
  IdentityMark,
  OTHER_COMM,
  ownerIsKnown,
  threadKind,
  tidOf,
} from '../../model/identity.ts';
import type { Layer } from '../../model/layer.ts';
import { stalledShares, type KnownPressure, type Stalled } from '../../model/pressure.ts';
import { isOfFiles } from '../../model/metric.ts';
import type { Grouping, Latency } from '../../model/metric.ts';
import { READ, WRITE } from '../tally/tally.ts';
import type { Tally } from '../tally/tally.ts';

/** Shown as the owner of aggregated I/O. */
const NO_DETAIL_COMM = '(no detail)';
/** Shown as the owner of I/O whose submission ioheat did not see. */
export const UNKNOWN_COMM = '(unknown)';

export function ownerName(identity: Identity): string {
  return commandIsKnown(identity) ? identity.comm : placeholder(identity);
}

/** The name to show for an unknown owner. */
export function placeholder({ marks }: Identity): string {
  if ((marks & IdentityMark.noDetail) !== 0) return NO_DETAIL_COMM;
  return (marks & IdentityMark.other) !== 0 ? OTHER_COMM : UNKNOWN_COMM;
}

/** A tally row as a table row. It is a class because spreading plain objects takes 5 µs per row. */
class ActivityRow implements Activity {
  readonly readsPerSecond: number | undefined;
  readonly writesPerSecond: number | undefined;
  readonly othersPerSecond: number;
  readonly readBytesPerSecond: number | undefined;
  readonly writtenBytesPerSecond: number | undefined;
  readonly undividedBytesPerSecond: number | undefined;
  readonly p50Ns: number | undefined;
  readonly p99Ns: number | undefined;
  readonly maxNs: number | undefined;
  readonly queueShare: number | undefined;
  readonly errors: number | undefined;
  readonly margin: number | undefined;

  constructor(tally: Tally, row: number, spanNs: number) {
    const perSecond = spanNs > 0 ? NS_PER_SECOND / spanNs : 0;
    const isDivided = !tally.lacksOperations(row);
    const hasSizes = !tally.lacksSizes(row);
    const undivided = tally.undividedBytes(row);
    this.readsPerSecond = isDivided ? tally.count(row, READ) * perSecond : undefined;
    this.writesPerSecond = isDivided ? tally.count(row, WRITE) * perSecond : undefined;
    this.othersPerSecond = tally.otherCount(row) * perSecond;
    const areBytesDivided = isDivided && hasSizes;
    this.readBytesPerSecond = areBytesDivided ? tally.bytes(row, READ) * perSecond : undefined;
    this.writtenBytesPerSecond = areBytesDivided ? tally.bytes(row, WRITE) * perSecond : undefined;
    this.undividedBytesPerSecond = undivided > 0 ? undivided * perSecond : undefined;
    this.p50Ns = tally.latencies.quantileNs(row, 0.5);
    this.p99Ns = tally.latencies.quantileNs(row, 0.99);
    this.maxNs = tally.latencies.maxNs(row);
    const [waitNs, queueNs] = [tally.totalWaitNs(row), tally.queueNs(row)];
    this.queueShare = waitNs > 0 && queueNs !== undefined ? queueNs / waitNs : undefined;
    this.errors = tally.lacksErrors(row) ? undefined : tally.errors(row);
    this.margin = tally.margin(row);
  }
}

export class TotalsRow extends ActivityRow implements Totals {
  readonly p999Ns: number | undefined;
  readonly hasQueue: boolean;
  tail: TailSplit | undefined;

  /** `isTotal`: the trace has no device latencies. Their column then has total latencies. */
  constructor(
    tally: Tally,
    row: number,
    spanNs: number,
    readonly latency: Latency,
    isTotal: boolean,
  ) {
    super(tally, row, spanNs);
    this.p999Ns = tally.latencies.quantileNs(row, 0.999);
    this.hasQueue = isTotal || tally.queueNs(row) !== undefined;
  }
}

export interface ProcessGroup {
  /** Any one of the identities that the row sums up: they differ only in what the row does not show. */
  readonly owner: Identity;
  /** Row of the tally. */
  readonly group: number;
  readonly devs: Set<number>;
  readonly tgids: Set<number>;
  /** Whether some of the I/O is of processes that are known by their command only. */
  hasMoreProcesses: boolean;
  isIndirect: boolean;
  hasSeveralWriters: boolean;
  /** Kernel threads that submitted the I/O for it. */
  readonly vias: Set<string>;
  /** Undefined if unknown, or if there are several. */
  cgroup: number | undefined;
  /** Number in the `FileTable` where rows are files, or of one of them where rows are folders; negative if not known. */
  readonly file: number;
}

/** What the name of a row of the process table is looked up in. */
export interface ProcessNames {
  readonly names: IdentityNames & {
    readonly identities: IdentityTable;
    readonly pressure?: KnownPressure | undefined;
  };
  readonly grouping: Grouping;
}

export class ProcessRow extends ActivityRow implements ProcessActivity {
  readonly tgid: number | undefined;
  readonly tid: number | undefined;
  readonly processes: number | undefined;
  readonly hasMoreProcesses: boolean;
  readonly comm: string;
  readonly dev: number | undefined;
  readonly disk: string;
  readonly host: string | undefined;
  readonly cgroup: number | undefined;
  readonly cgroupName: string | undefined;
  readonly command: string | undefined;
  readonly user: string | undefined;
  readonly waitShare: number;
  readonly indirect: boolean;
  readonly via: string | undefined;
  readonly hasSeveralWriters: boolean;
  readonly file: number | undefined;
  readonly folder: string | undefined;
  readonly stalled: Stalled | undefined;

  constructor(
    tally: Tally,
    process: ProcessGroup,
    { names, grouping }: ProcessNames,
    { startNs, endNs }: { readonly startNs: number; readonly endNs: number },
    allWaitNs: number,
  ) {
    const { owner, group, devs, tgids, hasMoreProcesses, isIndirect, cgroup, file } = process;
    super(tally, group, endNs - startNs);
    const isFile = isOfFiles(grouping);
    const isProcess = grouping !== 'cgroup' && !isFile;
    const isOwned = isProcess && ownerIsKnown(owner);
    const isOfCommand = isProcess && commandIsKnown(owner);
    const isOne = isOwned && tgids.size === 1 && !hasMoreProcesses;
    this.tgid = isOne ? owner.tgid : undefined;
    this.tid = grouping === 'thread' ? tidOf(owner) : undefined;
    this.processes =
      isOfCommand && (grouping === 'name' || !isOwned) ? Math.max(1, tgids.size) : undefined;
    this.hasMoreProcesses = isOfCommand && hasMoreProcesses;
    this.comm = rowName(process, names, grouping);
    this.folder =
      grouping === 'folder' && file >= 0 ? folderText(names.identities.files.get(file)) : undefined;
    this.file = isFile && file >= 0 && this.folder === undefined ? file : undefined;
    this.dev = devs.size === 1 ? owner.dev : undefined;
    this.disk = devs.size === 1 ? deviceName(names, owner.dev) : `${devs.size} disks`;
    const isOfOneHost = [...devs].every((dev) => hostNumberOf(dev) === hostNumberOf(owner.dev));
    this.host = isOfOneHost ? names.device(owner.dev)?.host : undefined;
    this.cgroup = isFile ? undefined : cgroup;
    this.cgroupName = this.cgroup === undefined ? undefined : names.cgroups?.name(this.cgroup);
    const pressure = this.cgroup === undefined ? undefined : names.pressure?.cgroups;
    this.stalled = pressure && stalledShares(pressure.get(this.cgroup!), startNs, endNs);
    const { tgid } = this;
    const facts = tgid === undefined ? undefined : names.processes?.facts(tgid, owner.comm);
    this.command = facts?.command;
    this.user = userText(facts);
    this.waitShare = allWaitNs > 0 ? tally.totalWaitNs(group) / allWaitNs : 0;
    this.indirect = isIndirect && !isFile;
    this.via = isFile ? undefined : viaText(process.vias);
    this.hasSeveralWriters = process.hasSeveralWriters && !isFile;
  }
}

/** The name of the only thread, or for several threads their kinds: there are many kworkers. */
export function viaText(vias: ReadonlySet<string>): string | undefined {
  if (vias.size === 0) return undefined;
  const texts = vias.size === 1 ? [...vias] : [...new Set([...vias].map(threadKind))];
  return texts.toSorted().join(' ');
}

function rowName(
  { owner, file }: ProcessGroup,
  names: ProcessNames['names'],
  grouping: Grouping,
): string {
  if (grouping === 'cgroup') return cgroupText(owner, names);
  if (!isOfFiles(grouping)) return ownerName(owner);
  if (file < 0) return NO_DETAIL_COMM;
  const facts = names.identities.files.get(file);
  return (grouping === 'folder' ? folderText(facts) : undefined) ?? fileText(facts);
}

function cgroupText(identity: Identity, { cgroups }: IdentityNames): string {
  const cgroup = cgroupOf(identity);
  return cgroup === undefined ? placeholder(identity) : cgroupName(cgroups, cgroup);
}

export interface DiskGroup {
  readonly dev: number;
  readonly layer: Layer;
  /** Row of the tally. */
  readonly group: number;
}

export interface DiskMeasurement {
  readonly disk: string;
  readonly mounts: readonly string[] | undefined;
  readonly volumes: readonly string[] | undefined;
  readonly liesOn: readonly string[] | undefined;
  readonly inFlight: DiskInFlight | undefined;
  readonly utilization: number | undefined;
  readonly isUtilizationPartial: boolean;
}

export class DiskRow extends ActivityRow implements DiskActivity {
  readonly dev: number;
  readonly layer: Layer;
  readonly disk: string;
  readonly mounts: readonly string[] | undefined;
  readonly volumes: readonly string[] | undefined;
  readonly liesOn: readonly string[] | undefined;
  readonly inFlight: DiskInFlight | undefined;
  readonly utilization: number | undefined;
  readonly isUtilizationPartial: boolean;
  readonly queueDepth: number;

  constructor(
    tally: Tally,
    { dev, layer, group }: DiskGroup,
    measured: DiskMeasurement,
    spanNs: number,
  ) {
    super(tally, group, spanNs);
    this.dev = dev;
    this.layer = layer;
    this.disk = measured.disk;
    this.mounts = measured.mounts;
    this.volumes = measured.volumes;
    this.liesOn = measured.liesOn;
    this.inFlight = measured.inFlight;
    this.utilization = measured.utilization;
    this.isUtilizationPartial = measured.isUtilizationPartial;
    this.queueDepth = spanNs > 0 ? tally.totalWaitNs(group) / spanNs : 0;
  }
}
