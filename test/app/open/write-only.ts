import { closeSync, constants, openSync, readdirSync, readlinkSync } from 'node:fs';
import { codeOrThrow } from '../../../src/base/system-error.ts';

const DESCRIPTORS = '/proc/self/fd';

/**
 * Exchanges each descriptor of this process that a file is open on for one that only writes, so that the kernel refuses
 * the next read. Returns how many there were.
 */
export function makeWriteOnly(path: string): number {
  const found = readdirSync(DESCRIPTORS)
    .map(Number)
    .filter((fd) => pathOf(fd) === path);
  for (const fd of found) {
    closeSync(fd);
    exchange(path, fd);
  }
  return found.length;
}

/** `openSync` returns the lowest free number. */
function exchange(path: string, fd: number): void {
  const opened = openSync(path, constants.O_WRONLY);
  if (opened === fd) return;
  exchange(path, fd);
  closeSync(opened);
}

/** Undefined for the descriptor that listed the others, which is closed by now. */
function pathOf(fd: number): string | undefined {
  try {
    return readlinkSync(`${DESCRIPTORS}/${fd}`);
  } catch (cause) {
    if (codeOrThrow(cause) === 'ENOENT') return undefined;
    throw cause;
  }
}
