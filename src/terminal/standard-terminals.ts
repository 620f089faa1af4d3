import { closeSync, existsSync, fstatSync, openSync } from 'node:fs';
import { codeOf } from '../base/system-error.ts';

const STANDARD_FDS = [0, 1, 2];
const NOTHING = '/dev/null';

/**
 * Called last in a program. At exit, Node restores the terminals of the standard descriptors, and aborts if that
 * fails, for example on a terminal that has hung up (`ResetStdio`). It leaves descriptors alone that have been
 * replaced; the terminal is already restored by then. They are not left closed, because koffi flushes them at exit
 * and would hang.
 */
export function leaveStandardTerminals(): void {
  for (const fd of STANDARD_FDS) {
    if (!isTerminal(fd)) continue;
    closeSync(fd);
    // Opens the lowest free descriptor: this one.
    if (existsSync(NOTHING)) openSync(NOTHING, 'r+');
  }
}

/** True also for a terminal that has hung up, for which `isatty` is false; and for /dev/null. */
export function isTerminal(fd: number): boolean {
  try {
    return fstatSync(fd).isCharacterDevice();
  } catch (cause) {
    if (codeOf(cause) === 'EBADF') return false;
    throw cause;
  }
}
