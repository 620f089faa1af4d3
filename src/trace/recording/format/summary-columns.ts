import type { CompletionSummary } from '../../completion-summary.ts';
import type { ColumnBody } from '../arrow/arrow-message.ts';
import { RowKind } from './format.ts';
import { NullBit } from './identity-book.ts';
import type { IdentityBook } from './identity-book.ts';
import { bitmapOf, keyColumn, NO_BYTES } from '../arrow/raw-columns.ts';
import { summaryBytes } from './summary-bytes.ts';

/** A summary, and the number of its identity in the epoch. */
export interface NumberedSummary {
  readonly summary: CompletionSummary;
  readonly key: number;
}

/**
 * One row per summary, in the order of `COLUMNS`. The time is the start of its stretch, bytes are the total;
 * latencies are means over the I/Os that could be measured.
 */
export function summaryColumns(
  rows: readonly NumberedSummary[],
  book: IdentityBook,
  wallNs: bigint,
): ColumnBody[] {
  const { readable, anyNulls } = book;
  const { length } = rows;
  const keys = Uint16Array.from(rows, ({ key }) => key);
  const byKey = (values: Parameters<typeof keyColumn>[1], nullBit = 0): ColumnBody =>
    keyColumn(keys, values, nullBit & anyNulls, readable.nulls);
  const integers = (value: (row: CompletionSummary) => number): ColumnBody =>
    plain(BigInt64Array.from(rows, ({ summary }) => BigInt(Math.round(value(summary)))));
  const queueNs = means(rows, ({ queueNsSum, queue }) => queueNsSum / sum(queue));
  const deviceNs = means(rows, ({ deviceNsSum, device }) => deviceNsSum / sum(device));
  return [
    plain(BigInt64Array.from(rows, ({ summary }) => wallNs + BigInt(Math.floor(summary.startNs)))),
    byKey(readable.device, NullBit.device),
    byKey(readable.pid, NullBit.owner),
    byKey(readable.tid, NullBit.tid),
    byKey(readable.comm, NullBit.comm),
    byKey(readable.op, NullBit.op),
    byKey(readable.flags, NullBit.flags),
    { nulls: length, buffers: [allNull(length), new Uint8Array(length * 8)] },
    integers(({ bytes }) => bytes),
    floats(queueNs),
    floats(deviceNs),
    floats(queueNs.map((value, row) => value + deviceNs[row]!)),
    byKey(readable.error, NullBit.error),
    byKey(readable.cgroup, NullBit.cgroup),
    plain(new Uint8Array(length).fill(RowKind.summary)),
    integers(({ count }) => count),
    plain(keys),
    texts(rows.map(({ summary }) => Buffer.from(summaryBytes(summary).toString('base64')))),
    { nulls: length, buffers: [allNull(length), new Uint8Array(length * 4)] },
    { nulls: length, buffers: [allNull(length), new Uint8Array(length * 8)] },
    byKey(readable.layer),
    { nulls: length, buffers: [allNull(length), new Uint8Array(length * 8)] },
  ];
}

function allNull(length: number): Uint8Array {
  return new Uint8Array((length + 7) >> 3);
}

function sum(bins: Uint32Array): number {
  return bins.reduce((total, count) => total + count, 0);
}

function means(
  rows: readonly NumberedSummary[],
  mean: (summary: CompletionSummary) => number,
): Float32Array {
  return Float32Array.from(rows, ({ summary }) => mean(summary));
}

function floats(values: Float32Array): ColumnBody {
  const { nulls, bitmap } = bitmapOf(values.length, (row) => Number.isNaN(values[row]!));
  return { nulls, buffers: [bitmap, new Uint8Array(values.buffer)] };
}

function plain(values: Uint8Array | Uint16Array | BigInt64Array): ColumnBody {
  return { nulls: 0, buffers: [NO_BYTES, new Uint8Array(values.buffer)] };
}

function texts(values: readonly Uint8Array[]): ColumnBody {
  const offsets = new Int32Array(values.length + 1);
  values.forEach((value, index) => {
    offsets[index + 1] = offsets[index]! + value.length;
  });
  return { nulls: 0, buffers: [NO_BYTES, new Uint8Array(offsets.buffer), Buffer.concat(values)] };
}
