import { readdirSync, readFileSync, readlinkSync } from 'node:fs';
import { endianness, release } from 'node:os';
import { isSystemError } from '../../base/system-error.ts';
import { err, formatError, ok, type Result } from '../../base/result.ts';
import type { MissingTracepoint } from '../attach/trace-handover.ts';
import { isOnPath, ownStart, type ProgramStart } from '../privilege/explain.ts';

/** A file's content, or the symbolic errno of why it could not be read. */
export type Reading =
  { readonly ok: true; readonly bytes: Uint8Array } | { readonly ok: false; readonly code: string };

/** A shared library that was found, with the version that it reports. */
export interface LibraryFound {
  readonly file: string;
  readonly version: string;
}

/** What came of loading and attaching all programs. */
export interface TriedTrace {
  readonly programs: number;
  /** Programs for tracepoints that the kernel has, but that it refused. */
  readonly refused: readonly MissingTracepoint[];
}

/** Everything that doctor asks of a machine: this one, or made-up data in tests. */
export interface Machine {
  readonly platform: string;
  readonly arch: string;
  readonly littleEndian: boolean;
  readonly kernelRelease: string;
  readonly nodeVersion: string;
  readonly euid: number;
  readonly hasSudo: boolean;
  readonly start: ProgramStart;
  read(path: string): Reading;
  /** Names in a folder; empty when it cannot be read. */
  list(path: string): readonly string[];
  readLink(path: string): string | undefined;
  /** Version of the foreign function library, or why it does not load. */
  loadKoffi(): Promise<Result<string, string>>;
  /** The first of `files` that loads. */
  findLibbpf(files: readonly string[]): Promise<LibraryFound | undefined>;
  /** Creates and closes a small ring buffer; the error is the kernel's. */
  createRing(): Promise<Result<undefined, string>>;
  /** Loads, attaches and detaches ioheat's own programs; returns how many. */
  tryTrace(): Promise<Result<TriedTrace, string>>;
}

/*
 * Native code is imported when it is used: if koffi has no binary for this machine, doctor must still be able to
 * report it.
 */
export function thisMachine(): Machine {
  return {
    platform: process.platform,
    arch: process.arch,
    littleEndian: endianness() === 'LE',
    kernelRelease: release(),
    nodeVersion: process.versions.node,
    euid: process.geteuid?.() ?? -1,
    hasSudo: isOnPath('sudo'),
    start: ownStart(),
    read: (path) => {
      const read = tryFile(() => readFileSync(path));
      return read.ok ? { ok: true, bytes: read.value } : { ok: false, code: read.error };
    },
    list: (path) => {
      const listed = tryFile(() => readdirSync(path));
      return listed.ok ? listed.value : [];
    },
    readLink: (path) => {
      const target = tryFile(() => readlinkSync(path));
      return target.ok ? target.value : undefined;
    },
    loadKoffi,
    findLibbpf,
    createRing,
    tryTrace,
  };
}

function tryFile<T>(action: () => T): Result<T, string> {
  try {
    return ok(action());
  } catch (cause) {
    if (!isSystemError(cause)) throw cause;
    return err(cause.code);
  }
}

async function loadKoffi(): Promise<Result<string, string>> {
  try {
    const { default: koffi } = await import('koffi');
    return ok(koffi.version);
  } catch (cause) {
    return err(firstLine(cause));
  }
}

async function findLibbpf(files: readonly string[]): Promise<LibraryFound | undefined> {
  const native = await import('./native.ts');
  return native.findLibbpf(files);
}

async function createRing(): Promise<Result<undefined, string>> {
  const native = await import('./native.ts');
  return native.createRing();
}

async function tryTrace(): Promise<Result<TriedTrace, string>> {
  const { attachTracer } = await import('../attach/attach.ts');
  const tracer = attachTracer({ waits: true, calls: true });
  if (!tracer.ok) return err(formatError(tracer.error));
  tracer.value.dispose();
  const { attached, missing } = tracer.value;
  return ok({
    programs: attached.length,
    refused: missing.filter(({ refusal }) => refusal !== undefined),
  });
}

function firstLine(cause: unknown): string {
  const text = cause instanceof Error ? cause.message : String(cause);
  return text.split('\n')[0] ?? text;
}
