import type { ClockBase } from '../../base/time.ts';
import type { CompletionColumns } from '../../model/completion-columns.ts';
import { deviceName } from '../../model/device.ts';
import type { DeviceNames } from '../../model/device.ts';
import { KeyMark, ownerIsKnown } from '../../model/key-table.ts';
import type { KeyTable } from '../../model/key-table.ts';
import { Op, OP_MASK, opClass } from '../../model/operation.ts';
import { errorText, flagsText } from '../../model/request-text.ts';
import type { TraceField } from '../../source/trace-reader.ts';

/** What rows are written with: the names behind the numbers, and what the trace cannot know. */
export interface RowContext {
  readonly keys: KeyTable;
  readonly names: DeviceNames;
  readonly clockBase: ClockBase;
  readonly hasWallClock: boolean;
  readonly unknown: readonly TraceField[];
}

/** What many I/Os share. The same object as long as nothing of it changes. */
export interface EventKey {
  readonly device: string;
  readonly pid: number | undefined;
  readonly tid: number | undefined;
  readonly comm: string | undefined;
  readonly op: string;
  /** `sync meta`; empty for none. */
  readonly flags: string | undefined;
  /** 0 for success; negative errno, or positive `blk_status_t`, as the kernel gave it. */
  readonly error: number | undefined;
  /** `EIO`, `critical medium error`; empty for success. */
  readonly errorText: string | undefined;
}

/** One finished I/O in the words of the table's columns; what is not known is undefined. */
export interface EventRow {
  readonly key: EventKey;
  /** Completion, ns since the start of the trace. */
  readonly traceNs: number;
  readonly sector: number | undefined;
  readonly bytes: number | undefined;
  readonly queueNs: number | undefined;
  readonly deviceNs: number | undefined;
  /** Only where both parts are known. */
  readonly totalNs: number | undefined;
}

type Writable<T> = { -readonly [K in keyof T]: T[K] };

/** Reads rows of columns; what repeats is worked out once per key. */
export class EventRows {
  private readonly parts: (EventKey | undefined)[] = [];
  private readonly context: RowContext;
  private readonly lacks: ReadonlySet<TraceField>;
  private readonly lacksDevice: boolean;
  private readonly lacksQueue: boolean;
  private readonly lacksSector: boolean;
  private readonly lacksBytes: boolean;
  private readonly event: Writable<EventRow>;

  constructor(context: RowContext) {
    this.context = context;
    this.lacks = new Set(context.unknown);
    this.lacksDevice = this.lacks.has('device');
    this.lacksQueue = this.lacks.has('queue');
    this.lacksSector = this.lacks.has('sector');
    this.lacksBytes = this.lacks.has('bytes');
    this.event = noEvent();
  }

  /** Valid until the next call: an object for each I/O would be most of the work. */
  at(rows: CompletionColumns, row: number): EventRow {
    const { event } = this;
    const deviceNs = this.lacksDevice ? undefined : wholeIfKnown(rows.deviceNs[row]!);
    const queueNs = this.lacksQueue ? undefined : wholeIfKnown(rows.queueNs[row]!);
    event.key = this.keyOf(rows.key[row]!);
    event.traceNs = Math.round(rows.completeNs[row]!);
    event.sector = this.lacksSector ? undefined : wholeIfKnown(rows.sector[row]!);
    event.bytes = this.lacksBytes ? undefined : rows.bytes[row]!;
    event.queueNs = queueNs;
    event.deviceNs = deviceNs;
    event.totalNs =
      deviceNs === undefined || queueNs === undefined ? undefined : deviceNs + queueNs;
    return event;
  }

  private keyOf(index: number): EventKey {
    const known = this.parts[index];
    if (known !== undefined) return known;
    const part = this.describe(index);
    // A disk may still get its name while a log is read.
    const { keys, names } = this.context;
    if (names.device(keys.get(index).dev) !== undefined) this.parts[index] = part;
    return part;
  }

  private describe(index: number): EventKey {
    const { keys, names } = this.context;
    const key = keys.get(index);
    const { lacks } = this;
    const isOwned = ownerIsKnown(key);
    const isOther = (key.marks & KeyMark.other) !== 0;
    const unless = <T>(lack: TraceField, value: T): T | undefined =>
      lacks.has(lack) ? undefined : value;
    return {
      device: deviceName(names, key.dev),
      pid: isOwned ? unless('pid', key.tgid) : undefined,
      tid: isOwned ? unless('tid', key.tid) : undefined,
      comm: isOwned ? unless('comm', key.comm) : undefined,
      op: operationName(key.cmdFlags),
      flags: isOther ? undefined : unless('flags', flagsText(key.cmdFlags)),
      error: unless('error', key.error),
      errorText: unless('error', errorText(key.error) ?? ''),
    };
  }
}

function noEvent(): EventRow {
  const key: EventKey = {
    device: '',
    pid: undefined,
    tid: undefined,
    comm: undefined,
    op: '',
    flags: undefined,
    error: undefined,
    errorText: undefined,
  };
  const none = undefined;
  return {
    key,
    traceNs: 0,
    sector: none,
    bytes: none,
    queueNs: none,
    deviceNs: none,
    totalNs: none,
  };
}

/** NaN and negative values both mean that there is none. */
function wholeIfKnown(value: number): number | undefined {
  return value >= 0 ? Math.round(value) : undefined;
}

/** As the filter says it; what has no class of its own by its number, as kernels differ in them. */
function operationName(cmdFlags: number): string {
  const name = opClass(cmdFlags);
  if (name !== 'other') return name;
  const op = cmdFlags & OP_MASK;
  if (op === Op.driverIn) return 'driver-in';
  return op === Op.driverOut ? 'driver-out' : `op-${op}`;
}
