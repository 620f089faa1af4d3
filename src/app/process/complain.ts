import type { ExitCode, IoheatError } from '../../base/result.ts';
import { formatError } from '../../base/result.ts';
import { sanitizeText } from '../../base/sanitize.ts';
import { tell } from './print.ts';

/** Sanitized: a wrong argument is quoted, and may contain anything. */
export function complain(error: IoheatError): ExitCode {
  tell(`ioheat: ${sanitizeText(formatError(error))}\n`);
  return error.exitCode;
}
