import { ByteWriter, ParquetWriter } from 'hyparquet-writer';
import type { SchemaElement } from 'hyparquet-writer';
import type { ClockBase } from '../../base/time.ts';
import type { CompletionColumns } from '../../model/completion-columns.ts';
import { wallNsOf } from '../wall-time.ts';
import { COLUMNS } from './csv.ts';
import type { ColumnName } from './csv.ts';
import { EventRows } from './event-row.ts';
import type { EventRow, RowContext } from './event-row.ts';
import type { RowEncoder } from './row-encoder.ts';
import type { RowPicker } from './row-picker.ts';

/** Large enough to compress well, small enough to keep in memory: about 15 MB while one is collected. */
const ROWS_PER_GROUP = 65_536;

type ColumnType = Pick<SchemaElement, 'type' | 'converted_type' | 'logical_type'>;

const TEXT: ColumnType = { type: 'BYTE_ARRAY', converted_type: 'UTF8' };
const BOOLEAN: ColumnType = { type: 'BOOLEAN' };
const INT64: ColumnType = { type: 'INT64' };
const UINT64: ColumnType = { type: 'INT64', converted_type: 'UINT_64' };
const TIME: ColumnType = {
  type: 'INT64',
  logical_type: { type: 'TIMESTAMP', isAdjustedToUTC: true, unit: 'NANOS' },
};

const TYPES: Readonly<Record<ColumnName, ColumnType>> = {
  time: TIME,
  trace_ns: INT64,
  device: TEXT,
  pid: INT64,
  tid: INT64,
  comm: TEXT,
  op: TEXT,
  flags: TEXT,
  sector: INT64,
  bytes: INT64,
  queue_ns: INT64,
  device_ns: INT64,
  total_ns: INT64,
  error: INT64,
  error_text: TEXT,
  cgroup_id: INT64,
  cgroup: TEXT,
  file: TEXT,
  other_files: BOOLEAN,
  file_offset: INT64,
  via: TEXT,
  several_writers: BOOLEAN,
  layer: TEXT,
  call: TEXT,
  result: INT64,
  inode: UINT64,
  generation: INT64,
  file_dev: TEXT,
  first_seen_ns: INT64,
};

type Cell = string | number | bigint | boolean | null;

type CellOf = (event: EventRow, base: ClockBase | undefined) => Cell | undefined;

const CELLS: Readonly<Record<ColumnName, CellOf>> = {
  time: ({ traceNs }, base) => base && wallNsOf(base, traceNs),
  trace_ns: ({ traceNs }) => BigInt(traceNs),
  device: ({ identity }) => identity.device,
  pid: ({ identity }) => big(identity.pid),
  tid: ({ identity }) => big(identity.tid),
  comm: ({ identity }) => identity.comm,
  op: ({ identity }) => identity.op,
  flags: ({ identity }) => identity.flags,
  sector: ({ sector }) => big(sector),
  bytes: ({ bytes }) => big(bytes),
  queue_ns: ({ queueNs }) => big(queueNs),
  device_ns: ({ deviceNs }) => big(deviceNs),
  total_ns: ({ totalNs }) => big(totalNs),
  error: ({ identity }) => big(identity.error),
  error_text: ({ identity }) => identity.errorText,
  cgroup_id: ({ identity }) => big(identity.cgroupId),
  cgroup: ({ identity }) => identity.cgroup,
  file: ({ file }) => file,
  other_files: ({ otherFiles }) => otherFiles,
  file_offset: ({ fileOffset }) => big(fileOffset),
  via: ({ identity }) => identity.via,
  several_writers: ({ identity }) => identity.severalWriters,
  layer: ({ identity }) => identity.layer,
  call: ({ identity }) => identity.call,
  result: ({ result }) => big(result),
  inode: ({ inode }) => big(inode),
  generation: ({ generation }) => big(generation),
  file_dev: ({ fileDev }) => fileDev,
  first_seen_ns: ({ firstSeenNs }) => big(firstSeenNs),
};

function big(value: number | undefined): bigint | undefined {
  return value === undefined ? undefined : BigInt(value);
}

/**
 * Parquet, Snappy-compressed, with the columns of the CSV and types: time as a UTC timestamp in ns, null for unknown,
 * an empty text for no flags and no error. Written one row group at a time.
 */
export function createParquetEncoder(
  context: RowContext,
  rowsPerGroup = ROWS_PER_GROUP,
): RowEncoder {
  return new ParquetEncoder(context, rowsPerGroup);
}

class ParquetEncoder implements RowEncoder {
  readonly left = undefined;
  private readonly bytes = new ByteWriter();
  private readonly writer: ParquetWriter;
  private readonly events: EventRows;
  private readonly base: ClockBase | undefined;
  private columns = emptyColumns();

  constructor(
    context: RowContext,
    private readonly rowsPerGroup: number,
  ) {
    this.events = new EventRows(context);
    this.base = context.hasWallClock ? context.clockBase : undefined;
    this.writer = new ParquetWriter({ writer: this.bytes, schema: schema() });
  }

  begin(): Uint8Array {
    return this.take();
  }

  encode(rows: CompletionColumns, picker: RowPicker): Uint8Array {
    const count = picker.pick(rows);
    for (let i = 0; i < count; i++) {
      const event = this.events.at(rows, picker.picked[i]!);
      for (const name of COLUMNS) this.columns[name].push(CELLS[name](event, this.base) ?? null);
      if (this.columns.op.length === this.rowsPerGroup) this.writeGroup();
    }
    return this.take();
  }

  end(): Uint8Array {
    this.writeGroup();
    void this.writer.finish();
    return this.take();
  }

  private writeGroup(): void {
    const { columns } = this;
    if (columns.op.length === 0) return;
    // Page offsets would stay in memory for each group until the file ends.
    const columnData = COLUMNS.map((name) => ({ name, data: columns[name], offsetIndex: false }));
    void this.writer.write({ columnData, rowGroupSize: this.rowsPerGroup });
    this.columns = emptyColumns();
  }

  /** Takes what was written since the last call; offsets in the file keep counting. */
  private take(): Uint8Array {
    const bytes = this.bytes.getBytes().slice();
    this.bytes.index = 0;
    return bytes;
  }
}

function emptyColumns(): Record<ColumnName, Cell[]> {
  return Object.fromEntries(COLUMNS.map((name) => [name, [] as Cell[]])) as Record<
    ColumnName,
    Cell[]
  >;
}

function schema(): SchemaElement[] {
  const isAlwaysThere: readonly ColumnName[] = ['trace_ns'];
  const columns = COLUMNS.map((name): SchemaElement => {
    const repetition_type = isAlwaysThere.includes(name) ? 'REQUIRED' : 'OPTIONAL';
    return { name, repetition_type, ...TYPES[name] };
  });
  return [{ name: 'io', num_children: columns.length }, ...columns];
}
