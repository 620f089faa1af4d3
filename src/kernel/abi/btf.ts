import { readFileSync } from 'node:fs';
import { isSystemError } from '../../base/system-error.ts';
import { err, ExitCode, ok, type Result } from '../../base/result.ts';

/** Type information of the running kernel, or of an object's `.BTF` section. */
export const KERNEL_BTF = '/sys/kernel/btf/vmlinux';

const MAGIC = 0xeb9f;
/** `enum` of include/uapi/linux/btf.h. */
const Kind = {
  int: 1,
  pointer: 2,
  array: 3,
  struct: 4,
  union: 5,
  enum: 6,
  typedef: 8,
  func: 12,
  funcProto: 13,
  variable: 14,
  dataSection: 15,
  declTag: 17,
  enum64: 19,
} as const;

/** Bytes after the 12-byte head of a type: a fixed part, and a part for each of `vlen` elements. */
function tailBytes(kind: number, vlen: number): number {
  switch (kind) {
    case Kind.int:
    case Kind.variable:
    case Kind.declTag:
      return 4;
    case Kind.array:
      return 12;
    case Kind.struct:
    case Kind.union:
    case Kind.dataSection:
    case Kind.enum64:
      return 12 * vlen;
    case Kind.enum:
    case Kind.funcProto:
      return 8 * vlen;
    default:
      return 0;
  }
}

export interface BtfMember {
  readonly name: string;
  readonly offsetBits: number;
  /** Elements of an array; undefined for other members. */
  readonly length: number | undefined;
}

/** Reads the types that the loader needs, and those that `layout.ts` is generated from. */
export class Btf {
  /** Byte offset of each type's head, by type id less `firstId`; ids of the kernel count from 1. */
  private readonly positions: Uint32Array;
  /** By the same number, the position of each type's name among the strings: this makes it quick to search them all. */
  private readonly names: Uint32Array;
  private readonly stringsAt: number;
  private readonly stringBytes: number;
  /** The first id: the ids of a module continue where those of the kernel end. */
  private readonly firstId: number;
  private readonly firstString: number;

  /** `kernel` has the types of the kernel, to which those of a module refer. */
  constructor(
    private readonly data: Buffer,
    private readonly kernel?: Btf,
  ) {
    const headerBytes = data.readUInt32LE(4);
    const typesAt = headerBytes + data.readUInt32LE(8);
    const typesEnd = typesAt + data.readUInt32LE(12);
    this.stringsAt = headerBytes + data.readUInt32LE(16);
    this.stringBytes = data.readUInt32LE(20);
    const { positions, names } = indexTypes(data, typesAt, typesEnd);
    this.positions = positions;
    this.names = names;
    this.firstId = kernel === undefined ? 0 : kernel.positions.length - 1;
    this.firstString = kernel?.stringBytes ?? 0;
  }

  /** Number of arguments that a tracepoint passes to programs; undefined when the kernel lacks the tracepoint. */
  tracepointArguments(name: string): number | undefined {
    const id = this.find(Kind.typedef, `btf_trace_${name}`);
    if (id === undefined) return undefined;
    const pointer = this.target(id);
    const proto = this.target(pointer);
    // The first argument is the kernel's own context.
    return this.kind(proto) === Kind.funcProto ? this.vlen(proto) - 1 : undefined;
  }

  /** Type id with which a program attaches to a tracepoint; undefined when the kernel lacks the tracepoint. */
  tracepointType(name: string): number | undefined {
    return this.find(Kind.typedef, `btf_trace_${name}`);
  }

  hasFunction(name: string): boolean {
    return this.find(Kind.func, name) !== undefined;
  }

  /** Members of a struct or union; undefined when there is no such type. */
  members(name: string): readonly BtfMember[] | undefined {
    const id = this.find(Kind.struct, name) ?? this.find(Kind.union, name);
    if (id === undefined) return undefined;
    const first = this.positionOf(id) + 12;
    return Array.from({ length: this.vlen(id) }, (_, index) => {
      const at = first + 12 * index;
      return {
        name: this.string(this.data.readUInt32LE(at)),
        offsetBits: this.data.readUInt32LE(at + 8),
        length: this.arrayLength(this.data.readUInt32LE(at + 4)),
      };
    });
  }

  structBytes(struct: string): number | undefined {
    const id = this.find(Kind.struct, struct);
    return id === undefined ? undefined : this.target(id);
  }

  /** Names and values of an enum's constants; undefined when there is no such enum. */
  enumerators(name: string): readonly (readonly [name: string, value: number])[] | undefined {
    const id = this.find(Kind.enum, name);
    if (id === undefined) return undefined;
    const first = this.positionOf(id) + 12;
    return Array.from({ length: this.vlen(id) }, (_, index) => {
      const at = first + 8 * index;
      return [this.string(this.data.readUInt32LE(at)), this.data.readInt32LE(at + 4)];
    });
  }

  private find(kind: number, name: string): number | undefined {
    const place = this.placeOf(name);
    if (place === undefined) return undefined;
    const wanted = place + this.firstString;
    let index = this.names.indexOf(wanted, 1);
    while (index > 0 && this.kind(this.firstId + index) !== kind)
      index = this.names.indexOf(wanted, index + 1);
    return index > 0 ? this.firstId + index : undefined;
  }

  /** The position of a name among the strings. Those of a module do not begin with an empty one. */
  private placeOf(name: string): number | undefined {
    const first = Buffer.from(`${name}\0`, 'latin1');
    if (first.equals(this.data.subarray(this.stringsAt, this.stringsAt + first.length))) return 0;
    const before = this.data.indexOf(`\0${name}\0`, this.stringsAt, 'latin1');
    return before < 0 ? undefined : before + 1 - this.stringsAt;
  }

  private positionOf(id: number): number {
    return this.positions[id - this.firstId]!;
  }

  /** Reads one of the three words that each type begins with. */
  private word(id: number, index: 0 | 1 | 2): number {
    if (this.kernel !== undefined && id <= this.firstId) return this.kernel.word(id, index);
    return this.data.readUInt32LE(this.positionOf(id) + 4 * index);
  }

  private kind(id: number): number {
    return (this.word(id, 1) >>> 24) & 0x1f;
  }

  private vlen(id: number): number {
    return this.word(id, 1) & 0xffff;
  }

  /** The type that a pointer or typedef refers to; for a struct, the same word is its size in bytes. */
  private target(id: number): number {
    return this.word(id, 2);
  }

  private arrayLength(id: number): number | undefined {
    if (id === 0 || this.kind(id) !== Kind.array) return undefined;
    return this.data.readUInt32LE(this.positionOf(id) + 12 + 8);
  }

  private string(offset: number): string {
    const from = this.stringsAt + offset;
    return this.data.toString('utf8', from, this.data.indexOf(0, from));
  }
}

function indexTypes(
  data: Buffer,
  from: number,
  end: number,
): { readonly positions: Uint32Array; readonly names: Uint32Array } {
  // Upper limit of the number of types: the smallest takes 12 bytes.
  const most = 1 + Math.floor((end - from) / 12);
  const positions = new Uint32Array(most);
  const names = new Uint32Array(most);
  let id = 1;
  for (let at = from; at < end; id++) {
    positions[id] = at;
    names[id] = data.readUInt32LE(at);
    const info = data.readUInt32LE(at + 4);
    at += 12 + tailBytes((info >>> 24) & 0x1f, info & 0xffff);
  }
  return { positions: positions.subarray(0, id), names: names.subarray(0, id) };
}

/** Parses type information; `kernel` is needed for the types of a module. */
export function parseBtf(data: Buffer, kernel?: Btf): Result<Btf> {
  if (data.length < 24 || data.readUInt16LE(0) !== MAGIC) {
    return err({
      exitCode: ExitCode.cannotTrace,
      what: "the kernel's type information is damaged",
    });
  }
  return ok(new Btf(data, kernel));
}

export function readKernelBtf(path: string = KERNEL_BTF): Result<Btf> {
  try {
    return parseBtf(readFileSync(path));
  } catch (cause) {
    if (!isSystemError(cause)) throw cause;
    return err({
      exitCode: ExitCode.cannotTrace,
      what: 'the kernel does not describe its types',
      why: cause.message,
      remedy: 'use a kernel built with CONFIG_DEBUG_INFO_BTF=y',
    });
  }
}
