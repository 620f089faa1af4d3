import { readdirSync, readlinkSync } from 'node:fs';
import { codeOf, isSystemError } from '../../base/system-error.ts';

/**
 * Whether this process has an io_uring ring: libuv since 1.45 creates one per event loop before any script runs, and
 * no environment variable prevents it. Filters of system calls do not see operations on a ring, and libuv aborts
 * when an operation is refused. Undefined where this cannot be read.
 */
export function hasRings(): boolean | undefined {
  try {
    return readdirSync('/proc/self/fd').some((fd) => targetOf(fd) === 'anon_inode:[io_uring]');
  } catch (cause) {
    if (isSystemError(cause)) return undefined;
    throw cause;
  }
}

/** The target of a descriptor; empty for the descriptor with which the list itself was read. */
function targetOf(fd: string): string {
  try {
    return readlinkSync(`/proc/self/fd/${fd}`);
  } catch (cause) {
    if (codeOf(cause) === 'ENOENT') return '';
    throw cause;
  }
}
