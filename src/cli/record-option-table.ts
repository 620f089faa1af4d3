import { BUDGET, FILE, KEEP, RATE, RECORD_DURATION, ROTATION, SEED } from './option-rules.ts';
import type { OptionSpec } from './option-spec.ts';
import type { CommandName } from '../app/options/command-names.ts';

const WITH_SCREEN: readonly CommandName[] = ['live', 'demo'];
const RECORDING: readonly CommandName[] = ['live', 'demo', 'record'];

/** A synthetic pattern is recorded, not this machine. */
export const DEMO = { name: 'source', value: 'demo' } as const;

/** Without a file from the start, and without the key that starts a recording, there is none. */
const ONE_FRAME = { name: 'once', unless: 'write' } as const;

/** Options about recordings. */
export const RECORD_OPTIONS: readonly OptionSpec[] = [
  {
    name: 'write',
    commands: WITH_SCREEN,
    kind: 'text',
    value: 'FILE',
    rule: FILE,
    description: 'record to this file from the start',
  },
  {
    name: 'source',
    commands: ['record'],
    kind: 'text',
    choices: ['live', 'demo'],
    fallback: 'live',
    description: 'what to record: this machine (live) or a synthetic pattern (demo)',
  },
  {
    name: 'seed',
    commands: ['record'],
    kind: 'text',
    value: 'N',
    rule: SEED,
    needs: DEMO,
    fallback: '1',
    description: 'with --source demo: seed of the pattern',
  },
  {
    name: 'rate',
    commands: ['record'],
    kind: 'text',
    value: 'IOPS',
    rule: RATE,
    needs: DEMO,
    description: 'with --source demo: I/Os per second on average (default: of the pattern)',
  },
  {
    name: 'duration',
    commands: ['record'],
    kind: 'text',
    value: 'TIME',
    rule: RECORD_DURATION,
    description: 'how long to record, 100ms to 365d (default: until Ctrl-C)',
  },
  {
    name: 'rotate',
    commands: RECORDING,
    kind: 'text',
    value: 'SIZE|TIME',
    rule: ROTATION,
    idleWith: ONE_FRAME,
    description:
      'start a new file every SIZE (100M) or TIME (1h); a timestamp is added to the name',
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
    name: 'budget',
    commands: ['record'],
    kind: 'text',
    value: 'PERCENT',
    rule: BUDGET,
    idleWith: DEMO,
    fallback: 'off',
    description:
      'processor time for ioheat, 0.1% to 100% of a core; above it only slow and failed I/Os and a sample are recorded individually, the rest as counts; off: all are',
  },
  {
    name: 'summary',
    commands: RECORDING,
    kind: 'flag',
    idleWith: ONE_FRAME,
    fallback: false,
    description:
      'record counts per 10 s, process, disk and operation instead of each I/O: a day in megabytes',
  },
  {
    name: 'force',
    commands: WITH_SCREEN,
    kind: 'flag',
    needs: { name: 'write' },
    fallback: false,
    description: 'with --write: overwrite an existing file',
  },
  {
    name: 'force',
    commands: ['record'],
    kind: 'flag',
    fallback: false,
    description: 'overwrite an existing file',
  },
  {
    name: 'hide-self',
    commands: ['record'],
    kind: 'flag',
    idleWith: DEMO,
    fallback: false,
    description: 'leave out the I/O of ioheat itself',
  },
];
