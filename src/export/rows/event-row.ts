import type { ClockBase } from '../../base/time.ts';
import { resultOf } from '../../model/completion-columns.ts';
import type { CompletionColumns } from '../../model/completion-columns.ts';
import { callOf } from '../../model/call.ts';
import type { Call } from '../../model/call.ts';
import { cgroupNumber } from '../../model/cgroup-names.ts';
import { isUnknownDevice, knownDeviceName, unknownDeviceName } from '../../model/device.ts';
import { fileText, isKnownFile, isMergedFiles } from '../../model/file.ts';
import { cgroupOf, commandIsKnown, IdentityMark, ownerIsKnown } from '../../model/identity.ts';
import type { IdentityNames } from '../../model/identity-names.ts';
import type { Identity } from '../../model/identity.ts';
import type { IdentityTable } from '../../model/identity-table.ts';
import { hasQueue, isOfPrograms, layerOf } from '../../model/layer.ts';
import type { Layer } from '../../model/layer.ts';
import { isUnknownOp, Op, OP_MASK, opClass } from '../../model/operation.ts';
import { errorText, flagsText } from '../../model/request-text.ts';
import type { TraceField } from '../../trace/trace-reader.ts';

/** The context of rows: the names behind numbers, and the fields that the trace does not have. */
export interface RowContext {
  readonly identities: IdentityTable;
  readonly names: IdentityNames;
  readonly clockBase: ClockBase;
  readonly hasWallClock: boolean;
  /** Gets shorter while a log is read; the same array until it changes. */
  readonly unknown: readonly TraceField[];
  /** See `TraceHeader.latency`. */
  readonly latency?: 'total' | undefined;
}

/** The properties that many I/Os share. The same object until something in it changes. */
export interface EventIdentity {
  readonly device: string | undefined;
  readonly pid: number | undefined;
  readonly tid: number | undefined;
  readonly comm: string | undefined;
  readonly op: string | undefined;
  /** `sync meta`, `O_RDWR|O_CREAT`; empty if there are none. */
  readonly flags: string | undefined;
  /** 0 for success; a negative errno, or a positive `blk_status_t`, as the kernel reported it. */
  readonly error: number | undefined;
  /** `EIO`, `critical medium error`; empty for success. */
  readonly errorText: string | undefined;
  /** The kernel's ID of the cgroup that the I/O is charged to. */
  readonly cgroupId: number | undefined;
  /** Its name as in the trace, not sanitized. */
  readonly cgroup: string | undefined;
  /** The kernel thread that submitted the I/O for the process, not sanitized. */
  readonly via: string | undefined;
  /** Whether other processes wrote to the same file or journal, too; undefined if `via` is. */
  readonly severalWriters: boolean | undefined;
  readonly layer: Layer;
  /** The system call, or for a wait the call that the thread was in; undefined for I/O. */
  readonly call: Call | undefined;
}

/** One completed I/O in terms of the table's columns; undefined if unknown. */
export interface EventRow {
  readonly identity: EventIdentity;
  /** Completion, ns since the start of the trace. */
  readonly traceNs: number;
  readonly sector: number | undefined;
  readonly bytes: number | undefined;
  readonly queueNs: number | undefined;
  readonly deviceNs: number | undefined;
  /** Undefined unless both parts are known, or the log has only the total. */
  readonly totalNs: number | undefined;
  /** Path of the file that the first byte is of, raw, or what else it is of in parentheses: `(swap)`. */
  readonly file: string | undefined;
  /** Merged: it has bytes of further files. */
  readonly otherFiles: boolean | undefined;
  /** Where in the file its first byte is, in bytes. */
  readonly fileOffset: number | undefined;
  /** What a system call returned, negative for an error; undefined for I/O. */
  readonly result: number | undefined;
  /** The inode of the file, if more than its name is known. */
  readonly inode: number | undefined;
  readonly generation: number | undefined;
  /** `8:1`: the device number of its file system. */
  readonly fileDev: string | undefined;
  /** When the first I/O, wait or call of the file completed, in ns since the start of the trace. */
  readonly firstSeenNs: number | undefined;
}

/** The largest of 64 bits after rounding; the next number is one that readers of exports refuse. */
const MOST_INODE = 2 ** 64 - 2 ** 11;

type Writable<T> = { -readonly [K in keyof T]: T[K] };

/** Reads rows of columns; what repeats is computed once per identity. */
export class EventRows {
  private parts: (EventIdentity | undefined)[] = [];
  private readonly sizeless: boolean[] = [];
  private readonly context: RowContext;
  private unknown: readonly TraceField[] = [];
  private lacks: ReadonlySet<TraceField> = new Set();
  private readonly event: Writable<EventRow>;

  constructor(context: RowContext) {
    this.context = context;
    this.event = noEvent();
  }

  /** Valid until the next call: creating an object per I/O would be most of the work. */
  at(rows: CompletionColumns, row: number): EventRow {
    if (this.context.unknown !== this.unknown) this.learnUnknown();
    const { event, lacks } = this;
    const identity = rows.identity[row]!;
    event.identity = this.identityOf(identity);
    event.traceNs = Math.round(rows.completeNs[row]!);
    event.sector = lacks.has('sector') ? undefined : wholeIfKnown(rows.sector[row]!);
    event.bytes = this.sizeless[identity] === true ? undefined : rows.bytes[row]!;
    this.takeTimes(rows.queueNs[row]!, rows.deviceNs[row]!);
    this.takeFile(rows.file[row]!);
    event.fileOffset = wholeIfKnown(rows.fileOffset[row]!);
    event.result = resultOf(rows, row);
    return event;
  }

  private takeFile(number: number): void {
    const { event } = this;
    const file = this.context.identities.files.get(number);
    const hasFile = file.kind !== 'unknown' && file.kind !== 'none';
    event.file = hasFile ? fileText(file) : undefined;
    event.otherFiles = hasFile ? isMergedFiles(number) : undefined;
    const known = isKnownFile(file) ? file : undefined;
    event.inode = known && Math.min(known.inode, MOST_INODE);
    event.generation = known?.generation;
    event.fileDev = known && unknownDeviceName(known.dev);
    event.firstSeenNs = known && wholeIfAny(this.context.identities.files.firstSeenNs(number));
  }

  private takeTimes(queueNs: number, deviceNs: number): void {
    const { event, lacks } = this;
    const isWhole = !hasQueue(event.identity.layer, this.context.latency);
    const device = wholeIfKnown(deviceNs);
    event.queueNs = isWhole || lacks.has('queue') ? undefined : wholeIfKnown(queueNs);
    event.deviceNs = isWhole || lacks.has('device') ? undefined : device;
    event.totalNs = isWhole ? device : sumOf(event.queueNs, event.deviceNs);
  }

  private learnUnknown(): void {
    this.unknown = this.context.unknown;
    this.lacks = new Set(this.unknown);
    this.parts = [];
  }

  private identityOf(index: number): EventIdentity {
    const known = this.parts[index];
    if (known !== undefined && !this.isNamedSince(index, known)) return known;
    const part = this.describe(index);
    // A disk may get its name later, while a log is read.
    const { identities, names } = this.context;
    const { dev, marks } = identities.get(index);
    this.sizeless[index] = this.lacks.has('bytes') || (marks & IdentityMark.sizeUnknown) !== 0;
    if (isUnknownDevice(dev) || names.device(dev) !== undefined) this.parts[index] = part;
    return part;
  }

  /** Whether a cgroup has got a name since: traces name cgroups while they are read. */
  private isNamedSince(index: number, { cgroupId, cgroup }: EventIdentity): boolean {
    if (cgroupId === undefined || cgroup !== undefined) return false;
    const { identities, names } = this.context;
    return names.cgroups?.name(identities.get(index).cgroup) !== undefined;
  }

  private describe(index: number): EventIdentity {
    const { identities, names } = this.context;
    const identity = identities.get(index);
    const isOwned = ownerIsKnown(identity);
    const ifInTrace = <T>(field: TraceField, marks: number, value: T): T | undefined =>
      this.lacks.has(field) || (identity.marks & marks) !== 0 ? undefined : value;
    const cgroup = cgroupOf(identity);
    const { other, processUnknown, flagsUnknown, errorUnknown } = IdentityMark;
    return {
      device: ifInTrace('disk', 0, knownDeviceName(names, identity.dev)),
      pid: isOwned ? ifInTrace('pid', processUnknown, identity.tgid) : undefined,
      tid: isOwned ? ifInTrace('tid', 0, identity.tid) : undefined,
      // An empty name means unknown.
      comm:
        commandIsKnown(identity) && identity.comm !== ''
          ? ifInTrace('comm', 0, identity.comm)
          : undefined,
      op: ifInTrace('op', 0, operationName(identity)),
      flags: ifInTrace('flags', other | flagsUnknown, flagsText(identity)),
      error: ifInTrace('error', errorUnknown, identity.error),
      errorText: ifInTrace('error', errorUnknown, errorText(identity.error) ?? ''),
      cgroupId: cgroup === undefined ? undefined : cgroupNumber(cgroup),
      cgroup: cgroup === undefined ? undefined : names.cgroups?.name(cgroup),
      via: identity.via,
      severalWriters:
        identity.via === undefined
          ? undefined
          : (identity.marks & IdentityMark.severalWriters) !== 0,
      layer: layerOf(identity),
      call: callOf(identity),
    };
  }
}

function sumOf(queueNs: number | undefined, deviceNs: number | undefined): number | undefined {
  return queueNs === undefined || deviceNs === undefined ? undefined : queueNs + deviceNs;
}

function noEvent(): EventRow {
  const identity: EventIdentity = {
    device: undefined,
    pid: undefined,
    tid: undefined,
    comm: undefined,
    op: undefined,
    flags: undefined,
    error: undefined,
    errorText: undefined,
    cgroupId: undefined,
    cgroup: undefined,
    via: undefined,
    severalWriters: undefined,
    layer: 'disks',
    call: undefined,
  };
  const none = undefined;
  return {
    identity,
    traceNs: 0,
    sector: none,
    bytes: none,
    queueNs: none,
    deviceNs: none,
    totalNs: none,
    file: none,
    otherFiles: none,
    fileOffset: none,
    result: none,
    inode: none,
    generation: none,
    fileDev: none,
    firstSeenNs: none,
  };
}

/** NaN and negative values both mean unknown. */
function wholeIfKnown(value: number): number | undefined {
  return value >= 0 ? Math.round(value) : undefined;
}

function wholeIfAny(value: number | undefined): number | undefined {
  return value === undefined ? undefined : Math.round(value);
}

/** In the words of the filter; an operation without a class by its number, because kernels differ in these. */
function operationName({ cmdFlags, layer }: Identity): string | undefined {
  if (isUnknownOp(cmdFlags)) return undefined;
  const name = opClass(cmdFlags);
  if (name !== 'other' || isOfPrograms(layerOf({ layer }))) return name;
  const op = cmdFlags & OP_MASK;
  if (op === Op.driverIn) return 'driver-in';
  return op === Op.driverOut ? 'driver-out' : `op-${op}`;
}
