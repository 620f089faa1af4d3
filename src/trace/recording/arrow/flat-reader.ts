/** The input is inconsistent: truncated, overwritten, or not a FlatBuffer. */
export class DamagedError extends Error {}

/**
 * A table in an untrusted FlatBuffer: each access beyond the end of the buffer throws a `DamagedError`. The nesting
 * depth is limited by the calls, because no code here loops over offsets.
 */
export class FlatTable {
  private constructor(
    private readonly bytes: Buffer,
    private readonly at: number,
    private readonly slots: number,
    private readonly slotCount: number,
  ) {}

  static root(bytes: Buffer): FlatTable {
    return FlatTable.open(bytes, follow(bytes, 0));
  }

  private static open(bytes: Buffer, at: number): FlatTable {
    const slots = at - bytes.readInt32LE(check(bytes, at, 4));
    const size = bytes.readUInt16LE(check(bytes, slots, 4));
    if (size < 4) throw new DamagedError('a table without slots');
    check(bytes, slots, size);
    return new FlatTable(bytes, at, slots, (size - 4) >> 1);
  }

  i8(field: number): number {
    const at = this.place(field, 1);
    return at === 0 ? 0 : this.bytes.readInt8(at);
  }

  i16(field: number): number {
    const at = this.place(field, 2);
    return at === 0 ? 0 : this.bytes.readInt16LE(at);
  }

  i32(field: number): number {
    const at = this.place(field, 4);
    return at === 0 ? 0 : this.bytes.readInt32LE(at);
  }

  /** A 64-bit length or offset; throws when a `Number` cannot represent it exactly. */
  size(field: number): number {
    const at = this.place(field, 8);
    return at === 0 ? 0 : sizeAt(this.bytes, at);
  }

  table(field: number): FlatTable | undefined {
    const at = this.place(field, 4);
    return at === 0 ? undefined : FlatTable.open(this.bytes, follow(this.bytes, at));
  }

  tables(field: number, most: number): FlatTable[] {
    const { bytes } = this;
    const { at, count } = this.vector(field, 4, most);
    return Array.from({ length: count }, (_, index) =>
      FlatTable.open(bytes, follow(bytes, at + index * 4)),
    );
  }

  pairs(field: number, most: number): [number, number][] {
    const { bytes } = this;
    const { at, count } = this.vector(field, 16, most);
    return Array.from({ length: count }, (_, index) => [
      sizeAt(bytes, at + index * 16),
      sizeAt(bytes, at + index * 16 + 8),
    ]);
  }

  sizes(field: number, most: number): number[] {
    const { bytes } = this;
    const { at, count } = this.vector(field, 8, most);
    return Array.from({ length: count }, (_, index) => sizeAt(bytes, at + index * 8));
  }

  text(field: number): string | undefined {
    const { bytes } = this;
    if (this.place(field, 4) === 0) return undefined;
    const { at, count } = this.vector(field, 1, bytes.length);
    return bytes.toString('utf8', at, at + count);
  }

  private vector(field: number, width: number, most: number): { at: number; count: number } {
    const place = this.place(field, 4);
    if (place === 0) return { at: 0, count: 0 };
    const at = follow(this.bytes, place);
    const count = this.bytes.readUInt32LE(check(this.bytes, at, 4));
    if (count > most) throw new DamagedError(`a list of ${count}`);
    check(this.bytes, at + 4, count * width);
    return { at: at + 4, count };
  }

  /** Position of a field's value; 0 when the field has its default. */
  private place(field: number, width: number): number {
    if (field >= this.slotCount) return 0;
    const offset = this.bytes.readUInt16LE(this.slots + 4 + field * 2);
    return offset === 0 ? 0 : check(this.bytes, this.at + offset, width);
  }
}

function check(bytes: Buffer, at: number, size: number): number {
  if (at < 0 || at + size > bytes.length) throw new DamagedError('an offset beyond the end');
  return at;
}

function follow(bytes: Buffer, at: number): number {
  return at + bytes.readUInt32LE(check(bytes, at, 4));
}

function sizeAt(bytes: Buffer, at: number): number {
  const value = Number(bytes.readBigInt64LE(at));
  if (value < 0 || !Number.isSafeInteger(value)) throw new DamagedError('an impossible size');
  return value;
}
