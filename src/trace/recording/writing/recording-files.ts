import { lstatSync, readdirSync, unlinkSync } from 'node:fs';
import { basename, dirname, extname, join } from 'node:path';
import { createFile } from '../../../base/create-file.ts';
import type { Result } from '../../../base/result.ts';
import { ok } from '../../../base/result.ts';
import { FileSink } from './file-sink.ts';
import type { RecordingSink } from './file-sink.ts';
import type { RecordingTarget } from './recording-writer.ts';

const RECORDING_EXTENSION = '.ioheat';

/** One file for everything. */
export function singleFile(path: string, force?: boolean): RecordingTarget {
  return {
    open: () => sinkOf(path, createFile(path, { force })),
    isFull: () => false,
  };
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
  const { maxBytes = Infinity, maxMs = Infinity, keep } = options;
  return {
    open: () => {
      const path = freeName(options.path, options.wallMs());
      const sink = sinkOf(path, createFile(path));
      if (sink.ok && keep !== undefined) removeOldest(options.path, keep);
      return sink;
    },
    isFull: (bytes, ageMs) => bytes >= maxBytes || ageMs >= maxMs,
  };
}

function sinkOf(path: string, fd: Result<number>): Result<RecordingSink> {
  return fd.ok ? ok(new FileSink(path, fd.value)) : fd;
}

function freeName(path: string, wallMs: number): string {
  const { stem, extension } = partsOf(path);
  // Two files may start in the same second.
  for (let ms = wallMs; ; ms += 1000) {
    const stamp = new Date(ms).toISOString().replaceAll(/[-:]|\.\d+/g, '');
    const name = join(dirname(path), `${stem}-${stamp}${extension}`);
    if (lstatSync(name, { throwIfNoEntry: false }) === undefined) return name;
  }
}

function partsOf(path: string): { stem: string; extension: string } {
  const extension = extname(path) || RECORDING_EXTENSION;
  return { stem: basename(path, extension), extension };
}

/** Removes only files that this series has named; they sort by the time in their names. */
function removeOldest(path: string, keep: number): void {
  const { stem, extension } = partsOf(path);
  const folder = dirname(path);
  const series = readdirSync(folder)
    .filter((name) => name.startsWith(`${stem}-`) && name.endsWith(extension))
    .filter((name) => /^\d{8}T\d{6}Z$/.test(name.slice(stem.length + 1, -extension.length)))
    .sort();
  for (const name of series.slice(0, Math.max(0, series.length - keep))) {
    const old = join(folder, name);
    if (lstatSync(old, { throwIfNoEntry: false })?.isFile() === true) unlinkSync(old);
  }
}
