import type { ClockBase } from '../../base/time.ts';
import type { CompletionColumns } from '../../model/completion-columns.ts';
import { deviceName } from '../../model/device.ts';
import type { DeviceNames } from '../../model/device.ts';
import { KeyMark, ownerIsKnown } from '../../model/key-table.ts';
import type { KeyTable } from '../../model/key-table.ts';
import { Op, OP_MASK, opClass } from '../../model/operation.ts';
import { errorText, flagsText } from '../../model/request-text.ts';
import type { TraceField } from '../../source/trace-reader.ts';
import { wallNsOf } from '../wall-time.ts';

/** What rows are written with: the names behind the numbers, and what the trace cannot know. */
export interface RowContext {
  readonly keys: KeyTable;
  readonly names: DeviceNames;
  readonly clockBase: ClockBase;
  readonly hasWallClock: boolean;
  readonly unknown: readonly TraceField[];
}

/** One finished I/O in the words of the table's columns; what is not known is undefined. */
export interface EventRow {
  /** Completion, ns since the epoch. */
  readonly wallNs: bigint | undefined;
  /** Completion, ns since the start of the trace. */
  readonly traceNs: number;
  readonly device: string;
  readonly pid: number | undefined;
  readonly tid: number | undefined;
  readonly comm: string | undefined;
  readonly op: string;
  /** `sync meta`; empty for none. */
  readonly flags: string | undefined;
  readonly sector: number | undefined;
  readonly bytes: number | undefined;
  readonly queueNs: number | undefined;
  readonly deviceNs: number | undefined;
  /** Only where both parts are known. */
  readonly totalNs: number | undefined;
  /** 0 for success; negative errno, or positive `blk_status_t`, as the kernel gave it. */
  readonly error: number | undefined;
  /** `EIO`, `critical medium error`; empty for success. */
  readonly errorText: string | undefined;
}

type KeyPart = Pick<
  EventRow,
  'device' | 'pid' | 'tid' | 'comm' | 'op' | 'flags' | 'error' | 'errorText'
>;

/** Reads rows of columns; what repeats is worked out once per key. */
export class EventRows {
  private readonly parts: (KeyPart | undefined)[] = [];
  private readonly context: RowContext;
  private readonly lacks: ReadonlySet<TraceField>;

  constructor(context: RowContext) {
    this.context = context;
    this.lacks = new Set(context.unknown);
  }

  at(rows: CompletionColumns, row: number): EventRow {
    const { clockBase, hasWallClock } = this.context;
    const { lacks } = this;
    const part = this.partOf(rows.key[row]!);
    const traceNs = Math.round(rows.completeNs[row]!);
    const deviceNs = lacks.has('device') ? undefined : wholeIfKnown(rows.deviceNs[row]!);
    const queueNs = lacks.has('queue') ? undefined : wholeIfKnown(rows.queueNs[row]!);
    const hasTotal = deviceNs !== undefined && queueNs !== undefined;
    return {
      ...part,
      wallNs: hasWallClock ? wallNsOf(clockBase, traceNs) : undefined,
      traceNs,
      sector: lacks.has('sector') ? undefined : wholeIfKnown(rows.sector[row]!),
      bytes: lacks.has('bytes') ? undefined : rows.bytes[row]!,
      queueNs,
      deviceNs,
      totalNs: hasTotal ? deviceNs + queueNs : undefined,
    };
  }

  private partOf(index: number): KeyPart {
    const known = this.parts[index];
    if (known !== undefined) return known;
    const part = this.describe(index);
    // A disk may still get its name while a log is read.
    const { keys, names } = this.context;
    if (names.device(keys.get(index).dev) !== undefined) this.parts[index] = part;
    return part;
  }

  private describe(index: number): KeyPart {
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
