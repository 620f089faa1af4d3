import { resultOf } from '../../model/completion-columns.ts';
import { isKnownFile, isMergedFiles, knownFileText } from '../../model/file.ts';
import { callOf, type Call } from '../../model/call.ts';
import { deviceName } from '../../model/device.ts';
import { cgroupOf, IdentityMark, operationIsUnknown, ownerIsKnown } from '../../model/identity.ts';
import { hasQueue, layerOf } from '../../model/layer.ts';
import type { OpClass } from '../../model/operation.ts';
import { opClass } from '../../model/operation.ts';
import { errorText, flagsText } from '../../model/request-text.ts';
import type { ActivityInfo } from '../activity/activity-report.ts';
import { ownerName } from '../activity/activity-rows.ts';
import type { RowPlace } from './slowest.ts';

/** Everything that is known of one I/O. */
export interface SingleIo {
  /** Trace time in ns. */
  readonly completeNs: number;
  readonly tgid: number | undefined;
  readonly tid: number | undefined;
  readonly comm: string;
  readonly cgroup: number | undefined;
  readonly cgroupName: string | undefined;
  readonly indirect: boolean;
  /** The kernel thread that submitted the I/O for the process, raw. */
  readonly via?: string | undefined;
  /** The process is the last of several that wrote to the file, or one of several that filled a journal. */
  readonly hasSeveralWriters?: boolean;
  readonly dev: number;
  readonly disk: string;
  /** Undefined if a log does not have it. */
  readonly opClass: OpClass | undefined;
  /** The system call, or for a wait the call that the thread was in; undefined for I/O. */
  readonly call?: Call | undefined;
  /** `sync meta fua`, or for a call that opens a file `O_RDWR|O_CREAT`; empty if there are none. */
  readonly flags: string;
  /** Absolute, in units of 512 bytes. */
  readonly sector: number | undefined;
  readonly bytes: number | undefined;
  readonly queueNs: number | undefined;
  readonly deviceNs: number | undefined;
  /** Queue plus device latency in ns; undefined unless both are known. */
  readonly totalNs: number | undefined;
  /** `EIO`, `critical medium error`; undefined for success. */
  readonly error: string | undefined;
  /** Raw path, or a word in parentheses; undefined when it is unknown, or when there is none. */
  readonly file: string | undefined;
  /** Merged: it also has bytes of other files. */
  readonly hasOtherFiles: boolean;
  /** Where in the file its first byte is, in bytes. */
  readonly fileOffset?: number | undefined;
  /** What a system call returned, negative for an error; undefined for I/O. */
  readonly result?: number | undefined;
  /** Undefined where only the name of the file is known. */
  readonly inode?: number | undefined;
  readonly generation?: number | undefined;
  /** When the first I/O, wait or call of its file completed: trace time in ns. */
  readonly firstSeenNs?: number | undefined;
}

/** Reads everything that is known of one row of the history. */
export function singleIo({ rows, row }: RowPlace, info: ActivityInfo): SingleIo {
  const identity = info.identities.get(rows.identity[row]!);
  const file = info.identities.files.get(rows.file[row]!);
  const isOwned = ownerIsKnown(identity);
  const cgroup = cgroupOf(identity);
  const deviceNs = rows.deviceNs[row]!;
  const isDivided = hasQueue(layerOf(identity), info.origin?.latency);
  const queueNs = rows.queueNs[row]!;
  return {
    completeNs: rows.completeNs[row]!,
    tgid: isOwned ? identity.tgid : undefined,
    tid: isOwned ? identity.tid : undefined,
    comm: ownerName(identity),
    cgroup,
    cgroupName: cgroup === undefined ? undefined : info.cgroups?.name(cgroup),
    indirect: (identity.marks & IdentityMark.indirect) !== 0,
    via: identity.via,
    hasSeveralWriters: (identity.marks & IdentityMark.severalWriters) !== 0,
    dev: identity.dev,
    disk: deviceName(info, identity.dev),
    opClass: operationIsUnknown(identity) ? undefined : opClass(identity.cmdFlags),
    call: callOf(identity),
    flags: flagsText(identity),
    sector: ifKnown(rows.sector[row]!),
    bytes: (identity.marks & IdentityMark.sizeUnknown) === 0 ? rows.bytes[row]! : undefined,
    queueNs: isDivided ? ifKnown(queueNs) : undefined,
    deviceNs: isDivided ? ifKnown(deviceNs) : undefined,
    totalNs: ifKnown(deviceNs + queueNs),
    error: errorText(identity.error),
    file: knownFileText(file),
    hasOtherFiles: isMergedFiles(rows.file[row]!),
    fileOffset: ifKnown(rows.fileOffset[row]!),
    result: resultOf(rows, row),
    ...(isKnownFile(file) && {
      inode: file.inode,
      generation: file.generation,
      firstSeenNs: info.identities.files.firstSeenNs(rows.file[row]!),
    }),
  };
}

/** Negative values and NaN both mean unknown. */
function ifKnown(value: number): number | undefined {
  return value >= 0 ? value : undefined;
}
