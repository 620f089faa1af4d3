import { err, ok, type Result } from '../../base/result.ts';

/*
 * Just enough of BTF (Documentation/bpf/btf.rst) to ask which tracepoints there are and how many
 * arguments they have, without libbpf: doctor must answer where libbpf is missing, too.
 */
const MAGIC = 0xeb9f;
const KIND_PTR = 2;
const KIND_TYPEDEF = 8;
const KIND_FUNC_PROTO = 13;
const TYPE_HEADER_BYTES = 12;

/** What follows the 12 bytes of each kind of type: a fixed part, and one part per member. */
const TRAILERS: readonly (readonly [fixed: number, perMember: number] | undefined)[] = [
  undefined,
  [4, 0], // INT
  [0, 0], // PTR
  [12, 0], // ARRAY
  [0, 12], // STRUCT
  [0, 12], // UNION
  [0, 8], // ENUM
  [0, 0], // FWD
  [0, 0], // TYPEDEF
  [0, 0], // VOLATILE
  [0, 0], // CONST
  [0, 0], // RESTRICT
  [0, 0], // FUNC
  [0, 8], // FUNC_PROTO
  [4, 0], // VAR
  [0, 12], // DATASEC
  [0, 0], // FLOAT
  [4, 0], // DECL_TAG
  [0, 0], // TYPE_TAG
  [0, 12], // ENUM64
];

interface TypeTable {
  readonly view: DataView;
  readonly stringsAt: number;
  /** Byte offset of each type by its number; number 0 is void and nowhere. */
  readonly offsets: readonly (number | undefined)[];
}

/**
 * How many arguments the tracepoints `names` have, by name; one that the kernel lacks is absent. The
 * kernel describes each as `typedef void (*btf_trace_NAME)(void *, …)`.
 */
export function readTracepoints(
  btf: Uint8Array,
  names: readonly string[],
): Result<ReadonlyMap<string, number>, string> {
  const table = readTypes(btf);
  if (!table.ok) return table;
  const wanted = new Map(names.map((name) => [`btf_trace_${name}`, name]));
  const found = new Map<string, number>();
  for (const offset of table.value.offsets) {
    if (offset === undefined || kindAt(table.value.view, offset) !== KIND_TYPEDEF) continue;
    const name = wanted.get(nameAt(table.value, offset));
    const count = name === undefined ? undefined : argumentCount(table.value, offset);
    if (name !== undefined && count !== undefined) found.set(name, count);
  }
  return ok(found);
}

function readTypes(btf: Uint8Array): Result<TypeTable, string> {
  const view = new DataView(btf.buffer, btf.byteOffset, btf.byteLength);
  if (view.byteLength < 24 || view.getUint16(0, true) !== MAGIC) return err('it is not BTF');
  const base = view.getUint32(4, true);
  const start = base + view.getUint32(8, true);
  const end = start + view.getUint32(12, true);
  const stringsAt = base + view.getUint32(16, true);
  if (end > view.byteLength || stringsAt > view.byteLength) return err('it is cut short');
  const offsets: (number | undefined)[] = [undefined];
  for (let offset = start; offset < end;) {
    if (offset + TYPE_HEADER_BYTES > end) return err('it is cut short');
    const kind = kindAt(view, offset);
    const trailer = TRAILERS[kind];
    if (trailer === undefined) return err(`it has types of the unknown kind ${kind}`);
    offsets.push(offset);
    offset += TYPE_HEADER_BYTES + trailer[0] + trailer[1] * membersAt(view, offset);
  }
  return ok({ view, stringsAt, offsets });
}

function kindAt(view: DataView, offset: number): number {
  return (view.getUint32(offset + 4, true) >>> 24) & 0x1f;
}

function membersAt(view: DataView, offset: number): number {
  return view.getUint32(offset + 4, true) & 0xffff;
}

/** The longest name asked for is shorter; a longer one need not be read to its end. */
const MAX_NAME = 64;

function nameAt({ view, stringsAt }: TypeTable, offset: number): string {
  const start = stringsAt + view.getUint32(offset, true);
  let name = '';
  for (let at = start; at < view.byteLength && at < start + MAX_NAME; at++) {
    const byte = view.getUint8(at);
    if (byte === 0) break;
    name += String.fromCharCode(byte);
  }
  return name;
}

function argumentCount({ view, offsets }: TypeTable, typedef: number): number | undefined {
  const pointer = offsets[view.getUint32(typedef + 8, true)];
  if (pointer === undefined || kindAt(view, pointer) !== KIND_PTR) return undefined;
  const prototype = offsets[view.getUint32(pointer + 8, true)];
  if (prototype === undefined || kindAt(view, prototype) !== KIND_FUNC_PROTO) return undefined;
  // The first parameter is the tracepoint's private data.
  return Math.max(0, membersAt(view, prototype) - 1);
}
