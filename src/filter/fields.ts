import type { FileKind } from '../model/file.ts';
import type { LAYERS } from '../model/layer.ts';
import type { Operator } from './operators.ts';
import type { Metric } from '../model/metric.ts';
import type { OpenFlag, READ_ONLY } from '../model/open-flags.ts';
import { RequestFlag } from '../model/operation.ts';
import type { OpClass } from '../model/operation.ts';

/**
 * The numbers of a single I/O: the metrics except for utilization, which belongs to a disk, and what a call returned.
 */
export type Quantity = Exclude<Metric, 'utilization'> | 'result';

/** A possible value, and what it means. */
export interface Choice {
  readonly text: string;
  readonly description: string;
}

/** How a field's values are written: `name`s are free text, `id`s whole numbers. */
export type ValueKind =
  'name' | 'choice' | 'id' | 'error' | 'duration' | 'bytes' | 'sectors' | 'result';

/** A field that a filter can compare. Help, docs and completion are generated from these. */
export interface FilterField {
  readonly name: string;
  readonly aliases: readonly string[];
  readonly kind: ValueKind;
  /** Unit of the values in a `Term`. */
  readonly unit?: 'ns' | 'bytes' | '512-byte sectors';
  readonly description: string;
  /** The operator that is used most often. */
  readonly usual: Operator;
  /** All values of a `choice`; for other kinds, some likely values. */
  readonly choices: readonly Choice[];
}

function choices(meanings: Readonly<Record<string, string>>): Choice[] {
  return Object.entries(meanings).map(([text, description]) => ({ text, description }));
}

function examples(...texts: string[]): Choice[] {
  return texts.map((text) => ({ text, description: '' }));
}

const OP_MEANINGS: Record<OpClass, string> = {
  read: 'reads',
  write: 'writes, including write zeroes',
  flush: 'flushes of the write cache',
  discard: 'discards (trim) and secure erase',
  other: 'zone operations, passthrough commands',
};

/** Bits of `cmd_flags` by their names in filters. */
export const FLAG_BITS = {
  sync: RequestFlag.sync,
  meta: RequestFlag.meta,
  fua: RequestFlag.fua,
  preflush: RequestFlag.preflush,
  readahead: RequestFlag.readAhead,
  background: RequestFlag.background,
  throttled: RequestFlag.throttled,
} as const;

const FLAG_MEANINGS: Record<keyof typeof FLAG_BITS, string> = {
  sync: 'synchronous: a process waits for it',
  meta: 'file system metadata',
  fua: 'forced unit access: bypasses the write cache',
  preflush: 'flushes the write cache first',
  readahead: 'read-ahead',
  background: 'background write, low priority',
  throttled:
    'held back by a limit of its cgroup, or because too much was written to the page cache',
};

const OPEN_FLAG_MEANINGS: Record<Lowercase<OpenFlag | typeof READ_ONLY>, string> = {
  o_rdonly: 'a file is opened for reading',
  o_wronly: 'for writing',
  o_rdwr: 'for both',
  o_creat: 'created if it does not exist',
  o_excl: 'created, and must not exist before',
  o_trunc: 'emptied',
  o_append: 'each write goes to the end',
  o_dsync: 'each write waits for the disk',
  o_sync: 'each write waits for the disk, with metadata',
  o_direct: 'bypasses the page cache',
  o_directory: 'must be a directory',
  o_nofollow: 'must not be a symbolic link',
  o_path: 'only the path, not the data',
  o_tmpfile: 'without a name',
};

const OWNER_MEANINGS = {
  own: 'submitted by the process itself',
  through: 'the process wrote the data or waits for it, a kernel thread submitted it',
  writeback: 'written by the process, submitted by a kernel thread',
  shared: 'like writeback; others wrote to the file, or filled the journal, too',
  indirect: 'submitted by a kernel thread for an unknown process',
  unknown: 'not seen at submission',
};

const FILE_MEANINGS: Record<Exclude<FileKind, 'file'>, string> = {
  unknown: 'could not be determined',
  none: 'flushes, discards and passthrough commands',
  device: 'the device itself, without a file system',
  swap: 'swap space',
  metadata: 'metadata of a file system',
  journal: 'journal of a file system',
};

const LAYER_MEANINGS: Record<(typeof LAYERS)[number], string> = {
  disks: 'requests to disks',
  volumes: 'I/O of devices above disks: dm, LVM, LUKS, md, zram',
  waits: 'waits of programs for storage, in system calls and page faults',
  calls: 'system calls of programs on files',
};

const ERRORS: readonly Choice[] = [
  { text: 'any', description: 'failed' },
  { text: 'none', description: 'succeeded' },
  { text: '5', description: 'EIO: input/output error' },
  { text: '28', description: 'ENOSPC: no space left on the device' },
  { text: '61', description: 'ENODATA: medium error' },
  { text: '84', description: 'EILSEQ: integrity check failed' },
  { text: '95', description: 'EOPNOTSUPP: not supported' },
  { text: '110', description: 'ETIMEDOUT: the device did not answer' },
  { text: '121', description: 'EREMOTEIO: error of the target' },
];

const LATENCIES = examples('100us', '1ms', '10ms', '100ms', '1s');

export const FILTER_FIELDS = [
  {
    name: 'disk',
    aliases: ['disks', 'dev'],
    kind: 'name',
    description: 'whole disk, by its name in /sys/block or major:minor',
    usual: '=',
    choices: [],
  },
  {
    name: 'host',
    aliases: ['hosts'],
    kind: 'name',
    description: 'traced machine, in recordings of several hosts',
    usual: '=',
    choices: [],
  },
  {
    name: 'op',
    aliases: ['operation'],
    kind: 'choice',
    description: 'kind of operation',
    usual: '=',
    choices: choices(OP_MEANINGS),
  },
  {
    name: 'pid',
    aliases: ['tgid'],
    kind: 'id',
    description: 'process that submitted the I/O, or wrote what is written back',
    usual: '=',
    choices: [],
  },
  {
    name: 'tid',
    aliases: ['thread'],
    kind: 'id',
    description: 'thread that submitted the I/O, or wrote what is written back',
    usual: '=',
    choices: [],
  },
  {
    name: 'comm',
    aliases: ['process', 'command'],
    kind: 'name',
    description: 'name of the process',
    usual: '~',
    choices: [],
  },
  {
    name: 'cgroup',
    aliases: ['container'],
    kind: 'name',
    description: 'control group or container, by name or by the inode number of its directory',
    usual: '~',
    choices: [],
  },
  {
    name: 'cmd',
    aliases: ['cmdline', 'title'],
    kind: 'name',
    description: 'command line of the process, or the title that it wrote over it, where known',
    usual: '~',
    choices: [],
  },
  {
    name: 'user',
    aliases: ['uid'],
    kind: 'name',
    description: 'user of the process, by login name or user ID, where known',
    usual: '=',
    choices: [],
  },
  {
    name: 'mount',
    aliases: ['mountpoint'],
    kind: 'name',
    description: 'disk with a file system that is mounted there: all I/O of the disk',
    usual: '=',
    choices: [],
  },
  {
    name: 'volume',
    aliases: ['volumes'],
    kind: 'name',
    description:
      'volume by its name, in its own layer; in that of disks, all I/O of the disks it lies on',
    usual: '=',
    choices: [],
  },
  {
    name: 'file',
    aliases: ['path'],
    kind: 'name',
    description: 'file, by its path, or what else the bytes are of',
    usual: '~',
    choices: choices(FILE_MEANINGS),
  },
  {
    name: 'folder',
    aliases: [],
    kind: 'name',
    description: 'folder that holds the file, not one further up',
    usual: '=',
    choices: [],
  },
  {
    name: 'flag',
    aliases: ['flags'],
    kind: 'choice',
    description:
      'flag of a request, or of a call that opens a file; several in one list: any of them',
    usual: '=',
    choices: choices({ ...FLAG_MEANINGS, ...OPEN_FLAG_MEANINGS }),
  },
  {
    name: 'error',
    aliases: ['errno'],
    kind: 'error',
    description: 'how it ended: any error, none, or an errno',
    usual: '=',
    choices: ERRORS,
  },
  {
    name: 'owner',
    aliases: [],
    kind: 'choice',
    description: 'how the process is known',
    usual: '=',
    choices: choices(OWNER_MEANINGS),
  },
  {
    name: 'via',
    aliases: ['through'],
    kind: 'name',
    description: 'kernel thread that submitted the I/O for a process, by its name or kind',
    usual: '=',
    choices: examples('kworker', 'jbd2', 'xfsaild'),
  },
  {
    name: 'layer',
    aliases: [],
    kind: 'choice',
    description: 'where it was measured; without it, disks',
    usual: '=',
    choices: choices(LAYER_MEANINGS),
  },
  {
    name: 'call',
    aliases: ['syscall'],
    kind: 'name',
    description:
      'in the layers waits and calls: system call, page-fault, or uring-read and the like',
    usual: '=',
    choices: examples('fsync', 'pread64', 'page-fault', 'uring-read'),
  },
  {
    name: 'ret',
    aliases: ['result'],
    kind: 'result',
    description: 'in the layer calls: what the call returned, negative for an error',
    usual: '<',
    choices: examples('0', '-2'),
  },
  {
    name: 'lat',
    aliases: ['total', 'latency'],
    kind: 'duration',
    unit: 'ns',
    description: 'total latency: queued to completion',
    usual: '>',
    choices: LATENCIES,
  },
  {
    name: 'dlat',
    aliases: ['device'],
    kind: 'duration',
    unit: 'ns',
    description: 'device latency: issue to completion; known for I/O of disks only',
    usual: '>',
    choices: LATENCIES,
  },
  {
    name: 'qlat',
    aliases: ['queue'],
    kind: 'duration',
    unit: 'ns',
    description: 'queue latency: queued to issue; known for I/O of disks only',
    usual: '>',
    choices: LATENCIES,
  },
  {
    name: 'size',
    aliases: ['bytes'],
    kind: 'bytes',
    unit: 'bytes',
    description: 'size of the I/O',
    usual: '>=',
    choices: examples('4k', '64k', '1m'),
  },
  {
    name: 'offset',
    aliases: [],
    kind: 'bytes',
    unit: 'bytes',
    description: 'position on the disk, from its start',
    usual: '<',
    choices: examples('1g', '10g', '100g', '1t'),
  },
  {
    name: 'sector',
    aliases: [],
    kind: 'sectors',
    unit: '512-byte sectors',
    description: 'position on the disk, in 512-byte sectors',
    usual: '>=',
    choices: [],
  },
  {
    name: 'fileoffset',
    aliases: ['file_offset'],
    kind: 'bytes',
    unit: 'bytes',
    description: 'position of the first byte in its file, from the start of the file',
    usual: '<',
    choices: examples('1m', '100m', '1g', '10g'),
  },
] as const satisfies FilterField[];

export type FieldName = (typeof FILTER_FIELDS)[number]['name'];

const BY_WORD = new Map<string, FilterField & { name: FieldName }>(
  FILTER_FIELDS.flatMap((field) => [field.name, ...field.aliases].map((word) => [word, field])),
);

/** The field with this name or alias, in any case. */
export function findField(word: string): (FilterField & { readonly name: FieldName }) | undefined {
  return BY_WORD.get(word.toLowerCase());
}

/** Every name and alias of a field. */
export const FIELD_WORDS: readonly string[] = [...BY_WORD.keys()];

/** The field with this name. */
export function fieldOf(name: FieldName): FilterField & { readonly name: FieldName } {
  return BY_WORD.get(name)!;
}

const EQUALITY = ['=', '!='] as const;

/** The operators that a field can be compared with. */
export function operatorsOf({ kind }: Pick<FilterField, 'kind'>): readonly Operator[] {
  if (kind === 'name') return [...EQUALITY, '~', '!~'];
  if (kind === 'choice' || kind === 'error') return EQUALITY;
  return [...EQUALITY, '<', '<=', '>', '>='];
}

/** Whether a field compares the file of an I/O. */
export function asksFile(name: FieldName): name is 'file' | 'folder' {
  return name === 'file' || name === 'folder';
}

/** Whether a field depends on the single I/O, not on its identity alone. */
export function asksSingleIo(name: FieldName): boolean {
  return asksFile(name) || quantityOf(name) !== undefined;
}

/** The value of an I/O that a field compares; undefined for fields that compare its identity. */
export function quantityOf(name: FieldName): Quantity | undefined {
  return QUANTITIES[name];
}

const QUANTITIES: Partial<Record<FieldName, Quantity>> = {
  lat: 'total',
  dlat: 'device',
  qlat: 'queue',
  size: 'size',
  offset: 'offset',
  sector: 'offset',
  fileoffset: 'file-offset',
  ret: 'result',
};
