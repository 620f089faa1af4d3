import type { ExitCode, IoheatError } from '../../base/result.ts';
import { formatError } from '../../base/result.ts';
import { sanitizeText } from '../../base/sanitize.ts';
import { tell } from './print.ts';

/** Sanitized: a wrong argument is quoted, and may contain anything. */
export async function complain(error: IoheatError): Promise<ExitCode> {
  tell(`${await prefix()} ${sanitizeText(formatError(error))}\n`);
  return error.exitCode;
}

const PREFIX = 'ioheat:';

/**
 * Plain in pipes and files also with FORCE_COLOR, so that scripts find it at the start of a line. Styles are loaded
 * only here, because most runs print no error. Without files or memory to load them, the error must still be printed.
 */
async function prefix(): Promise<string> {
  if (!process.stderr.isTTY) return PREFIX;
  const styles = await import('./command-styles.ts').catch(() => undefined);
  return styles?.stylesFor(process.stderr).red.bold(PREFIX) ?? PREFIX;
}
