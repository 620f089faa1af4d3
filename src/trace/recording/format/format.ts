import type { Column } from '../arrow/arrow-schema.ts';

/** Incremented when older readers would misread the format; docs/format.md describes the current one. */
export const FORMAT_VERSION = 2;

/** Names in the metadata of the schema and of batches. */
export const Meta = {
  /** The version of the format; identifies a stream as a recording. */
  format: 'ioheat.format',
  header: 'ioheat.header',
  batch: 'ioheat.batch',
  /** CRC-32 of the text of `header` or `batch`, in hexadecimal digits. */
  check: 'ioheat.check',
} as const;

/** Maximum rows per batch: what the reader keeps in memory, and what a damaged batch loses. */
export const BATCH_ROWS = 1 << 16;

/** Identities per epoch, because a row stores a 16-bit number. */
export const EPOCH_KEYS = 1 << 16;

/** Maximum length of a process or disk name; the kernel gives 15 bytes, other tools may give more. */
export const MAX_NAME = 256;
export const MAX_DEVICES = 4096;
/**
 * Limit of device numbers: those of the kernel have 32 bits, and in a recording of several hosts each host has its own
 * range.
 */
export const MAX_DEV = 2 ** 48;
export const MAX_CGROUPS = EPOCH_KEYS;
export const MAX_PROCESSES = EPOCH_KEYS;
/** Maximum number of files per epoch: the capacity of a `FileTable`, with folders. */
export const MAX_FILES = (1 << 16) + (1 << 12);
/** Maximum number of I/Os in flight for long, per batch. */
export const MAX_SPANS = 1 << 14;
/** Maximum number of samples of how long tasks waited for storage, per batch. */
export const MAX_PRESSURE_SAMPLES = 1 << 12;
/** Maximum number of stretches in which a disk was busy, per batch. */
export const MAX_BUSY = 1 << 14;
/** Maximum number of mount points of a disk, and the length of each (PATH_MAX). */
export const MAX_MOUNTS = 64;
export const MAX_PATH = 4096;
/** Maximum length of a command line. */
export const MAX_COMMAND = 1024;
/** Maximum length of the name of a cgroup, which may contain those of others above it. */
export const MAX_CGROUP_NAME = 1024;

/** Maximum trace time in ns: doubles represent it exactly. */
export const MAX_TIME_NS = Number.MAX_SAFE_INTEGER;
/**
 * Limit of what the kernel counts in 64 bits, which is rounded from 2^53 on: sizes, places, inode numbers, and time that
 * has added up since the machine started.
 */
export const MAX_OF_KERNEL = 2 ** 64;

export const RowKind = { io: 0, summary: 1, lost: 2 } as const;
export const ROW_KINDS = ['io', 'summary', 'lost'] as const;

/** Dictionary columns, by the id of their dictionary. */
export const Dictionary = {
  device: 0,
  comm: 1,
  op: 2,
  flags: 3,
  cgroup: 4,
  kind: 5,
  layer: 6,
} as const;
export const DICTIONARIES = 7;

const int64 = { kind: 'int', bits: 64, signed: true } as const;
const int32 = { kind: 'int', bits: 32, signed: true } as const;

/** Order of the columns; their buffers are in this order in each batch. */
export const COLUMNS = [
  { name: 'time', type: { kind: 'time' } },
  { name: 'device', type: { kind: 'text', id: Dictionary.device, bits: 16 } },
  { name: 'pid', type: int32 },
  { name: 'tid', type: int32 },
  { name: 'comm', type: { kind: 'text', id: Dictionary.comm, bits: 16 } },
  { name: 'op', type: { kind: 'text', id: Dictionary.op, bits: 8 } },
  { name: 'flags', type: { kind: 'text', id: Dictionary.flags, bits: 8 } },
  { name: 'sector', type: int64 },
  { name: 'bytes', type: int64 },
  { name: 'queue_ns', type: { kind: 'float' } },
  { name: 'device_ns', type: { kind: 'float' } },
  { name: 'total_ns', type: { kind: 'float' } },
  { name: 'error', type: int32 },
  { name: 'cgroup', type: { kind: 'text', id: Dictionary.cgroup, bits: 16 } },
  { name: 'kind', type: { kind: 'text', id: Dictionary.kind, bits: 8 } },
  { name: 'count', type: int64 },
  { name: 'key', type: { kind: 'int', bits: 16, signed: false } },
  { name: 'summary', type: { kind: 'utf8' } },
  { name: 'file', type: { kind: 'int', bits: 32, signed: false } },
  { name: 'file_offset', type: int64 },
  { name: 'layer', type: { kind: 'text', id: Dictionary.layer, bits: 8 } },
  { name: 'result', type: int64 },
] as const satisfies readonly Column[];

export type ColumnName = (typeof COLUMNS)[number]['name'];

/** Number of buffers of a column: validity and values; texts have their offsets before the values. */
function buffersOf({ type }: Column): number {
  return type.kind === 'utf8' ? 3 : 2;
}

function buffersBefore(index: number): number {
  return COLUMNS.slice(0, index).reduce((sum, column) => sum + buffersOf(column), 0);
}

/** Index of a column's first buffer, its validity, in a batch's list of buffers. */
export const FIRST_BUFFER: Readonly<Record<ColumnName, number>> = Object.fromEntries(
  COLUMNS.map(({ name }, index) => [name, buffersBefore(index)]),
) as Record<ColumnName, number>;

const BUFFERS = buffersBefore(COLUMNS.length);
/**
 * Columns were added at the end: version 1 has none from `file` on. The first recordings of version 2 have none from
 * `file_offset` on, later ones none from `layer` on, then none from `result` on.
 */
export const BUFFERS_WITHOUT_FILE = FIRST_BUFFER.file;
const BUFFERS_WITHOUT_FILE_OFFSET = FIRST_BUFFER.file_offset;
export const BUFFERS_WITHOUT_LAYER = FIRST_BUFFER.layer;
const BUFFERS_WITHOUT_RESULT = FIRST_BUFFER.result;
export const KNOWN_BUFFERS: readonly number[] = [
  BUFFERS_WITHOUT_FILE,
  BUFFERS_WITHOUT_FILE_OFFSET,
  BUFFERS_WITHOUT_LAYER,
  BUFFERS_WITHOUT_RESULT,
  BUFFERS,
];

/** 64-bit numbers are handled as two 32-bit words. This is what one unit of the upper word stands for. */
export const HIGH_WORD = 2 ** 32;
/** Both words of an unknown sector or offset: −1. */
export const NO_WORD = 0xffff_ffff;
/** The upper word of a missing result: −2^63, which no call returns. */
export const NO_RESULT_HIGH = 0x8000_0000;
