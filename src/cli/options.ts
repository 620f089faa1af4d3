import type { IoheatError, Result } from '../base/result.ts';
import { ExitCode, err, ok } from '../base/result.ts';
import { NO_FILTER } from '../filter/filter.ts';
import type { Filter } from '../filter/filter.ts';
import type { OutlierCut } from '../model/metric.ts';
import type { OpClass } from '../model/operation.ts';
import type { Settings } from '../view/settings.ts';
import { FILTER } from './filter-rule.ts';
import { COLUMNS, HISTORY, INTERVAL, ONCE_DURATION, PIDS, RATE, RING } from './option-rules.ts';
import { ROWS, SEED, SPEED } from './option-rules.ts';
import type { ValueRule } from './option-rules.ts';
import type { CommandName } from './option-spec.ts';
import { checkRecordOptions, NO_RECORDING } from './record/record-options.ts';
import type { RecordOptions } from './record/record-options.ts';

/** What the command line asks for, checked; frozen for the whole run. */
export interface Options {
  readonly command: CommandName;
  /** Name of the synthetic pattern; `demo` only. */
  readonly pattern: string | undefined;
  /** Only what was said: what was not is a matter of the kept settings and the defaults. */
  readonly view: Settings;
  /** Disk names as typed; resolved where the disks are known. */
  readonly disks: readonly string[];
  readonly pids: readonly number[];
  readonly ops: readonly OpClass[];
  /** That of `--filter`; `disks`, `pids` and `ops` must hold beside it. */
  readonly filter: Filter;
  readonly historyBytes: number;
  readonly once: boolean;
  readonly durationNs: number;
  readonly columns: number | undefined;
  readonly rows: number | undefined;
  readonly color: 'auto' | 'always' | 'never';
  readonly ringBytes: number;
  readonly stayRoot: boolean;
  readonly seed: number;
  readonly rate: number | undefined;
  /** What to replay; `STDIN_FILE` for a stream. */
  readonly files: readonly string[];
  /** Seconds of a recording per second; Infinity for as fast as possible. */
  readonly speed: number;
  /** Where to begin, as typed; what it means depends on the recording. */
  readonly at: string | undefined;
  readonly merge: boolean;
  readonly json: boolean;
  readonly verbose: boolean;
  readonly recording: RecordOptions;
}

/** As a file: standard input. */
export const STDIN_FILE = '-';

/** The words of the command line after yargs has checked names and choices. */
export type RawOptions = Readonly<Record<string, unknown>>;

const DEFAULT_HISTORY_BYTES = 256 * 2 ** 20;
const DEFAULT_RING_BYTES = 32 * 2 ** 20;
const DEFAULT_DURATION_NS = 5e9;

const PERCENT_TO_CUT: Record<string, OutlierCut> = {
  none: 0,
  '0.01': 0.0001,
  '0.1': 0.001,
  '1': 0.01,
  '5': 0.05,
};

/** Turns words into values; the first that makes no sense becomes a usage error that names it. */
export function checkOptions(command: CommandName, raw: RawOptions): Result<Options> {
  const problems: string[] = [];
  const take = <T>(result: Result<T, string>, fallback: T): T => {
    if (result.ok) return result.value;
    problems.push(result.error);
    return fallback;
  };
  const options: Options = {
    command,
    pattern: text(raw, 'pattern'),
    view: {
      ...said('metric', text(raw, 'metric')),
      ...said('layout', text(raw, 'layout')),
      ...said('scale', text(raw, 'scale')),
      ...said('weight', text(raw, 'weight')),
      ...said('palette', text(raw, 'palette')),
      ...said('mouse', raw['no-mouse'] === true ? false : undefined),
      ...said('outlierCut', PERCENT_TO_CUT[text(raw, 'outliers') ?? '']),
      ...said('intervalNs', take(valueOf(raw, 'interval', INTERVAL), undefined)),
    },
    disks: list(raw, 'disk'),
    pids: list(raw, 'pid').flatMap((word) => take(read('pid', word, PIDS), [])),
    ops: list(raw, 'op') as OpClass[],
    filter: take(valueOf(raw, 'filter', FILTER), undefined) ?? NO_FILTER,
    historyBytes: take(valueOf(raw, 'history', HISTORY), undefined) ?? DEFAULT_HISTORY_BYTES,
    once: raw['once'] === true,
    durationNs: take(onceDuration(command, raw), undefined) ?? DEFAULT_DURATION_NS,
    columns: take(valueOf(raw, 'columns', COLUMNS), undefined),
    rows: take(valueOf(raw, 'rows', ROWS), undefined),
    color: (text(raw, 'color') ?? 'auto') as Options['color'],
    ringBytes: take(valueOf(raw, 'ring', RING), undefined) ?? DEFAULT_RING_BYTES,
    stayRoot: raw['stay-root'] === true,
    seed: take(valueOf(raw, 'seed', SEED), undefined) ?? 1,
    rate: take(valueOf(raw, 'rate', RATE), undefined),
    files: list(raw, 'files'),
    speed: take(valueOf(raw, 'speed', SPEED), undefined) ?? 1,
    at: text(raw, 'at'),
    merge: raw['merge'] === true,
    json: raw['json'] === true,
    verbose: raw['verbose'] === true,
    recording: take(checkRecordOptions(raw), NO_RECORDING),
  };
  if (options.stayRoot && options.recording.isDemo)
    problems.push('--stay-root: no effect with --source demo, which needs no root');
  const [problem] = problems;
  return problem === undefined ? ok(Object.freeze(options)) : err(usageError(problem));
}

/** A recording has a duration of its own, which may be long. */
function onceDuration(command: CommandName, raw: RawOptions): Result<number | undefined, string> {
  return command === 'record' ? ok(undefined) : valueOf(raw, 'duration', ONCE_DURATION);
}

/** Choices have been checked by the parser. */
function said(name: keyof Settings, value: unknown): Settings {
  return value === undefined ? {} : { [name]: value };
}

export function usageError(what: string, why?: string, remedy = 'see ioheat --help'): IoheatError {
  return { exitCode: ExitCode.usage, what, remedy, ...(why !== undefined && { why }) };
}

function text(raw: RawOptions, name: string): string | undefined {
  const given = raw[name];
  // Of an option given twice the last one holds, so that an alias can be overridden.
  const value: unknown = Array.isArray(given) ? given.at(-1) : given;
  return typeof value === 'string' || typeof value === 'number' ? String(value) : undefined;
}

function list(raw: RawOptions, name: string): string[] {
  const value = raw[name];
  return Array.isArray(value) ? value.map(String) : [];
}

function valueOf<T>(
  raw: RawOptions,
  name: string,
  rule: ValueRule<T>,
): Result<T | undefined, string> {
  const word = text(raw, name);
  return word === undefined ? ok(undefined) : read(name, word, rule);
}

function read<T>(name: string, word: string, rule: ValueRule<T>): Result<T, string> {
  const value = rule.parse(word);
  return value.ok ? value : err(`--${name}: ${value.error}`);
}
