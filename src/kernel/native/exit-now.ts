import koffi from 'koffi';

/**
 * Ends the process at once. `process.exit` waits for the threads of libuv, and a thread that writes to a disk that
 * does not respond may never return.
 */
export function exitNow(code: number): never {
  koffi.load(null).func('void _exit(int code)')(code);
  throw new Error('_exit returned');
}
