import { BACKGROUND_CHOICES } from '../base/background.ts';
import type { OptionSpec } from './option-spec.ts';
import type { CommandName } from '../app/options/command-names.ts';
import { DEFAULT_LAYER, LAYERS } from '../model/layer.ts';
import { LAYOUTS, METRICS, OLD_PALETTE_NAMES, PALETTES, SCALE_KINDS } from '../model/metric.ts';
import { OP_CLASSES } from '../model/operation.ts';
import { BUDGET, COLUMNS, DISKS, FILE_OR_DASH, HISTORY, INTERVAL } from './option-rules.ts';
import { ONCE_DURATION, PIDS, RATE, RING, ROWS, SEED, SPEED } from './option-rules.ts';
import { FILTER } from './filter-rule.ts';
import { START_AT } from './moment-rules.ts';
import { PAINT_INTERVAL, PAINT_SIZE } from './check-paint-options.ts';
import { EXPORT_OPTION_TABLE } from './export-option-table.ts';
import { PAINT_METRICS } from '../app/options/paint-options.ts';
import { DEMO, RECORD_OPTIONS } from './record-option-table.ts';

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
    fallback: 'total',
    description: 'what the y axis shows',
  },
  {
    name: 'layout',
    commands: PICTURE,
    kind: 'text',
    choices: LAYOUTS,
    fallback: 'single',
    description: 'which heat maps to show',
  },
  {
    name: 'layer',
    commands: PICTURE,
    kind: 'text',
    choices: LAYERS,
    fallback: DEFAULT_LAYER,
    description:
      'what to count: I/O of disks, or of volumes above them (dm, LVM, LUKS, md, zram), or waits or system calls of programs',
  },
  {
    name: 'interval',
    commands: PICTURE,
    kind: 'text',
    value: 'TIME',
    rule: INTERVAL,
    description:
      'time per column, 100ms to 10m; default: live 100ms to 1s as it fills; a replay fits the screen',
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
    description: 'hide the slowest N% from the axis (they stay in the outlier row)',
  },
  {
    name: 'palette',
    commands: PICTURE,
    kind: 'text',
    choices: PALETTES,
    aliases: OLD_PALETTE_NAMES,
    fallback: 'spectrum',
    description: 'colours of the heat map',
  },
  {
    name: 'background',
    commands: PICTURE,
    kind: 'text',
    choices: BACKGROUND_CHOICES,
    fallback: 'auto',
    description: 'background that colours are chosen for; auto: ask the terminal',
  },
  {
    name: 'disk',
    commands: TRACED,
    kind: 'list',
    value: 'NAME',
    rule: DISKS,
    description: 'only this disk (its name in /sys/block, or major:minor); may be repeated',
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
    description: "only I/O matching, such as 'disk=sda op=write lat>10ms not pid=1'",
  },
  {
    name: 'history',
    commands: PICTURE,
    kind: 'text',
    value: 'BYTES',
    rule: HISTORY,
    fallback: '256M',
    description: 'memory for past I/O, 16M to 16G (powers of 1024)',
  },
  {
    name: 'no-mouse',
    commands: PICTURE,
    kind: 'flag',
    idleWith: { name: 'once' },
    fallback: false,
    description: 'do not capture the mouse (with capture, Shift selects text as usual)',
  },
  {
    name: 'once',
    commands: PICTURE,
    kind: 'flag',
    fallback: false,
    description: 'print one frame as text, without saved settings, and exit',
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
    needs: { name: 'once' },
    description:
      'with --once: width of the frame in characters (default: of the terminal, else 80)',
  },
  {
    name: 'rows',
    commands: PICTURE,
    kind: 'text',
    value: 'N',
    rule: ROWS,
    needs: { name: 'once' },
    description: 'with --once: height of the frame in lines (default: of the terminal, else 24)',
  },
  {
    name: 'color',
    commands: PICTURE,
    kind: 'text',
    choices: ['auto', 'always', 'never'],
    needs: { name: 'once' },
    fallback: 'auto',
    description: 'colours in the output of --once; auto: only on a terminal',
  },
  {
    name: 'ring',
    commands: LIVE,
    kind: 'text',
    value: 'BYTES',
    rule: RING,
    idleWith: DEMO,
    description:
      'size of the kernel ring buffer, a power of two, 64k to 1G (default: 16M with up to two processors, else 32M)',
  },
  {
    name: 'budget',
    commands: ['live'],
    kind: 'text',
    value: 'PERCENT',
    rule: BUDGET,
    fallback: '5%',
    description:
      'processor time for ioheat, 0.1% to 100% of a core; above it, frames become rarer, and only slow and failed I/Os and a sample come individually, the rest is counted in the kernel; off: all come individually',
  },
  {
    name: 'waits',
    commands: LIVE,
    kind: 'flag',
    idleWith: DEMO,
    fallback: false,
    description:
      'trace what programs wait for as well: the layer waits; implied by a filter or a --layer that asks for it',
  },
  {
    name: 'calls',
    commands: LIVE,
    kind: 'flag',
    idleWith: DEMO,
    fallback: false,
    description:
      'trace system calls on files as well: the layer calls; implied by a filter or a --layer that asks for it',
  },
  {
    name: 'stay-root',
    commands: LIVE,
    kind: 'flag',
    idleWith: DEMO,
    fallback: false,
    description:
      'keep root privileges (default: drop them after attaching); files belong to root, and a sudoers rule that allows this option grants root',
  },
  {
    name: 'speed',
    commands: ['replay'],
    kind: 'text',
    value: 'N',
    rule: SPEED,
    idleWith: { name: 'once' },
    fallback: 1,
    description: 'seconds of the recording per second, 0.1 to 100000, or max',
  },
  {
    name: 'at',
    commands: ['replay'],
    kind: 'text',
    value: 'TIME',
    rule: START_AT,
    description:
      "start at 14:02, '3m ago' (before the end), '2026-01-31 14:02', 50% or +90s (after the first I/O); with --once: end there",
  },
  {
    name: 'merge',
    commands: ['replay', 'export', 'report'],
    kind: 'flag',
    fallback: false,
    description: 'treat files from several hosts as one host (default: disks are named disk@host)',
  },
  {
    name: 'seed',
    commands: ['demo'],
    kind: 'text',
    value: 'N',
    rule: SEED,
    fallback: '1',
    description: 'seed of the pattern; the same seed makes the same picture',
  },
  {
    name: 'rate',
    commands: ['demo'],
    kind: 'text',
    value: 'IOPS',
    rule: RATE,
    description: 'I/Os per second on average, 1 to 1000000 (default: of the pattern)',
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
    description: 'on exit, print attached tracepoints, loss counters and messages of libbpf',
  },
  {
    name: 'target',
    commands: ['paint'],
    kind: 'text',
    value: 'PATH',
    rule: FILE_OR_DASH,
    description: 'disk to do the I/O on, which nothing else uses; or a file, created if missing',
  },
  {
    name: 'metric',
    commands: ['paint'],
    kind: 'text',
    choices: PAINT_METRICS,
    fallback: 'offset',
    description: 'y axis on which the text is readable',
  },
  {
    name: 'interval',
    commands: ['paint'],
    kind: 'text',
    value: 'TIME',
    rule: PAINT_INTERVAL,
    fallback: '1s',
    description: 'time per painted column, 100ms to 1m; use the same in the heat map',
  },
  {
    name: 'op',
    commands: ['paint'],
    kind: 'text',
    choices: ['read', 'write'],
    fallback: 'read',
    description: 'how to do the I/O; reading changes nothing on the disk',
  },
  {
    name: 'size',
    commands: ['paint'],
    kind: 'text',
    value: 'BYTES',
    rule: PAINT_SIZE,
    fallback: '64M',
    description: 'size of a created file, which is removed at the end',
  },
  {
    name: 'overwrite',
    commands: ['paint'],
    kind: 'flag',
    needs: { name: 'op', value: 'write' },
    fallback: false,
    description: 'with --op write: overwrite existing data',
  },
  ...EXPORT_OPTION_TABLE,
];
