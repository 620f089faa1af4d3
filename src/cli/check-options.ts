import type { Options } from '../app/options/options.ts';
import { usageError } from '../app/options/usage-error.ts';
import type { Result } from '../base/result.ts';
import { err, ok } from '../base/result.ts';
import { NO_FILTER } from '../filter/filter.ts';
import type { OutlierCut } from '../model/metric.ts';
import type { OpClass } from '../model/operation.ts';
import type { Settings } from '../view/settings.ts';
import { FILTER } from './filter-rule.ts';
import { BUDGET, COLUMNS, HISTORY, INTERVAL, ONCE_DURATION } from './option-rules.ts';
import { PIDS, RATE, RING, ROWS, SEED, SPEED } from './option-rules.ts';
import type { ValueRule } from './option-rules.ts';
import type { CommandName } from '../app/options/command-names.ts';
import { checkRecordOptions } from './check-record-options.ts';
import { checkViewOptions } from './check-view-options.ts';
import { list, text } from './raw-options.ts';
import type { RawOptions } from './raw-options.ts';
import { NO_RECORDING } from '../app/options/record-options.ts';

const DEFAULT_HISTORY_BYTES = 256 * 2 ** 20;
const DEFAULT_DURATION_NS = 5e9;
/** The default of `--budget`, as a share of one core. */
const DEFAULT_BUDGET = 0.05;

const PERCENT_TO_CUT: Record<string, OutlierCut> = {
  none: 0,
  '0.01': 0.0001,
  '0.1': 0.001,
  '1': 0.01,
  '5': 0.05,
};

/** Turns words into values; the first invalid one becomes a usage error that names it. */
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
      ...setting('metric', text(raw, 'metric')),
      ...setting('layout', text(raw, 'layout')),
      ...setting('layer', text(raw, 'layer')),
      ...setting('scale', text(raw, 'scale')),
      ...setting('weight', text(raw, 'weight')),
      ...setting('palette', text(raw, 'palette')),
      ...setting('background', text(raw, 'background')),
      ...setting('mouse', raw['no-mouse'] === true ? false : undefined),
      ...setting('outlierCut', PERCENT_TO_CUT[text(raw, 'outliers') ?? '']),
      ...setting('intervalNs', take(valueOf(raw, 'interval', INTERVAL), undefined)),
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
    ringBytes: take(valueOf(raw, 'ring', RING), undefined),
    budget: take(valueOf(raw, 'budget', BUDGET), undefined) ?? defaultBudget(command),
    waits: raw['waits'] === true,
    calls: raw['calls'] === true,
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
  const together = checkViewOptions(options.view, command === 'export' || options.once);
  if (together !== undefined) problems.push(together);
  const [problem] = problems;
  return problem === undefined ? ok(Object.freeze(options)) : err(usageError(problem));
}

/** The default budget. A recording has none, because it is for questions that nobody has asked yet. */
function defaultBudget(command: CommandName): number {
  return command === 'live' ? DEFAULT_BUDGET : Infinity;
}

/** `--duration` of a recording has its own limits. */
function onceDuration(command: CommandName, raw: RawOptions): Result<number | undefined, string> {
  return command === 'record' ? ok(undefined) : valueOf(raw, 'duration', ONCE_DURATION);
}

/** A setting from an option whose choices have been checked. */
function setting(name: keyof Settings, value: unknown): Settings {
  return value === undefined ? {} : { [name]: value };
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
