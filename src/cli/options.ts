import { parseBytes, parseDuration } from '../base/parse.ts';
import type { IoheatError, Result } from '../base/result.ts';
import { ExitCode, err, ok } from '../base/result.ts';
import { NO_FILTER } from '../filter/filter.ts';
import type { Filter } from '../filter/filter.ts';
import { parseFilter } from '../filter/language/parse.ts';
import type { OutlierCut } from '../model/metric.ts';
import type { OpClass } from '../model/operation.ts';
import type { Settings } from '../view/settings.ts';
import type { CommandName } from './option-table.ts';
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
      ...said('intervalNs', take(interval(raw), undefined)),
    },
    disks: list(raw, 'disk'),
    pids: take(pidList(raw), []),
    ops: list(raw, 'op') as OpClass[],
    filter: take(filterOf(raw), NO_FILTER),
    historyBytes: take(bytes(raw, 'history', '256M', 16 * 2 ** 20, 16 * 2 ** 30), 0),
    once: raw['once'] === true,
    durationNs: take(onceDuration(command, raw), 5e9),
    columns: take(whole(raw, 'columns', 1, 1000), undefined),
    rows: take(whole(raw, 'rows', 1, 500), undefined),
    color: (text(raw, 'color') ?? 'auto') as Options['color'],
    ringBytes: take(powerOfTwo(bytes(raw, 'ring', '32M', 2 ** 16, 2 ** 30)), 0),
    stayRoot: raw['stay-root'] === true,
    seed: take(whole(raw, 'seed', 0, 2 ** 32 - 1), undefined) ?? 1,
    rate: take(whole(raw, 'rate', 1, 1_000_000), undefined),
    files: list(raw, 'files'),
    speed: take(speed(raw), 1),
    at: text(raw, 'at'),
    merge: raw['merge'] === true,
    json: raw['json'] === true,
    verbose: raw['verbose'] === true,
    recording: take(checkRecordOptions(raw), NO_RECORDING),
  };
  const [problem] = problems;
  return problem === undefined ? ok(Object.freeze(options)) : err(usageError(problem));
}

/** A recording has a duration of its own, which may be long. */
function onceDuration(command: CommandName, raw: RawOptions): Result<number, string> {
  return duration(command === 'record' ? {} : raw, 'duration', '5s', 100e6, 3600e9);
}

/** Choices have been checked by the parser. */
function said(name: keyof Settings, value: unknown): Settings {
  return value === undefined ? {} : { [name]: value };
}

function interval(raw: RawOptions): Result<number | undefined, string> {
  if (text(raw, 'interval') === undefined) return ok(undefined);
  return duration(raw, 'interval', '1s', 100e6, 600e9);
}

export function usageError(what: string): IoheatError {
  return { exitCode: ExitCode.usage, what, remedy: 'see ioheat --help' };
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

function duration(
  raw: RawOptions,
  name: string,
  fallback: string,
  min: number,
  max: number,
): Result<number, string> {
  return within(
    name,
    parseDuration(text(raw, name) ?? fallback),
    min,
    max,
    '100ms',
    max === 600e9 ? '10m' : '1h',
  );
}

function bytes(
  raw: RawOptions,
  name: string,
  fallback: string,
  min: number,
  max: number,
): Result<number, string> {
  return within(
    name,
    parseBytes(text(raw, name) ?? fallback),
    min,
    max,
    bytesText(min),
    bytesText(max),
  );
}

function within(
  name: string,
  parsed: Result<number, string>,
  min: number,
  max: number,
  minText: string,
  maxText: string,
): Result<number, string> {
  if (!parsed.ok) return err(`--${name}: ${parsed.error}`);
  if (parsed.value >= min && parsed.value <= max) return parsed;
  return err(`--${name} must lie between ${minText} and ${maxText}`);
}

function bytesText(value: number): string {
  if (value >= 2 ** 30) return `${value / 2 ** 30}G`;
  return value >= 2 ** 20 ? `${value / 2 ** 20}M` : `${value / 2 ** 10}k`;
}

function powerOfTwo(parsed: Result<number, string>): Result<number, string> {
  if (!parsed.ok || Number.isInteger(Math.log2(parsed.value))) return parsed;
  return err('--ring must be a power of two, as the kernel asks');
}

function whole(
  raw: RawOptions,
  name: string,
  min: number,
  max: number,
): Result<number | undefined, string> {
  const word = text(raw, name);
  if (word === undefined) return ok(undefined);
  const value = /^\d+$/.test(word) ? Number(word) : Number.NaN;
  if (value >= min && value <= max) return ok(value);
  return err(`--${name} must be a whole number from ${min} to ${max}, not "${word}"`);
}

function speed(raw: RawOptions): Result<number, string> {
  const word = text(raw, 'speed') ?? '1';
  const value = /^\d+(\.\d+)?x?$/.test(word) ? Number.parseFloat(word) : Number.NaN;
  if (word === 'max') return ok(Infinity);
  if (value >= 0.1 && value <= 100_000) return ok(value);
  return err(`--speed must be a number from 0.1 to 100000, or max, not "${word}"`);
}

/** PIDs reach 2^22 on 64-bit Linux (`PID_MAX_LIMIT`). */
function pidList(raw: RawOptions): Result<number[], string> {
  const words = list(raw, 'pid').flatMap((word) => word.split(','));
  const bad = words.find((word) => !/^\d{1,7}$/.test(word) || Number(word) > 2 ** 22);
  return bad === undefined ? ok(words.map(Number)) : err(`--pid: "${bad}" is not a process ID`);
}

function filterOf(raw: RawOptions): Result<Filter, string> {
  const expression = text(raw, 'filter') ?? '';
  const filter = parseFilter(expression);
  if (filter.ok) return filter;
  const { column, message } = filter.error;
  const place = column < expression.length ? `at "${expression.slice(column)}"` : 'at its end';
  return err(`--filter, ${place}: ${message}`);
}
