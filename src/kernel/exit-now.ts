import koffi from 'koffi';

/**
 * Ends the process at once. `process.exit` waits for the threads of libuv, and one that writes to a
 * disk that does not answer may never come back.
 */
export function exitNow(code: number): never {
  koffi.load(null).func('void _exit(int code)')(code);
  throw new Error('_exit returned');
}
