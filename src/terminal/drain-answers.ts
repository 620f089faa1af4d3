import { readFileSync, readSync } from 'node:fs';
import type { ReadStream } from 'node:tty';
import { codeOf } from '../base/system-error.ts';
import { sleepNow } from './write-now.ts';

/** How long the end of the program waits for answers of the terminal: 20 × 5 ms. */
const MAX_WAITS = 20;
const WAIT_MS = 5;

const NON_BLOCKING = 0o4000;
/** The last byte of an answer to the question for the status. */
const FINAL = 'n'.charCodeAt(0);

/**
 * Reads and drops `count` answers, and keys that come with them, before a program that ends at once leaves the terminal
 * to the shell, which would take them as typed. Gives up soon: the answers may never come.
 */
export function drainAnswers(input: ReadStream, count: number): void {
  const fd = descriptorOf(input);
  if (fd === undefined) return;
  const buffer = Buffer.alloc(256);
  let missing = count;
  for (let waits = 0; missing > 0 && waits < MAX_WAITS;) {
    const length = readNow(fd, buffer);
    if (length === undefined) return;
    missing -= buffer.subarray(0, length).filter((byte) => byte === FINAL).length;
    if (length > 0) continue;
    waits++;
    sleepNow(WAIT_MS);
  }
}

/** The number of bytes read, 0 if there are none yet; undefined if the terminal is gone. */
function readNow(fd: number, buffer: Buffer): number | undefined {
  try {
    return readSync(fd, buffer, 0, buffer.length, null) || undefined;
  } catch (error) {
    const code = codeOf(error);
    return code === 'EAGAIN' || code === 'EINTR' ? 0 : undefined;
  }
}

/**
 * The descriptor of the terminal; undefined if reading would wait. Not a public API of Node: it is in libuv's handle.
 */
function descriptorOf(input: ReadStream): number | undefined {
  const { _handle } = input as { _handle?: { readonly fd?: number } | null };
  const fd = _handle?.fd ?? -1;
  return fd >= 0 && isNonBlocking(fd) ? fd : undefined;
}

function isNonBlocking(fd: number): boolean {
  try {
    const [, flags = '0'] =
      /^flags:\s*(\d+)/m.exec(readFileSync(`/proc/self/fdinfo/${fd}`, 'latin1')) ?? [];
    return (parseInt(flags, 8) & NON_BLOCKING) !== 0;
  } catch {
    return false;
  }
}
