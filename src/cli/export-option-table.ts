import { FORMATS } from '../export/formats.ts';
import { DEFAULT_LAYER, LAYERS } from '../model/layer.ts';
import { METRICS, OLD_PALETTE_NAMES, PALETTES, SCALE_KINDS, WEIGHTS } from '../model/metric.ts';
import type { Layout } from '../model/metric.ts';
import { FILTER } from './filter-rule.ts';
import { TRACE_TIME } from './moment-rules.ts';
import { COLUMNS, FILE_OR_DASH, HISTORY, INTERVAL, ROWS } from './option-rules.ts';
import type { OptionSpec } from './option-spec.ts';
import type { CommandName } from '../app/options/command-names.ts';

const EXPORT: readonly CommandName[] = ['export'];
/** The layouts that pictures can have; others are for the screen. */
const EXPORTED_LAYOUTS: readonly Layout[] = ['single', 'layers'];
const BOTH: readonly CommandName[] = ['export', 'report'];

export const EXPORT_OPTION_TABLE: readonly OptionSpec[] = [
  {
    name: 'format',
    commands: EXPORT,
    kind: 'text',
    choices: FORMATS,
    description: 'output format (default: from the extension of --output)',
  },
  {
    name: 'output',
    commands: EXPORT,
    kind: 'text',
    value: 'FILE',
    rule: FILE_OR_DASH,
    fallback: '-',
    description: 'output file; - is standard output',
  },
  {
    name: 'force',
    commands: EXPORT,
    kind: 'flag',
    needs: { name: 'output' },
    fallback: false,
    description: 'with --output: overwrite an existing file',
  },
  {
    name: 'filter',
    commands: BOTH,
    kind: 'text',
    value: 'EXPR',
    rule: FILTER,
    description: "only I/O matching, such as 'disk=sda op=write lat>10ms not pid=1'",
  },
  {
    name: 'layer',
    commands: BOTH,
    kind: 'text',
    choices: LAYERS,
    fallback: DEFAULT_LAYER,
    description:
      'what to count: I/O of disks, of volumes, waits, or system calls. A filter with layer=, call= or ret= chooses it, with layer= also several',
  },
  {
    name: 'from',
    commands: BOTH,
    kind: 'text',
    value: 'WHEN',
    rule: TRACE_TIME,
    description:
      "start at this time: 14:02, '3m ago' (before the end), '2026-01-31 14:02', 2026-01-31T14:02Z, +30s (after the first I/O)",
  },
  {
    name: 'to',
    commands: BOTH,
    kind: 'text',
    value: 'WHEN',
    rule: TRACE_TIME,
    description: 'end before this time; same forms as --from',
  },
  {
    name: 'metric',
    commands: EXPORT,
    kind: 'text',
    choices: METRICS,
    fallback: 'total',
    description: 'y axis of pictures, and the value for trace2heatmap',
  },
  {
    name: 'layout',
    commands: EXPORT,
    kind: 'text',
    choices: EXPORTED_LAYOUTS,
    fallback: 'single',
    description: 'one heat map, or one for each layer with I/O, on one time axis',
  },
  {
    name: 'scale',
    commands: EXPORT,
    kind: 'text',
    choices: SCALE_KINDS,
    fallback: 'log',
    description: 'y axis of latencies and sizes',
  },
  {
    name: 'weight',
    commands: EXPORT,
    kind: 'text',
    choices: WEIGHTS,
    fallback: 'count',
    description: 'what each I/O adds to its cell: one, the time it waited, or its bytes',
  },
  {
    name: 'outliers',
    commands: EXPORT,
    kind: 'text',
    choices: ['none', '0.01', '0.1', '1', '5'],
    fallback: '0.1',
    description: 'hide the slowest N% from the axis (they stay in the outlier row)',
  },
  {
    name: 'palette',
    commands: EXPORT,
    kind: 'text',
    choices: PALETTES,
    aliases: OLD_PALETTE_NAMES,
    fallback: 'spectrum',
    description: 'colours of pictures',
  },
  {
    name: 'interval',
    commands: EXPORT,
    kind: 'text',
    value: 'TIME',
    rule: INTERVAL,
    description: 'time per column, 100ms to 10m; default: as fine as --columns allows',
  },
  {
    name: 'columns',
    commands: EXPORT,
    kind: 'text',
    value: 'N',
    rule: COLUMNS,
    description: 'maximum columns of a picture (default: 240); of text, its width (default: 100)',
  },
  {
    name: 'rows',
    commands: EXPORT,
    kind: 'text',
    value: 'N',
    rule: ROWS,
    description: 'bins of the y axis (default: 72); of text, its lines (default: 24)',
  },
  {
    name: 'history',
    commands: EXPORT,
    kind: 'text',
    value: 'BYTES',
    rule: HISTORY,
    fallback: '256M',
    description: 'memory for the I/O of a picture, 16M to 16G (powers of 1024)',
  },
  {
    name: 'json',
    commands: ['report'],
    kind: 'flag',
    fallback: false,
    description: 'print the report as one JSON object, with all rows',
  },
];
