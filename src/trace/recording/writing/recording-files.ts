import { lstatSync, readdirSync, unlinkSync } from 'node:fs';
import { basename, dirname, extname, join } from 'node:path';
import { createFile, entryAt } from '../../../base/create-file.ts';
import { partOf } from '../../../base/partial-file.ts';
import type { Result } from '../../../base/result.ts';
import { err, ExitCode, ok } from '../../../base/result.ts';
import { codeOf, isSystemError, reasonOf } from '../../../base/system-error.ts';
import { FileSink } from './file-sink.ts';
import type { RecordingSink } from './file-sink.ts';
import type { RecordingTarget } from './recording-writer.ts';

const RECORDING_EXTENSION = '.ioheat';

/** One file for everything. With `force`, an earlier file stays until the new one has its first bytes. */
export function singleFile(path: string, force?: boolean): RecordingTarget {
  return {
    open: () => (force === true ? replacing(path) : sinkOf(path, createFile(path, { force }))),
    isFull: () => false,
  };
}

function replacing(path: string): Result<RecordingSink> {
  const options = { force: true };
  const part = partOf(path, options);
  if (!part.ok) return part;
  const fd = createFile(part.value, options);
  return fd.ok ? ok(new FileSink(path, fd.value, part.value)) : fd;
}

export interface RotationOptions {
  /** `dir/io.ioheat` produces `dir/io-20260131T140211Z.ioheat` and so on. */
  readonly path: string;
  /** A file of this size is full. */
  readonly maxBytes?: number | undefined;
  /** A file that was opened this long ago is full. */
  readonly maxMs?: number | undefined;
  /** Number of files of this series to keep, including the one being written; the oldest are removed. */
  readonly keep?: number | undefined;
  /** Wall clock, in ms since the epoch. */
  readonly wallMs: () => number;
}

/** A series of files, each named by its start time. */
export function rotatingFiles(options: RotationOptions): RecordingTarget {
  const { path, maxBytes = Infinity, maxMs = Infinity, keep } = options;
  let latestMs = -Infinity;
  return {
    open: () => {
      // Names are in order also if the clock is set back, because they decide which file is the oldest.
      const free = freeName(path, Math.max(options.wallMs(), latestMs + 1000));
      if (!free.ok) return free;
      latestMs = free.value.ms;
      return sinkOf(free.value.name, createFile(free.value.name));
    },
    isFull: (bytes, ageMs) => bytes >= maxBytes || ageMs >= maxMs,
    ...(keep !== undefined && { removeOld: (open) => removeOldest(path, keep, open) }),
  };
}

function sinkOf(path: string, fd: Result<number>): Result<RecordingSink> {
  return fd.ok ? ok(new FileSink(path, fd.value)) : fd;
}

function freeName(path: string, wallMs: number): Result<{ name: string; ms: number }> {
  const { stem, extension } = partsOf(path);
  // Two files may start in the same second.
  for (let ms = wallMs; ; ms += 1000) {
    const stamp = new Date(ms).toISOString().replaceAll(/[-:]|\.\d+/g, '');
    const name = join(dirname(path), `${stem}-${stamp}${extension}`);
    const found = entryAt(name);
    if (!found.ok) return found;
    if (found.value === undefined) return ok({ name, ms });
  }
}

function partsOf(path: string): { stem: string; extension: string } {
  const extension = extname(path) || RECORDING_EXTENSION;
  return { stem: basename(path, extension), extension };
}

/** Removes only files that this series has named and that are not `open`; they sort by the time in their names. */
function removeOldest(path: string, keep: number, open: readonly string[]): Result<undefined> {
  try {
    const closed = namesOfSeries(path).filter((name) => !open.includes(name));
    const kept = Math.max(0, keep - open.length);
    for (const name of closed.slice(0, Math.max(0, closed.length - kept))) removeFile(name);
    return ok(undefined);
  } catch (cause) {
    if (!isSystemError(cause)) throw cause;
    return err({
      exitCode: ExitCode.failed,
      what: 'the recording stopped',
      why: `cannot remove its oldest file: ${reasonOf(cause)}`,
      remedy: 'make its folder writable, or record without --keep',
    });
  }
}

function namesOfSeries(path: string): string[] {
  const { stem, extension } = partsOf(path);
  const folder = dirname(path);
  return readdirSync(folder)
    .filter((name) => name.startsWith(`${stem}-`) && name.endsWith(extension))
    .filter((name) => /^\d{8}T\d{6}Z$/.test(name.slice(stem.length + 1, -extension.length)))
    .sort()
    .map((name) => join(folder, name));
}

function removeFile(path: string): void {
  try {
    if (lstatSync(path).isFile()) unlinkSync(path);
  } catch (cause) {
    // Whoever ships the files may remove them, too.
    if (codeOf(cause) !== 'ENOENT') throw cause;
  }
}
