import type { Result } from '../base/result.ts';
import { ExitCode, err, ok } from '../base/result.ts';
import { isTerminal } from '../terminal/standard-terminals.ts';

const STDERR = 2;

/** Writes to standard output. A reader that has seen enough, such as `head`, is no failure. */
export function print(text: string | Uint8Array): Promise<Result<undefined>> {
  return new Promise((resolve) => {
    const { stdout } = process;
    outliveErrors(stdout);
    stdout.write(text, (error) => {
      resolve(outcome(error));
    });
  });
}

function outcome(error: NodeJS.ErrnoException | null | undefined): Result<undefined> {
  if (!error || error.code === 'EPIPE') return ok(undefined);
  return err({
    exitCode: ExitCode.failed,
    what: 'cannot write the output',
    why: error.message,
  });
}

let isSilent = false;

/** From now on nothing is told to a terminal: it is gone, or would not take it and block. */
export function silenceTerminal(): void {
  isSilent = isTerminal(STDERR);
}

/** Writes to standard error. When nobody can read that any more, the exit code has to do. */
export function tell(text: string): void {
  if (isSilent) return;
  outliveErrors(process.stderr);
  process.stderr.write(text);
}

/** Without a listener an error of a stream would end the program with a stack. */
function outliveErrors(stream: NodeJS.WriteStream): void {
  if (!stream.listeners('error').includes(leaveToCallback)) stream.on('error', leaveToCallback);
}

function leaveToCallback(): void {
  return undefined;
}
