import type { CommandName, OptionSpec } from '../option-table.ts';

const WITH_SCREEN: readonly CommandName[] = ['live', 'demo'];
const RECORDING: readonly CommandName[] = ['live', 'demo', 'record'];

/** Options about what is written to a file. */
export const RECORD_OPTIONS: readonly OptionSpec[] = [
  {
    name: 'write',
    commands: WITH_SCREEN,
    kind: 'text',
    value: 'FILE',
    description: 'record into this file from the start',
  },
  {
    name: 'source',
    commands: ['record'],
    kind: 'text',
    choices: ['live', 'demo'],
    fallback: 'live',
    description: 'what to record: this machine, or a synthetic pattern',
  },
  {
    name: 'rotate',
    commands: RECORDING,
    kind: 'text',
    value: 'SIZE|TIME',
    description: 'begin a new file after so much (100M) or so long (1h); names get a time',
  },
  {
    name: 'keep',
    commands: RECORDING,
    kind: 'text',
    value: 'N',
    description: 'with --rotate: keep the last N files, remove older ones',
  },
  {
    name: 'summary',
    commands: RECORDING,
    kind: 'flag',
    fallback: false,
    description: 'record sums over 10 s per process, disk and operation: a day in megabytes',
  },
  {
    name: 'force',
    commands: RECORDING,
    kind: 'flag',
    fallback: false,
    description: 'replace a file of that name',
  },
  {
    name: 'hide-self',
    commands: ['record'],
    kind: 'flag',
    fallback: false,
    description: 'leave out the I/O of the recording program itself',
  },
];
