import type { RecordOptions } from '../app/options/record-options.ts';
import type { Result } from '../base/result.ts';
import { err, ok } from '../base/result.ts';
import { KEEP, RECORD_DURATION, ROTATION } from './option-rules.ts';
import type { ValueRule } from './option-rules.ts';
import { text } from './raw-options.ts';
import type { RawOptions } from './raw-options.ts';

export function checkRecordOptions(raw: RawOptions): Result<RecordOptions, string> {
  const duration = optional(raw, 'duration', RECORD_DURATION);
  const rotate = optional(raw, 'rotate', ROTATION);
  const keep = optional(raw, 'keep', KEEP);
  const problem = [duration, rotate, keep].find((one) => !one.ok);
  if (problem?.ok === false) return problem;
  const file = text(raw, 'file') ?? text(raw, 'write');
  const options: RecordOptions = {
    file,
    isDemo: text(raw, 'source') === 'demo',
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
  if (keep !== undefined && !rotates) return err('--keep: no effect without --rotate');
  if (rotates && file === '-') return err('--rotate: requires a file, and - is standard output');
  if (rotates && force) return err('--force: no effect with --rotate, which never replaces a file');
  if (file === '') return err('the name of the recording is empty');
  return ok(options);
}

function optional<T>(
  raw: RawOptions,
  name: string,
  { parse }: ValueRule<T>,
): Result<T | undefined, string> {
  const word = text(raw, name);
  if (word === undefined) return ok(undefined);
  const parsed = parse(word);
  return parsed.ok ? parsed : err(`--${name}: ${parsed.error}`);
}

function valueOf<T>(result: Result<T | undefined, string>): T | undefined {
  return result.ok ? result.value : undefined;
}
