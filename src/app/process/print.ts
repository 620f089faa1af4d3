import type { Result } from '../../base/result.ts';
import { ExitCode, err, ok } from '../../base/result.ts';
import { asciiText } from '../../base/ascii-text.ts';
import { isSystemError, reasonOf } from '../../base/system-error.ts';
import { isUtf8 } from '../../terminal/capabilities.ts';
import { isTerminal } from '../../terminal/standard-terminals.ts';

const STDERR = 2;

/** `closed`: the reader has closed the pipe, as `head` does. */
export type Printed = 'open' | 'closed';

/** Writes to standard output. A reader that closes the pipe is not a failure. */
export function print(text: string | Uint8Array): Promise<Result<Printed>> {
  return new Promise((resolve) => {
    const { stdout } = process;
    outliveErrors(stdout);
    stdout.write(text, (error) => {
      resolve(outcome(error));
    });
  });
}

function outcome(error: NodeJS.ErrnoException | null | undefined): Result<Printed> {
  if (!error) return ok('open');
  if (error.code === 'EPIPE') return ok('closed');
  return err({
    exitCode: ExitCode.failed,
    what: 'cannot write the output',
    why: isSystemError(error) ? reasonOf(error) : error.message,
  });
}

/** Text that people read, in what their locale can show. */
export function forPeople(text: string): string {
  return isUtf8(process.env) ? text : asciiText(text);
}

let isSilent = false;

/** Call it when the terminal is gone, or would block: nothing is printed to a terminal after that. */
export function silenceTerminal(): void {
  isSilent = isTerminal(STDERR);
}

/** Writes to standard error. Where nobody can read it any more, the exit code must suffice. */
export function tell(text: string): void {
  if (isSilent) return;
  outliveErrors(process.stderr);
  process.stderr.write(forPeople(text));
}

/** Without a listener an error of a stream would end the program with a stack trace. */
function outliveErrors(stream: NodeJS.WriteStream): void {
  if (!stream.listeners('error').includes(leaveToCallback)) stream.on('error', leaveToCallback);
}

function leaveToCallback(): void {
  return undefined;
}
