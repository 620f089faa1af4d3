import { writeSync } from 'node:fs';
import { explainFileLimit } from '../../base/file-limit.ts';
import { missingCode } from '../../base/late-code.ts';
import { ReadFailure } from '../../base/read-failure.ts';
import { codeOf } from '../../base/system-error.ts';
import { ExitCode, formatError } from '../../base/result.ts';
import type { IoheatError } from '../../base/result.ts';
import { sanitizeText } from '../../base/sanitize.ts';

const STDERR = 2;
/** Maximum length of a message line. */
const MAX_LINE = 500;

/**
 * Ends the program after a bug, if a trace cannot be read any more, or if a file of the program cannot be loaded: for lack
 * of memory, or because it is not there any more. Node would quote the source line, which in a bundle is the whole file.
 */
export function failByBug(error: unknown): never {
  writeSync(STDERR, `ioheat: ${failureText(error)}\n`);
  process.exit(ExitCode.failed);
}

/** What a person has to know about something thrown: all that is known of a bug. */
export function failureText(error: unknown): string {
  const expected = shortageOf(error) ?? missingCode(error) ?? unreadable(error);
  const text = expected === undefined ? stackOf(error) : formatError(expected);
  return text
    .split('\n')
    .map((line) => sanitizeText(line.slice(0, MAX_LINE)))
    .join('\n');
}

function unreadable(error: unknown): IoheatError | undefined {
  return error instanceof ReadFailure ? error.error : undefined;
}

function shortageOf(error: unknown): IoheatError | undefined {
  const shortage = explainFileLimit(codeOf(error));
  return shortage && { exitCode: ExitCode.failed, what: 'cannot continue', ...shortage };
}

function stackOf(error: unknown): string {
  return error instanceof Error ? (error.stack ?? error.message) : String(error);
}
