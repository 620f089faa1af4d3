import { FORMATS } from '../../export/formats.ts';
import { METRICS, PALETTES, SCALE_KINDS, WEIGHTS } from '../../model/metric.ts';
import { FILTER } from '../filter-rule.ts';
import { TRACE_TIME } from '../moment-rules.ts';
import { COLUMNS, FILE_OR_DASH, HISTORY, INTERVAL, ROWS } from '../option-rules.ts';
import type { CommandName, OptionSpec } from '../option-spec.ts';

const EXPORT: readonly CommandName[] = ['export'];
const BOTH: readonly CommandName[] = ['export', 'report'];

export const EXPORT_OPTION_TABLE: readonly OptionSpec[] = [
  {
    name: 'format',
    commands: EXPORT,
    kind: 'text',
    choices: FORMATS,
    description: 'what to write; by default the end of the name of --output tells',
  },
  {
    name: 'output',
    commands: EXPORT,
    kind: 'text',
    value: 'FILE',
    rule: FILE_OR_DASH,
    fallback: '-',
    description: 'where to; - is standard output',
  },
  {
    name: 'force',
    commands: EXPORT,
    kind: 'flag',
    fallback: false,
    description: 'replace the file of --output if there is one',
  },
  {
    name: 'filter',
    commands: BOTH,
    kind: 'text',
    value: 'EXPR',
    rule: FILTER,
    description: "only I/O that passes, such as 'disk=sda op=write lat>10ms not pid=1'",
  },
  {
    name: 'from',
    commands: BOTH,
    kind: 'text',
    value: 'WHEN',
    rule: TRACE_TIME,
    description: "begin here: 14:02, '3m ago' (before its end), '2026-01-31 14:02', +30s",
  },
  {
    name: 'to',
    commands: BOTH,
    kind: 'text',
    value: 'WHEN',
    rule: TRACE_TIME,
    description: 'end before this time, given as for --from',
  },
  {
    name: 'metric',
    commands: EXPORT,
    kind: 'text',
    choices: METRICS,
    fallback: 'device',
    description: 'y axis of pictures, and the value for trace2heatmap',
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
    description: 'what an I/O adds to its cell: one, the time it waited, or its bytes',
  },
  {
    name: 'outliers',
    commands: EXPORT,
    kind: 'text',
    choices: ['none', '0.01', '0.1', '1', '5'],
    fallback: '0.1',
    description: 'per cent of the largest values that the axis leaves to the outlier lane',
  },
  {
    name: 'palette',
    commands: EXPORT,
    kind: 'text',
    choices: PALETTES,
    fallback: 'false',
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
    description:
      'most columns of the picture, default 240; of text, letters in a line, default 100',
  },
  {
    name: 'rows',
    commands: EXPORT,
    kind: 'text',
    value: 'N',
    rule: ROWS,
    description: 'bins of the y axis, default 72; of text, lines, default 24',
  },
  {
    name: 'history',
    commands: EXPORT,
    kind: 'text',
    value: 'BYTES',
    rule: HISTORY,
    fallback: '256M',
    description: 'memory for the I/O of a picture, 16M to 16G',
  },
  {
    name: 'json',
    commands: ['report'],
    kind: 'flag',
    fallback: false,
    description: 'the report as one JSON object, with all rows',
  },
];
