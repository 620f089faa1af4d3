import type { Result } from '../base/result.ts';
import { ExitCode, err, ok } from '../base/result.ts';

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

/** Writes to standard error. When nobody can read that any more, the exit code has to do. */
export function tell(text: string): void {
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
