import type { IoheatError } from './result.ts';
import { ExitCode, formatError } from './result.ts';
import { isSystemError, reasonOf } from './system-error.ts';

/**
 * Thrown where a file that was opened cannot be read any more: a bad block, a network mount that went away. It is
 * expected, but nothing between the read and the end of the program can go on without the file.
 */
export class ReadFailure extends Error {
  constructor(readonly error: IoheatError) {
    super(formatError(error));
  }
}

/** Reads from a file by whatever code; `name` is what a person calls the file. */
export function reading<T>(name: string, read: () => T): T {
  try {
    return read();
  } catch (cause) {
    // Errors of Node have a code, too. Those of the system name the call.
    if (!isSystemError(cause) || !('syscall' in cause)) throw cause;
    const what = `cannot read ${name}`;
    throw new ReadFailure({ exitCode: ExitCode.failed, what, why: reasonOf(cause) });
  }
}
