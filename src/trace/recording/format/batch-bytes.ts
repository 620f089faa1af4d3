import { batchFields, bodyPieces, encodeMessage, layOut } from '../arrow/arrow-message.ts';
import type { ColumnBody } from '../arrow/arrow-message.ts';
import { HeaderType, schemaFields } from '../arrow/arrow-schema.ts';
import { notesMetadata } from './batch-notes.ts';
import type { BatchNotes } from './batch-notes.ts';
import { COLUMNS } from './format.ts';
import { compressBuffer } from '../lz4/lz4-buffers.ts';
import { NO_BYTES } from '../arrow/raw-columns.ts';
import { headerMetadata } from './recording-header.ts';
import type { RecordingHeader } from './recording-header.ts';

/** The first bytes of a recording. */
export function schemaBytes(header: RecordingHeader): Uint8Array {
  return encodeMessage(HeaderType.schema, schemaFields(COLUMNS, headerMetadata(header)), 0);
}

/**
 * A complete dictionary, which replaces the previous one. Arrow could append to it instead, but some readers, such
 * as Polars, do not support that.
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

/** A batch, compressed by other threads; `columns` must not change until the promise resolves. */
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
