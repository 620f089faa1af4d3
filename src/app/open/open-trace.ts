import { closeSync, constants, fstatSync, openSync, readSync } from 'node:fs';
import { reading } from '../../base/read-failure.ts';
import { isSystemError, reasonOf } from '../../base/system-error.ts';
import { explainFileLimit } from '../../base/file-limit.ts';
import type { IoheatError, Result } from '../../base/result.ts';
import { ExitCode, err, ok } from '../../base/result.ts';
import { openImport } from '../../trace/import/open-import.ts';
import type { IdentityTable } from '../../model/identity-table.ts';
import {
  RECORDING_SIGN_BYTES,
  looksLikeRecording,
  openRecording,
} from '../../trace/recording/reading/open-recording.ts';
import { isRewritten, openRewritten } from '../../trace/recording/reading/rewritten-reader.ts';
import { looksLikeArrow } from '../../trace/recording/reading/table-messages.ts';
import type { TraceReader } from '../../trace/trace-reader.ts';
import { STDIN_FILE } from '../options/options.ts';
import { withReplaced } from './replaced-reader.ts';
import { openStream } from './stdin-trace.ts';

/**
 * Opens a recording or another tool's log, whatever its name; `-` is standard input, of which enough has
 * arrived to recognize it when this settles. The error names the file.
 */
export async function openTrace(
  file: string,
  identities: IdentityTable,
): Promise<Result<TraceReader>> {
  return file === STDIN_FILE ? openStream(process.stdin, identities) : openFile(file, identities);
}

function openFile(path: string, identities: IdentityTable): Result<TraceReader> {
  const sign = readSign(path);
  if (!sign.ok) return err(refusal(path, sign.error));
  const opened = reading(path, () => openAs(sign.value, path, identities));
  if (opened.ok) {
    const reader = opened.value;
    return ok(withReplaced(reader, { next: () => reading(path, () => reader.next()) }));
  }
  if (opened.error.what.includes(path)) return opened;
  return err({ ...opened.error, what: `${path}: ${opened.error.what}` });
}

type Refusal = Pick<IoheatError, 'why' | 'remedy'>;

function openAs(sign: Sign, path: string, identities: IdentityTable): Result<TraceReader> {
  switch (sign) {
    case 'recording':
      return openRecording(path, identities);
    case 'rewritten':
      return openRewritten(openSync(path, constants.O_RDONLY | constants.O_NONBLOCK), identities);
    case 'log':
      return openImport({ kind: 'path', path }, identities);
  }
}

/** The format that the start of a file shows. */
type Sign = 'recording' | 'rewritten' | 'log';

function signOf(fd: number, first: Uint8Array): Sign {
  if (looksLikeRecording(first)) return isRewritten(fd) ? 'rewritten' : 'recording';
  return looksLikeArrow(first) ? 'rewritten' : 'log';
}

/** The format that the start of a file shows, or why it cannot be read. */
function readSign(path: string): Result<Sign, Refusal> {
  let fd: number | undefined;
  try {
    // A FIFO without a writer would block the open.
    fd = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK);
    const stat = fstatSync(fd);
    if (stat.isDirectory()) return err({ why: 'it is a directory' });
    if (!stat.isFile())
      return err({ why: 'it is not a regular file', remedy: 'use - to read standard input' });
    const bytes = Buffer.alloc(RECORDING_SIGN_BYTES);
    const length = readSync(fd, bytes, 0, bytes.length, 0);
    if (length === 0) return err({ why: 'it is empty' });
    if (stat.size === 0)
      return err({ why: 'it has no size', remedy: 'use - to read standard input' });
    return ok(signOf(fd, bytes.subarray(0, length)));
  } catch (cause) {
    if (!isSystemError(cause)) throw cause;
    const why = WORDS[cause.code] ?? reasonOf(cause);
    return err(explainFileLimit(cause.code) ?? { why });
  } finally {
    if (fd !== undefined) closeSync(fd);
  }
}

const WORDS: Readonly<Record<string, string>> = {
  ENOENT: 'no such file',
  EACCES: 'permission denied',
};

function refusal(path: string, reason: Refusal): IoheatError {
  const refused = { exitCode: ExitCode.failed, what: `cannot open ${path}`, ...reason };
  // A login as root has dropped the capability to open other users' files.
  if (reason.why !== WORDS['EACCES'] || process.geteuid?.() !== 0) return refused;
  return { ...refused, remedy: 'pass it on standard input: - < FILE' };
}
