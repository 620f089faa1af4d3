import { readdirSync, readlinkSync } from 'node:fs';

/**
 * Whether this process holds a ring of io_uring: libuv since 1.45 makes one per event loop before any
 * script runs, and no variable keeps it from that. What is done through a ring passes no filter of system
 * calls, and one that is refused is the end of libuv. Undefined where it cannot be seen.
 */
export function hasRings(): boolean | undefined {
  try {
    return readdirSync('/proc/self/fd').some((fd) => targetOf(fd) === 'anon_inode:[io_uring]');
  } catch (cause) {
    if (cause instanceof Error && 'code' in cause) return undefined;
    throw cause;
  }
}

/** Empty for the descriptor that the list itself was read with. */
function targetOf(fd: string): string {
  try {
    return readlinkSync(`/proc/self/fd/${fd}`);
  } catch (cause) {
    if (cause instanceof Error && 'code' in cause && cause.code === 'ENOENT') return '';
    throw cause;
  }
}
