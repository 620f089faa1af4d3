import { parseBytes, parseDuration } from '../../base/parse.ts';
import type { Result } from '../../base/result.ts';
import { err, ok } from '../../base/result.ts';

/** What is asked of a recording, by `ioheat record` or beside a picture; checked. */
export interface RecordOptions {
  /** A path, or `-` for standard output; undefined where nothing is recorded from the start. */
  readonly file: string | undefined;
  readonly isDemo: boolean;
  /** Until it is ended by hand where undefined. */
  readonly durationNs: number | undefined;
  readonly rotateBytes: number | undefined;
  readonly rotateMs: number | undefined;
  readonly keep: number | undefined;
  /** Sums over slices of time in place of single I/Os. */
  readonly summary: boolean;
  readonly force: boolean;
  /** Leaves out what this program itself writes and reads. */
  readonly hideSelf: boolean;
}

export const NO_RECORDING: RecordOptions = {
  file: undefined,
  isDemo: false,
  durationNs: undefined,
  rotateBytes: undefined,
  rotateMs: undefined,
  keep: undefined,
  summary: false,
  force: false,
  hideSelf: false,
};

type Raw = Readonly<Record<string, unknown>>;

const MAX_DURATION_NS = 365 * 24 * 3600e9;
/** Less would be full at once, and nothing but names. */
const MIN_ROTATE_BYTES = 2 ** 20;
const MIN_ROTATE_MS = 1000;

export function checkRecordOptions(raw: Raw): Result<RecordOptions, string> {
  const duration = optional(raw, 'duration', parseLength);
  const rotate = optional(raw, 'rotate', parseRotation);
  const keep = optional(raw, 'keep', parseKeep);
  const problem = [duration, rotate, keep].find((one) => !one.ok);
  if (problem?.ok === false) return problem;
  const file = word(raw, 'file') ?? word(raw, 'write');
  const options: RecordOptions = {
    file,
    isDemo: word(raw, 'source') === 'demo',
    durationNs: valueOf(duration),
    rotateBytes: valueOf(rotate)?.bytes,
    rotateMs: valueOf(rotate)?.ms,
    keep: valueOf(keep),
    summary: raw['summary'] === true,
    force: raw['force'] === true,
    hideSelf: raw['hide-self'] === true,
  };
  return checkTogether(options);
}

function checkTogether(options: RecordOptions): Result<RecordOptions, string> {
  const { file, rotateBytes, rotateMs, keep, force } = options;
  const rotates = rotateBytes !== undefined || rotateMs !== undefined;
  if (keep !== undefined && !rotates) return err('--keep needs --rotate');
  if (rotates && file === '-') return err('--rotate needs a file: standard output has no end');
  if (rotates && force) return err('--rotate never replaces a file, so --force has no effect');
  if (file === '') return err('the name of the recording is empty');
  return ok(options);
}

function word(raw: Raw, name: string): string | undefined {
  const given = raw[name];
  const value: unknown = Array.isArray(given) ? given.at(-1) : given;
  return typeof value === 'string' ? value : undefined;
}

function optional<T>(
  raw: Raw,
  name: string,
  parse: (text: string) => Result<T, string>,
): Result<T | undefined, string> {
  const text = word(raw, name);
  if (text === undefined) return ok(undefined);
  const parsed = parse(text);
  return parsed.ok ? parsed : err(`--${name}: ${parsed.error}`);
}

function valueOf<T>(result: Result<T | undefined, string>): T | undefined {
  return result.ok ? result.value : undefined;
}

function parseLength(text: string): Result<number, string> {
  const parsed = parseLongDuration(text);
  if (!parsed.ok) return parsed;
  if (parsed.value >= 100e6 && parsed.value <= MAX_DURATION_NS) return parsed;
  return err('it must lie between 100ms and 365d');
}

function parseLongDuration(text: string): Result<number, string> {
  const days = /^(\d{1,3})d$/.exec(text.trim());
  return days === null ? parseDuration(text) : ok(Number(days[1]) * 24 * 3600e9);
}

/** A time such as `1h`, or a size such as `100M`; `10m` is minutes, as everywhere here. */
function parseRotation(text: string): Result<{ bytes?: number; ms?: number }, string> {
  const time = parseLongDuration(text);
  if (time.ok) {
    const ms = time.value / 1e6;
    return ms < MIN_ROTATE_MS ? err('a file must last at least 1s') : ok({ ms });
  }
  const size = parseBytes(text);
  if (!size.ok) return err(`"${text}" is neither a size such as 100M nor a time such as 1h`);
  return size.value < MIN_ROTATE_BYTES
    ? err('a file holds at least 1M')
    : ok({ bytes: size.value });
}

function parseKeep(text: string): Result<number, string> {
  const value = /^\d{1,6}$/.test(text) ? Number(text) : 0;
  return value >= 1 ? ok(value) : err(`"${text}" is no number of files`);
}
