import { LAYOUTS, METRICS, PALETTES, SCALE_KINDS } from '../model/metric.ts';
import { OP_CLASSES } from '../model/operation.ts';
import { COLUMNS, DISKS, FILE_OR_DASH, HISTORY, INTERVAL } from './option-rules.ts';
import { ONCE_DURATION, PIDS, RATE, RING, ROWS, SEED, SPEED } from './option-rules.ts';
import type { ValueRule } from './option-rules.ts';
import { FILTER } from './filter-rule.ts';
import { START_AT } from './moment-rules.ts';
import { PAINT_INTERVAL, PAINT_SIZE } from './paint/paint-options.ts';
import { EXPORT_OPTION_TABLE } from './export/export-option-table.ts';
import { PAINT_METRICS } from './paint/paint-options.ts';
import { RECORD_OPTIONS } from './record/record-option-table.ts';

export const COMMANDS = [
  'live',
  'demo',
  'record',
  'replay',
  'doctor',
  'paint',
  'export',
  'report',
] as const;
export type CommandName = (typeof COMMANDS)[number];

interface AnyOption {
  readonly name: string;
  readonly commands: readonly CommandName[];
  readonly description: string;
  /** Without that option of the same command (and that value of it) this one would do nothing. */
  readonly needs?: { readonly name: string; readonly value?: string };
}

interface Flag extends AnyOption {
  readonly kind: 'flag';
  readonly fallback: false;
  readonly value?: undefined;
  readonly choices?: undefined;
}

interface Choice extends AnyOption {
  /** Of a text that is given several times the last one holds. */
  readonly kind: 'text' | 'list';
  readonly choices: readonly string[];
  readonly fallback?: string;
  readonly value?: undefined;
}

interface Valued extends AnyOption {
  readonly kind: 'text' | 'list';
  /** What stands for the value in `--help`. */
  readonly value: string;
  readonly rule: ValueRule;
  readonly fallback?: string | number;
  readonly choices?: undefined;
}

/** One command-line option; `--help`, the parser and the README's table are made from these. */
export type OptionSpec = Flag | Choice | Valued;

const PICTURE: readonly CommandName[] = ['live', 'demo', 'replay'];
const LIVE: readonly CommandName[] = ['live', 'record'];
const TRACED: readonly CommandName[] = ['live', 'demo', 'record'];
const ONCE: readonly CommandName[] = ['live', 'demo'];

export const OPTION_TABLE: readonly OptionSpec[] = [
  {
    name: 'metric',
    commands: PICTURE,
    kind: 'text',
    choices: METRICS,
    fallback: 'device',
    description: 'what the y axis shows',
  },
  {
    name: 'layout',
    commands: PICTURE,
    kind: 'text',
    choices: LAYOUTS,
    fallback: 'single',
    description: 'what the picture is made of',
  },
  {
    name: 'interval',
    commands: PICTURE,
    kind: 'text',
    value: 'TIME',
    rule: INTERVAL,
    fallback: '1s',
    description: 'time per column, 100ms to 10m',
  },
  {
    name: 'scale',
    commands: PICTURE,
    kind: 'text',
    choices: SCALE_KINDS,
    fallback: 'log',
    description: 'y axis of latencies and sizes',
  },
  {
    name: 'outliers',
    commands: PICTURE,
    kind: 'text',
    choices: ['none', '0.01', '0.1', '1', '5'],
    fallback: '0.1',
    description: 'per cent of the largest values that the axis leaves to the outlier lane',
  },
  {
    name: 'palette',
    commands: PICTURE,
    kind: 'text',
    choices: PALETTES,
    fallback: 'false',
    description: 'colours of the heat map',
  },
  {
    name: 'disk',
    commands: TRACED,
    kind: 'list',
    value: 'NAME',
    rule: DISKS,
    description: 'only this disk (a name as in /sys/block, or major:minor); may be repeated',
  },
  {
    name: 'pid',
    commands: TRACED,
    kind: 'list',
    value: 'PID',
    rule: PIDS,
    description: 'only I/O submitted by this process; may be repeated',
  },
  {
    name: 'op',
    commands: TRACED,
    kind: 'list',
    choices: OP_CLASSES,
    description: 'only this kind of operation; may be repeated',
  },
  {
    name: 'filter',
    commands: TRACED,
    kind: 'text',
    value: 'EXPR',
    rule: FILTER,
    description: "only I/O that passes, such as 'disk=sda op=write lat>10ms not pid=1'",
  },
  {
    name: 'history',
    commands: PICTURE,
    kind: 'text',
    value: 'BYTES',
    rule: HISTORY,
    fallback: '256M',
    description: 'memory for past I/O, 16M to 16G',
  },
  {
    name: 'no-mouse',
    commands: PICTURE,
    kind: 'flag',
    fallback: false,
    description: 'leave the mouse to the terminal (else Shift selects text as usual)',
  },
  {
    name: 'once',
    commands: PICTURE,
    kind: 'flag',
    fallback: false,
    description: 'print one frame as text and exit',
  },
  {
    name: 'duration',
    commands: ONCE,
    kind: 'text',
    value: 'TIME',
    rule: ONCE_DURATION,
    needs: { name: 'once' },
    fallback: '5s',
    description: 'with --once: how long to trace before the frame, 100ms to 1h',
  },
  {
    name: 'columns',
    commands: PICTURE,
    kind: 'text',
    value: 'N',
    rule: COLUMNS,
    description: 'width of the frame in characters; default: the terminal, else 80',
  },
  {
    name: 'rows',
    commands: PICTURE,
    kind: 'text',
    value: 'N',
    rule: ROWS,
    description: 'height of the frame in lines; default: the terminal, else 24',
  },
  {
    name: 'color',
    commands: PICTURE,
    kind: 'text',
    choices: ['auto', 'always', 'never'],
    fallback: 'auto',
    description: 'colours in the output of --once; auto: only on a terminal',
  },
  {
    name: 'ring',
    commands: LIVE,
    kind: 'text',
    value: 'BYTES',
    rule: RING,
    fallback: '32M',
    description: 'size of the kernel ring buffer, a power of two, 64k to 1G',
  },
  {
    name: 'stay-root',
    commands: LIVE,
    kind: 'flag',
    fallback: false,
    description: 'keep root after attaching (default: give it up before the first key is read)',
  },
  {
    name: 'speed',
    commands: ['replay'],
    kind: 'text',
    value: 'N',
    rule: SPEED,
    fallback: 1,
    description: 'seconds of the recording per second, 0.1 to 100000, or max',
  },
  {
    name: 'at',
    commands: ['replay'],
    kind: 'text',
    value: 'TIME',
    rule: START_AT,
    description: 'where to begin: 14:02, 50%, or 90s after the first I/O; with --once: the end',
  },
  {
    name: 'merge',
    commands: ['replay'],
    kind: 'flag',
    fallback: false,
    description: 'files of several hosts as if of one (default: disks are named disk@host)',
  },
  {
    name: 'seed',
    commands: ['demo'],
    kind: 'text',
    value: 'N',
    rule: SEED,
    fallback: '1',
    description: 'number from which the pattern is made; the same seed draws the same picture',
  },
  {
    name: 'rate',
    commands: ['demo'],
    kind: 'text',
    value: 'IOPS',
    rule: RATE,
    description: 'I/Os per second on average, 1 to 1000000; default: that of the pattern',
  },
  {
    name: 'json',
    commands: ['doctor'],
    kind: 'flag',
    fallback: false,
    description: 'print the report as JSON',
  },
  ...RECORD_OPTIONS,
  {
    name: 'verbose',
    commands: ['live', 'demo', 'record', 'replay', 'doctor'],
    kind: 'flag',
    fallback: false,
    description: 'on exit, print what was attached, every loss counter and the messages of libbpf',
  },
  {
    name: 'target',
    commands: ['paint'],
    kind: 'text',
    value: 'PATH',
    rule: FILE_OR_DASH,
    description: 'disk to do the I/O to, not in use by anybody; or a file, made if it is not there',
  },
  {
    name: 'metric',
    commands: ['paint'],
    kind: 'text',
    choices: PAINT_METRICS,
    fallback: 'offset',
    description: 'y axis that the text shall be readable on',
  },
  {
    name: 'interval',
    commands: ['paint'],
    kind: 'text',
    value: 'TIME',
    rule: PAINT_INTERVAL,
    fallback: '1s',
    description: 'time per painted column, 100ms to 1m: that of the heat map',
  },
  {
    name: 'op',
    commands: ['paint'],
    kind: 'text',
    choices: ['read', 'write'],
    fallback: 'read',
    description: 'reading changes nothing on the disk',
  },
  {
    name: 'size',
    commands: ['paint'],
    kind: 'text',
    value: 'BYTES',
    rule: PAINT_SIZE,
    fallback: '64M',
    description: 'size of a file that is made; it is removed at the end',
  },
  {
    name: 'overwrite',
    commands: ['paint'],
    kind: 'flag',
    needs: { name: 'op', value: 'write' },
    fallback: false,
    description: 'with --op write: write over data as well',
  },
  ...EXPORT_OPTION_TABLE,
];
