/**
 * A value of a FlatBuffers table, by its type on the wire. Only what Arrow messages need: the FlatBuffers library
 * cannot validate its input, so both reading and writing are our own.
 */
export type FlatValue =
  | { readonly type: 'i8' | 'i16' | 'i32'; readonly value: number }
  | { readonly type: 'i64'; readonly value: bigint }
  | { readonly type: 'text'; readonly value: string }
  | { readonly type: 'table'; readonly value: FlatFields }
  | { readonly type: 'tables'; readonly value: readonly FlatFields[] }
  /** Structs of two 64-bit numbers each, one after the other. */
  | { readonly type: 'pairs'; readonly value: readonly (readonly [number, number])[] };

/** Fields of a table by their number in the schema; absent ones have their default. */
export type FlatFields = readonly (readonly [field: number, value: FlatValue])[];

const WIDTH = { i8: 1, i16: 2, i32: 4, i64: 8, text: 4, table: 4, tables: 4, pairs: 4 } as const;

/** Bytes of a FlatBuffer with this root, padded to a multiple of eight. */
export function writeFlat(root: FlatFields): Uint8Array {
  const writer = new FlatWriter();
  writer.writeRoot(root);
  return writer.finish();
}

/** Parents before children, so that what comes first in the root also comes first in the file. */
class FlatWriter {
  private bytes = Buffer.alloc(4096);
  private length = 0;

  writeRoot(root: FlatFields): void {
    const at = this.reserve(4, 8, 0);
    this.point(at, this.table(root));
  }

  finish(): Uint8Array {
    this.reserve(0, 8, 0);
    return this.bytes.subarray(0, this.length);
  }

  /** Reserves `size` zeroed bytes at a position whose remainder modulo `align` is `rest`. */
  private reserve(size: number, align: number, rest: number): number {
    const at = this.length + ((((rest - this.length) % align) + align) % align);
    this.length = at + size;
    if (this.length > this.bytes.length) {
      const larger = Buffer.alloc(this.length * 2);
      this.bytes.copy(larger);
      this.bytes = larger;
    }
    return at;
  }

  private point(from: number, to: number): void {
    this.bytes.writeUInt32LE(to - from, from);
  }

  private table(fields: FlatFields): number {
    const slots = fields.reduce((most, [field]) => Math.max(most, field + 1), 0);
    const inline = fields.reduce((sum, [, { type }]) => sum + WIDTH[type], 4);
    const table = this.reserve(4 + slots * 2, 4, 0);
    // 64-bit fields directly follow the four-byte offset to the vtable.
    const at = this.reserve(inline, 8, 4);
    this.bytes.writeUInt16LE(4 + slots * 2, table);
    this.bytes.writeUInt16LE(inline, table + 2);
    this.bytes.writeInt32LE(at - table, at);
    const children: [number, FlatValue][] = [];
    let next = at + 4;
    for (const [field, value] of [...fields].sort(widestFirst)) {
      this.bytes.writeUInt16LE(next - at, table + 4 + field * 2);
      if (!this.scalar(next, value)) children.push([next, value]);
      next += WIDTH[value.type];
    }
    for (const [from, value] of children) this.point(from, this.child(value));
    return at;
  }

  /** False when the value is not stored in the table itself. */
  private scalar(at: number, value: FlatValue): boolean {
    switch (value.type) {
      case 'i8':
        this.bytes.writeInt8(value.value, at);
        return true;
      case 'i16':
        this.bytes.writeInt16LE(value.value, at);
        return true;
      case 'i32':
        this.bytes.writeInt32LE(value.value, at);
        return true;
      case 'i64':
        this.bytes.writeBigInt64LE(value.value, at);
        return true;
      default:
        return false;
    }
  }

  private child(value: FlatValue): number {
    switch (value.type) {
      case 'text':
        return this.text(value.value);
      case 'table':
        return this.table(value.value);
      case 'tables':
        return this.tables(value.value);
      case 'pairs':
        return this.pairs(value.value);
      default:
        throw new RangeError(`${value.type} has no place outside of a table`);
    }
  }

  private text(value: string): number {
    const size = Buffer.byteLength(value);
    const at = this.reserve(4 + size + 1, 4, 0);
    this.bytes.writeUInt32LE(size, at);
    this.bytes.write(value, at + 4);
    return at;
  }

  private tables(values: readonly FlatFields[]): number {
    const at = this.reserve(4 + values.length * 4, 4, 0);
    this.bytes.writeUInt32LE(values.length, at);
    values.forEach((value, index) => {
      this.point(at + 4 + index * 4, this.table(value));
    });
    return at;
  }

  private pairs(values: readonly (readonly [number, number])[]): number {
    const at = this.reserve(4 + values.length * 16, 8, 4);
    this.bytes.writeUInt32LE(values.length, at);
    values.forEach(([first, second], index) => {
      this.bytes.writeBigInt64LE(BigInt(first), at + 4 + index * 16);
      this.bytes.writeBigInt64LE(BigInt(second), at + 12 + index * 16);
    });
    return at;
  }
}

function widestFirst([, a]: FlatFields[number], [, b]: FlatFields[number]): number {
  return WIDTH[b.type] - WIDTH[a.type];
}
