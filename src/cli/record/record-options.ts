import type { Result } from '../../base/result.ts';
import { err, ok } from '../../base/result.ts';
import { KEEP, RECORD_DURATION, ROTATION } from '../option-rules.ts';
import type { ValueRule } from '../option-rules.ts';

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

export function checkRecordOptions(raw: Raw): Result<RecordOptions, string> {
  const duration = optional(raw, 'duration', RECORD_DURATION);
  const rotate = optional(raw, 'rotate', ROTATION);
  const keep = optional(raw, 'keep', KEEP);
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
  if (keep !== undefined && !rotates) return err('--keep: it has no effect without --rotate');
  if (rotates && file === '-') return err('--rotate: it requires a file, and - is standard output');
  if (rotates && force)
    return err('--force: it has no effect with --rotate, which never replaces a file');
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
  { parse }: ValueRule<T>,
): Result<T | undefined, string> {
  const text = word(raw, name);
  if (text === undefined) return ok(undefined);
  const parsed = parse(text);
  return parsed.ok ? parsed : err(`--${name}: ${parsed.error}`);
}

function valueOf<T>(result: Result<T | undefined, string>): T | undefined {
  return result.ok ? result.value : undefined;
}
