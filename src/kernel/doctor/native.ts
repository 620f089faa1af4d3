import { closeSync } from 'node:fs';
import koffi, { type LibraryHandle } from 'koffi';
import { err, ok, type Result } from '../../base/result.ts';
import { checkErrno, formatSyscallError } from '../native/syscalls.ts';
import type { LibraryFound } from './machine.ts';

const BPF_SYSCALL = process.arch === 'x64' ? 321 : 280;
const BPF_MAP_CREATE = 0;
const BPF_MAP_TYPE_RINGBUF = 27;
/** A multiple of the page size everywhere: pages of arm64 have up to 64 KiB. */
const RING_BYTES = 65_536;
/** The part of `union bpf_attr` that map creation reads in the first kernels with ring buffers (5.8). */
const ATTRIBUTE_WORDS = 18;

const RLIMIT_MEMLOCK = 8;

/**
 * Creates the smallest ring buffer and closes it. Before 5.11 it counts towards the limit of locked memory, which is
 * then lifted in the same way as libbpf lifts it for the programs.
 */
export function createRing(): Result<undefined, string> {
  const tried = tryRing();
  if (tried.ok || !liftMemlock()) return tried;
  return tryRing();
}

/** Lifts the limit of locked memory; false when this is not permitted. */
function liftMemlock(): boolean {
  const setLimit = koffi.load(null).func('int setrlimit(int resource, uint64_t *limits)');
  return Number(setLimit(RLIMIT_MEMLOCK, new BigUint64Array(2).fill(2n ** 64n - 1n))) === 0;
}

function tryRing(): Result<undefined, string> {
  const bpf = koffi
    .load(null)
    .func('long syscall(long number, long command, void *attributes, long size)');
  const attributes = new Uint32Array(ATTRIBUTE_WORDS);
  attributes.set([BPF_MAP_TYPE_RINGBUF, 0, 0, RING_BYTES]);
  const rc = Number(bpf(BPF_SYSCALL, BPF_MAP_CREATE, attributes, attributes.byteLength));
  const fd = checkErrno('bpf(BPF_MAP_CREATE)', rc);
  if (!fd.ok) return err(formatSyscallError(fd.error));
  closeSync(fd.value);
  return ok(undefined);
}

/** The first of these files that the dynamic linker loads. libbpf reports its version since 0.6. */
export function findLibbpf(files: readonly string[]): LibraryFound | undefined {
  for (const file of files) {
    const library = tryLoad(file);
    if (library === undefined) continue;
    const version = tryVersion(library);
    return { file, version: version ?? 'older than 0.6' };
  }
  return undefined;
}

function tryLoad(file: string): LibraryHandle | undefined {
  try {
    return koffi.load(file);
  } catch (cause) {
    if (cause instanceof Error) return undefined;
    throw cause;
  }
}

function tryVersion(library: LibraryHandle): string | undefined {
  try {
    const version = library.func('const char *libbpf_version_string()')() as string;
    return version.replace(/^v/, '');
  } catch (cause) {
    if (cause instanceof Error) return undefined;
    throw cause;
  }
}
