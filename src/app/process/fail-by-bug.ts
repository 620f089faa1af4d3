import { writeSync } from 'node:fs';
import { explainFileLimit } from '../../base/file-limit.ts';
import { missingCode } from '../../base/late-code.ts';
import { codeOf } from '../../base/system-error.ts';
import { ExitCode, formatError } from '../../base/result.ts';
import type { IoheatError } from '../../base/result.ts';
import { sanitizeText } from '../../base/sanitize.ts';

const STDERR = 2;
/** Maximum length of a message line. */
const MAX_LINE = 500;

/**
 * Ends the program after a bug, or if a file of the program cannot be loaded: for lack of memory, or because it is not
 * there any more. Node would quote the source line, which in a bundle is the whole file.
 */
export function failByBug(error: unknown): never {
  const expected = shortageOf(error) ?? missingCode(error);
  const text = expected === undefined ? stackOf(error) : formatError(expected);
  const lines = text.split('\n').map((line) => sanitizeText(line.slice(0, MAX_LINE)));
  writeSync(STDERR, `ioheat: ${lines.join('\n')}\n`);
  process.exit(ExitCode.failed);
}

function shortageOf(error: unknown): IoheatError | undefined {
  const shortage = explainFileLimit(codeOf(error));
  return shortage && { exitCode: ExitCode.failed, what: 'cannot continue', ...shortage };
}

function stackOf(error: unknown): string {
  return error instanceof Error ? (error.stack ?? error.message) : String(error);
}
