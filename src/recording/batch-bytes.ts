import { batchFields, bodyPieces, encodeMessage, layOut } from './arrow-message.ts';
import type { ColumnBody } from './arrow-message.ts';
import { HeaderType, schemaFields } from './arrow-schema.ts';
import { notesMetadata } from './batch-notes.ts';
import type { BatchNotes } from './batch-notes.ts';
import { COLUMNS } from './format.ts';
import { compressBuffer } from './lz4-buffers.ts';
import { NO_BYTES } from './raw-columns.ts';
import { headerMetadata } from './recording-header.ts';
import type { RecordingHeader } from './recording-header.ts';

/** How a recording begins. */
export function schemaBytes(header: RecordingHeader): Uint8Array {
  return encodeMessage(HeaderType.schema, schemaFields(COLUMNS, headerMetadata(header)), 0);
}

/**
 * A dictionary, whole: it replaces the one before. Arrow could append to it instead, but Polars, for
 * one, does not read that.
 */
export function dictionaryBytes(id: number, texts: readonly string[]): Uint8Array[] {
  const values = texts.map((text) => Buffer.from(text));
  const offsets = new Int32Array(values.length + 1);
  values.forEach((value, index) => {
    offsets[index + 1] = offsets[index]! + value.length;
  });
  const buffers = [NO_BYTES, new Uint8Array(offsets.buffer), Buffer.concat(values)];
  const columns = [{ nulls: 0, buffers }];
  const data = batchFields(values.length, columns, false);
  const message = encodeMessage(
    HeaderType.dictionary,
    [
      [0, { type: 'i64', value: BigInt(id) }],
      [1, { type: 'table', value: data }],
    ],
    layOut(columns).bodyBytes,
  );
  return [message, ...bodyPieces(columns)];
}

/** A batch, compressed on other threads; `columns` must not change before it is done. */
export async function batchBytes(
  columns: readonly ColumnBody[],
  notes: Omit<BatchNotes, 'bodyBytes'>,
): Promise<Uint8Array[]> {
  const packed = await Promise.all(
    columns.map(async ({ nulls, buffers }) => ({
      nulls,
      buffers: await Promise.all(buffers.map(compressBuffer)),
    })),
  );
  const { bodyBytes } = layOut(packed);
  const metadata = notesMetadata({ ...notes, bodyBytes });
  const fields = batchFields(notes.rows, packed, true);
  return [encodeMessage(HeaderType.batch, fields, bodyBytes, metadata), ...bodyPieces(packed)];
}
