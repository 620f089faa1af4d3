import type { FlatFields } from './flat-writer.ts';

/** Constants of the Arrow format, from its `Message.fbs` and `Schema.fbs`. */
export const METADATA_V5 = 4;
export const HeaderType = { schema: 1, dictionary: 2, batch: 3 } as const;
/** The last two occur only in recordings that other programs have rewritten. */
export const TypeId = {
  int: 2,
  float: 3,
  utf8: 5,
  timestamp: 10,
  largeUtf8: 20,
  utf8View: 24,
} as const;
const SINGLE_PRECISION = 1;
const NANOSECOND = 3;

/** Type of a column. The rows of a dictionary column are unsigned indices of that many bits into texts. */
export type ColumnType =
  | { readonly kind: 'time' }
  | { readonly kind: 'int'; readonly bits: 16 | 32 | 64; readonly signed: boolean }
  | { readonly kind: 'float' }
  | { readonly kind: 'utf8' }
  | { readonly kind: 'text'; readonly id: number; readonly bits: 8 | 16 };

export interface Column {
  readonly name: string;
  readonly type: ColumnType;
}

export type KeyValues = readonly (readonly [key: string, value: string])[];

/** The header of a schema message. All columns may contain nulls. */
export function schemaFields(columns: readonly Column[], metadata: KeyValues): FlatFields {
  return [
    // Written first, so that the first bytes of a file identify it.
    [2, { type: 'tables', value: keyValueTables(metadata) }],
    [1, { type: 'tables', value: columns.map(fieldTable) }],
  ];
}

/** As tables `KeyValue` of Arrow's `Schema.fbs`. */
export function keyValueTables(values: KeyValues): FlatFields[] {
  return values.map(([key, value]) => [
    [0, { type: 'text', value: key }],
    [1, { type: 'text', value }],
  ]);
}

function fieldTable({ name, type }: Column): FlatFields {
  const { id, fields } = arrowType(type);
  return [
    [0, { type: 'text', value: name }],
    [1, { type: 'i8', value: 1 }],
    [2, { type: 'i8', value: id }],
    [3, { type: 'table', value: fields }],
    ...(type.kind === 'text' ? [dictionaryOf(type.id, type.bits)] : []),
    [5, { type: 'tables', value: [] }],
  ];
}

function dictionaryOf(id: number, bits: number): FlatFields[number] {
  const index: FlatFields = [
    [0, { type: 'i32', value: bits }],
    [1, { type: 'i8', value: 0 }],
  ];
  const encoding: FlatFields = [
    [0, { type: 'i64', value: BigInt(id) }],
    [1, { type: 'table', value: index }],
  ];
  return [4, { type: 'table', value: encoding }];
}

function arrowType(type: ColumnType): { id: number; fields: FlatFields } {
  switch (type.kind) {
    case 'time':
      return {
        id: TypeId.timestamp,
        fields: [
          [0, { type: 'i16', value: NANOSECOND }],
          [1, { type: 'text', value: 'UTC' }],
        ],
      };
    case 'int':
      return {
        id: TypeId.int,
        fields: [
          [0, { type: 'i32', value: type.bits }],
          [1, { type: 'i8', value: type.signed ? 1 : 0 }],
        ],
      };
    case 'float':
      return { id: TypeId.float, fields: [[0, { type: 'i16', value: SINGLE_PRECISION }]] };
    case 'utf8':
    case 'text':
      return { id: TypeId.utf8, fields: [] };
  }
}
