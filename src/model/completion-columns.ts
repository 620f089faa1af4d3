/**
 * Completed I/Os as columns, one row per completion. A batch from a source and a chunk of the history have the same
 * layout, so one loop bins both. A row is 44 bytes, and 8 more where there are results.
 */
export interface CompletionColumns {
  /** Number of rows in use, starting with row 0. */
  length: number;
  /** Ns since the start of the trace. Rows are nearly, but not strictly, in this order. */
  readonly completeNs: Float64Array;
  /** complete − first issue, in ns; NaN when unknown. */
  readonly deviceNs: Float32Array;
  /** first issue − when the bio was queued, in ns; NaN when unknown. */
  readonly queueNs: Float32Array;
  /** Absolute 512-byte sector on the whole disk; NaN when the I/O has none (flush, passthrough). */
  readonly sector: Float64Array;
  readonly bytes: Uint32Array;
  /** Index into the `IdentityTable`. */
  readonly identity: Uint32Array;
  /** Number in the `FileTable`; plus `MERGED_FILES` for bytes of several files. */
  readonly file: Uint32Array;
  /** Where in that file its first byte is, in bytes; NaN when unknown. */
  readonly fileOffset: Float64Array;
  /**
   * What a system call returned, negative for an error; NaN for I/O, which has none. Empty, not even NaN, until the first
   * call comes: see `resultsOf`.
   */
  result: Float64Array;
}

const NO_RESULTS = new Float64Array(0);
export const RESULT_BYTES = 8;

/** The column of results, allocated if it was empty. */
export function resultsOf(columns: CompletionColumns): Float64Array {
  if (columns.result.length === 0)
    columns.result = new Float64Array(columns.identity.length).fill(NaN);
  return columns.result;
}

export const BYTES_PER_ROW = 44;

/** The unit of `sector`, whatever the disk's own sector size is. */
export const SECTOR_BYTES = 512;

/** A month, in ns: every latency is below, and totals stay exact. */
export const LATENCIES_NS = 2.6e15;

export function createColumns(capacity: number): CompletionColumns {
  return {
    length: 0,
    completeNs: new Float64Array(capacity),
    deviceNs: new Float32Array(capacity),
    queueNs: new Float32Array(capacity),
    sector: new Float64Array(capacity),
    bytes: new Uint32Array(capacity),
    identity: new Uint32Array(capacity),
    file: new Uint32Array(capacity),
    fileOffset: new Float64Array(capacity).fill(NaN),
    result: NO_RESULTS,
  };
}

/** The result of a row; undefined for I/O, and where it is unknown. */
export function resultOf({ result }: CompletionColumns, row: number): number | undefined {
  const value = result[row] ?? NaN;
  return Number.isNaN(value) ? undefined : value;
}

/** Appends rows [from, to) of `source` to `target`, which must have room. */
export function appendRows(
  target: CompletionColumns,
  source: CompletionColumns,
  from: number,
  to: number,
): void {
  const at = target.length;
  target.completeNs.set(source.completeNs.subarray(from, to), at);
  target.deviceNs.set(source.deviceNs.subarray(from, to), at);
  target.queueNs.set(source.queueNs.subarray(from, to), at);
  target.sector.set(source.sector.subarray(from, to), at);
  target.bytes.set(source.bytes.subarray(from, to), at);
  target.identity.set(source.identity.subarray(from, to), at);
  target.file.set(source.file.subarray(from, to), at);
  target.fileOffset.set(source.fileOffset.subarray(from, to), at);
  if (source.result.length > 0) resultsOf(target).set(source.result.subarray(from, to), at);
  else if (target.result.length > 0) target.result.fill(NaN, at, at + to - from);
  target.length = at + (to - from);
}
