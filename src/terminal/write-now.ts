import { writeSync } from 'node:fs';
import { codeOf } from '../base/system-error.ts';

/** How long a stalled terminal may delay the end of the program: 40 × 5 ms. */
const MAX_WAITS = 40;
const WAIT_MS = 5;

/**
 * Writes all of `data` before it returns, bypassing the queue of any stream on the same descriptor. False if the
 * terminal is gone or did not take it in time; then a part may have been written.
 */
export function writeNow(fd: number, data: Uint8Array): boolean {
  let written = 0;
  let waits = 0;
  while (written < data.length) {
    try {
      written += writeSync(fd, data, written);
    } catch (error) {
      const code = codeOf(error);
      if (code !== 'EAGAIN' && code !== 'EINTR') return false;
      if (waits++ === MAX_WAITS) return false;
      sleepNow(WAIT_MS);
    }
  }
  return true;
}

const sleeper = new Int32Array(new SharedArrayBuffer(4));

/** Blocks the thread: for the end of the program, when no timer fires any more. */
export function sleepNow(ms: number): void {
  Atomics.wait(sleeper, 0, 0, ms);
}
