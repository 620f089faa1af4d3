import { closeSync, fstatSync, write } from 'node:fs';
import { promisify } from 'node:util';
import { isSystemError, reasonOf } from '../../base/system-error.ts';
import { createFile } from '../../base/create-file.ts';
import type { CreateOptions } from '../../base/create-file.ts';
import { partOf, publishPart, removePart } from '../../base/partial-file.ts';
import type { Result } from '../../base/result.ts';
import { err, ExitCode, ok } from '../../base/result.ts';
import { sanitizeText } from '../../base/sanitize.ts';
import { print } from '../process/print.ts';
import type { Printed } from '../process/print.ts';

/** The destination of an export. */
export interface Sink {
  /** `closed` when the reader has closed the pipe. */
  write(chunk: string | Uint8Array): Promise<Result<Printed>>;
  /** Called when everything has been written: only now the file has its name. */
  finish(): Result<undefined>;
  /** Removes an unfinished file; one that it was to replace stays. */
  abandon(): void;
}

export const STDOUT = '-';

/** Creates the partial file at once, and fails where the file cannot be created or replaced. `-` is standard output. */
export function openSink(output: string, options: CreateOptions = {}): Result<Sink> {
  if (output === STDOUT) return ok(stdoutSink());
  const part = partOf(output, options);
  if (!part.ok) return part;
  const fd = createFile(part.value, options);
  return fd.ok ? ok(fileSink(fd.value, part.value, output, options)) : fd;
}

function fileSink(fd: number, part: string, path: string, options: CreateOptions): Sink {
  let isOver = false;
  const isDeleted = () => fstatSync(fd).nlink === 0;
  return {
    write: (chunk) => writeAll(fd, path, chunk),
    finish: () => {
      isOver = true;
      const isGone = isDeleted();
      const closed = closeFile(fd, path);
      if (isGone) return err({ ...FAILED, what: `cannot create ${path}`, why: GONE });
      if (closed.ok) return publishPart(part, path, options);
      removePart(part);
      return closed;
    },
    abandon: () => {
      // A signal may come when all is done.
      if (isOver) return;
      isOver = true;
      if (!isDeleted()) removePart(part);
      closeFile(fd, path);
    },
  };
}

const FAILED = { exitCode: ExitCode.failed };
/** With --force, a second export to the same name has replaced the partial file of the first. */
const GONE = 'its partial file was deleted or replaced';

const writeSome = promisify(write);

async function writeAll(
  fd: number,
  path: string,
  chunk: string | Uint8Array,
): Promise<Result<Printed>> {
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
    // Node.js resets the error of standard output at once: only the outcome of the write has it.
    write: (chunk) => {
      const isShown = stdout.isTTY && typeof chunk === 'string';
      return print(isShown ? chunk.split('\n').map(sanitizeText).join('\n') : chunk);
    },
    finish: () => ok(undefined),
    abandon: () => undefined,
  };
}
