import { closeSync, existsSync, fstatSync, openSync } from 'node:fs';

const STANDARD_FDS = [0, 1, 2];
const NOTHING = '/dev/null';

/**
 * The last act of a program. When it exits, Node sets the terminals of the standard descriptors back to
 * how it found them, and aborts where it cannot, as on a terminal that has hung up (`ResetStdio`). It
 * leaves descriptors alone that have become something else; by then the terminal has been given back.
 * They are not left closed: koffi flushes them at exit, and would never end.
 */
export function leaveStandardTerminals(): void {
  for (const fd of STANDARD_FDS) {
    if (!isTerminal(fd)) continue;
    closeSync(fd);
    // Takes the lowest descriptor that is free: this one.
    if (existsSync(NOTHING)) openSync(NOTHING, 'r+');
  }
}

/** Also one that has hung up, of which `isatty` knows nothing; so is /dev/null. */
export function isTerminal(fd: number): boolean {
  try {
    return fstatSync(fd).isCharacterDevice();
  } catch (cause) {
    if (cause instanceof Error && 'code' in cause && cause.code === 'EBADF') return false;
    throw cause;
  }
}
