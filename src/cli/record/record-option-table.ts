import { FILE, KEEP, RATE, RECORD_DURATION, ROTATION, SEED } from '../option-rules.ts';
import type { CommandName, OptionSpec } from '../option-spec.ts';

const WITH_SCREEN: readonly CommandName[] = ['live', 'demo'];
const RECORDING: readonly CommandName[] = ['live', 'demo', 'record'];

const DEMO = { name: 'source', value: 'demo' } as const;

/** Options about what is written to a file. */
export const RECORD_OPTIONS: readonly OptionSpec[] = [
  {
    name: 'write',
    commands: WITH_SCREEN,
    kind: 'text',
    value: 'FILE',
    rule: FILE,
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
    name: 'seed',
    commands: ['record'],
    kind: 'text',
    value: 'N',
    rule: SEED,
    needs: DEMO,
    fallback: '1',
    description: 'with --source demo: number from which the pattern is made',
  },
  {
    name: 'rate',
    commands: ['record'],
    kind: 'text',
    value: 'IOPS',
    rule: RATE,
    needs: DEMO,
    description: 'with --source demo: I/Os per second on average; default: that of the pattern',
  },
  {
    name: 'duration',
    commands: ['record'],
    kind: 'text',
    value: 'TIME',
    rule: RECORD_DURATION,
    description: 'how long to record, 100ms to 365d; default: until Ctrl-C',
  },
  {
    name: 'rotate',
    commands: RECORDING,
    kind: 'text',
    value: 'SIZE|TIME',
    rule: ROTATION,
    description: 'begin a new file after so much (100M) or so long (1h); names get a time',
  },
  {
    name: 'keep',
    commands: RECORDING,
    kind: 'text',
    value: 'N',
    rule: KEEP,
    needs: { name: 'rotate' },
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
