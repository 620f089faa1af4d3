import { closeSync, unlinkSync, write } from 'node:fs';
import { promisify } from 'node:util';
import { isSystemError, reasonOf } from '../../base/system-error.ts';
import { createFile } from '../../base/create-file.ts';
import type { Result } from '../../base/result.ts';
import { err, ExitCode, ok } from '../../base/result.ts';
import { sanitizeText } from '../../base/sanitize.ts';
import { print } from '../process/print.ts';

/** The destination of an export. */
export interface Sink {
  /** `closed` when the reader has closed the pipe. */
  write(chunk: string | Uint8Array): Promise<Result<'open' | 'closed'>>;
  /** Called when everything has been written. */
  finish(): Result<undefined>;
  /** Removes an unfinished file. */
  abandon(): void;
}

export const STDOUT = '-';

export function openSink(output: string, force?: boolean): Result<Sink> {
  if (output === STDOUT) return ok(stdoutSink());
  const fd = createFile(output, { force });
  return fd.ok ? ok(fileSink(fd.value, output)) : fd;
}

function fileSink(fd: number, path: string): Sink {
  return {
    write: (chunk) => writeAll(fd, path, chunk),
    finish: () => closeFile(fd, path),
    abandon: () => {
      closeFile(fd, path);
      unlinkSync(path);
    },
  };
}

const writeSome = promisify(write);

async function writeAll(
  fd: number,
  path: string,
  chunk: string | Uint8Array,
): Promise<Result<'open' | 'closed'>> {
  const bytes = typeof chunk === 'string' ? Buffer.from(chunk) : chunk;
  try {
    for (let at = 0; at < bytes.length;) at += (await writeSome(fd, bytes, at)).bytesWritten;
    return ok('open');
  } catch (cause) {
    return cannotWrite(path, cause);
  }
}

/** A full disk may be reported only now. */
function closeFile(fd: number, path: string): Result<undefined> {
  try {
    closeSync(fd);
    return ok(undefined);
  } catch (cause) {
    return cannotWrite(path, cause);
  }
}

function cannotWrite(path: string, cause: unknown): Result<never> {
  if (!isSystemError(cause)) throw cause;
  return err({ exitCode: ExitCode.failed, what: `cannot write ${path}`, why: reasonOf(cause) });
}

/** Standard output. A terminal gets no control characters, whatever the names of processes contain. */
function stdoutSink(): Sink {
  const { stdout } = process;
  return {
    write: async (chunk) => {
      const isShown = stdout.isTTY && typeof chunk === 'string';
      const safe = isShown ? chunk.split('\n').map(sanitizeText).join('\n') : chunk;
      const printed = await print(safe);
      if (!printed.ok) return printed;
      return ok(stdout.destroyed || stdout.errored !== null ? 'closed' : 'open');
    },
    finish: () => ok(undefined),
    abandon: () => undefined,
  };
}
