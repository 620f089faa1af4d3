import { deviceName, isUnknownDevice } from '../../../model/device.ts';
import type { DeviceNames } from '../../../model/device.ts';
import { cgroupName } from '../../../model/cgroup-names.ts';
import type { CgroupNames } from '../../../model/cgroup-names.ts';
import type { KnownProcesses } from '../../../model/known-processes.ts';
import { cgroupOf, IdentityMark, ownerIsKnown } from '../../../model/identity.ts';
import { layerOf, LAYERS } from '../../../model/layer.ts';
import type { Identity } from '../../../model/identity.ts';
import type { IdentityTable } from '../../../model/identity-table.ts';
import { isUnknownOp, Op, OP_MASK } from '../../../model/operation.ts';
import { callOf, callText } from '../../../model/call.ts';
import { errnoOf, flagsText } from '../../../model/request-text.ts';
import type { TraceField } from '../../trace-reader.ts';
import { Dictionary, DICTIONARIES, EPOCH_KEYS, MAX_NAME, ROW_KINDS } from './format.ts';
import { StringDictionary } from './string-dictionary.ts';

export interface Names {
  readonly devices: DeviceNames;
  readonly cgroups: CgroupNames;
  readonly processes?: KnownProcesses | undefined;
}

/** Values of the readable columns for each identity, by its number in this epoch. */
interface Readable {
  readonly device: Uint16Array;
  readonly comm: Uint16Array;
  readonly flags: Uint8Array;
  readonly cgroup: Uint16Array;
  readonly op: Uint8Array;
  readonly layer: Uint8Array;
  readonly pid: Int32Array;
  readonly tid: Int32Array;
  readonly error: Int32Array;
  /** Bits of `NullBit`: the unknown fields of this identity. */
  readonly nulls: Uint8Array;
}

/** Maximum number of texts of the column of flags, whose numbers are bytes; further texts are null. */
const MOST_FLAGS = 255;

export const NullBit = {
  owner: 1,
  comm: 2,
  flags: 4,
  cgroup: 8,
  error: 16,
  device: 32,
  tid: 64,
  op: 128,
} as const;

const OP_TEXTS = new Map<number, string>(
  Object.entries(Op).map(([name, number]) => [number, name.replace(/[A-Z]/, wordOf)]),
);

function opText(key: Identity): string {
  const call = callOf(key);
  if (call !== undefined) return callText(call, layerOf(key));
  const op = key.cmdFlags & OP_MASK;
  return isUnknownOp(op) ? 'unknown' : (OP_TEXTS.get(op) ?? `op ${op}`);
}

function wordOf(capital: string): string {
  return ` ${capital.toLowerCase()}`;
}

/**
 * The identities of an epoch: a part of a recording that can be read without the earlier parts. Identities are
 * numbered from 0 in each epoch, and defined in the batch that uses them first.
 */
export class IdentityBook {
  epoch = 0;
  readonly readable: Readable = createReadable();
  readonly texts = Array.from({ length: DICTIONARIES }, () => new StringDictionary());
  /** Union of the `nulls` of all identities. */
  anyNulls = 0;
  size = 0;
  private written = 0;
  /** By index in the `IdentityTable`: number in this epoch plus 1; 0 when it has none. */
  private numbers = new Uint32Array(1024);
  private indices: number[] = [];

  constructor(
    private readonly identities: IdentityTable,
    private readonly names: Names,
    private readonly unknown: readonly TraceField[],
  ) {
    this.numberKinds();
  }

  /** The identity's number in this epoch; undefined when the epoch is full. */
  number(index: number): number | undefined {
    const known = this.numbers[index];
    if (known !== undefined && known > 0) return known - 1;
    if (this.size === EPOCH_KEYS) return undefined;
    return this.add(index);
  }

  startEpoch(): void {
    this.epoch++;
    this.size = 0;
    this.written = 0;
    this.anyNulls = 0;
    this.numbers.fill(0);
    this.indices = [];
    this.texts.forEach((texts) => {
      texts.clear();
    });
    this.numberKinds();
  }

  /** Identities that no batch has defined yet, and the number of the first. */
  takeNew(): { readonly from: number; readonly keys: readonly Identity[] } {
    const from = this.written;
    this.written = this.size;
    return { from, keys: this.indices.slice(from).map((index) => this.identities.get(index)) };
  }

  /** Columns without an identity have these numbers as they are. */
  private numberKinds(): void {
    for (const kind of ROW_KINDS) this.texts[Dictionary.kind]!.number(kind);
    for (const layer of LAYERS) this.texts[Dictionary.layer]!.number(layer);
  }

  private add(index: number): number {
    const number = this.size++;
    if (index >= this.numbers.length) this.grow(index);
    this.numbers[index] = number + 1;
    this.indices.push(index);
    this.describe(number, this.identities.get(index));
    return number;
  }

  private describe(number: number, key: Identity): void {
    const { readable, names } = this;
    const cgroup = cgroupOf(key);
    readable.device[number] = this.text(Dictionary.device, deviceName(names.devices, key.dev));
    readable.comm[number] = this.text(Dictionary.comm, key.comm);
    readable.op[number] = this.text(Dictionary.op, opText(key));
    readable.layer[number] = LAYERS.indexOf(layerOf(key));
    const flags = this.text(Dictionary.flags, flagsText(key));
    readable.flags[number] = flags;
    readable.cgroup[number] =
      cgroup === undefined ? 0 : this.text(Dictionary.cgroup, cgroupName(names.cgroups, cgroup));
    readable.pid[number] = key.tgid;
    readable.tid[number] = key.tid;
    readable.error[number] = errnoOf(key.error);
    const nulls = nullsOf(key, this.unknown) | (flags > MOST_FLAGS ? NullBit.flags : 0);
    readable.nulls[number] = nulls;
    this.anyNulls |= nulls;
  }

  private text(dictionary: number, text: string): number {
    return this.texts[dictionary]!.number(text.slice(0, MAX_NAME));
  }

  private grow(index: number): void {
    const larger = new Uint32Array(Math.max(this.numbers.length * 2, index + 1));
    larger.set(this.numbers);
    this.numbers = larger;
  }
}

function createReadable(): Readable {
  return {
    device: new Uint16Array(EPOCH_KEYS),
    comm: new Uint16Array(EPOCH_KEYS),
    flags: new Uint8Array(EPOCH_KEYS),
    cgroup: new Uint16Array(EPOCH_KEYS),
    op: new Uint8Array(EPOCH_KEYS),
    layer: new Uint8Array(EPOCH_KEYS),
    pid: new Int32Array(EPOCH_KEYS),
    tid: new Int32Array(EPOCH_KEYS),
    error: new Int32Array(EPOCH_KEYS),
    nulls: new Uint8Array(EPOCH_KEYS),
  };
}

function nullsOf(key: Identity, unknown: readonly TraceField[]): number {
  const { noDetail, other, processUnknown, flagsUnknown, errorUnknown } = IdentityMark;
  const isOwned = ownerIsKnown(key);
  const nullIf = (bit: number, field: TraceField | undefined, marks: number, or = false): number =>
    (field !== undefined && unknown.includes(field)) || (key.marks & marks) !== 0 || or ? bit : 0;
  return (
    nullIf(NullBit.owner, 'pid', processUnknown, !isOwned) |
    nullIf(NullBit.tid, 'tid', noDetail | other, !isOwned) |
    nullIf(NullBit.comm, 'comm', 0, key.comm === '') |
    nullIf(NullBit.flags, 'flags', noDetail | other | flagsUnknown) |
    nullIf(NullBit.cgroup, undefined, 0, cgroupOf(key) === undefined) |
    nullIf(NullBit.error, 'error', noDetail | other | errorUnknown) |
    nullIf(NullBit.device, 'disk', 0, isUnknownDevice(key.dev)) |
    nullIf(NullBit.op, 'op', 0, isUnknownOp(key.cmdFlags))
  );
}
