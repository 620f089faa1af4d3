import { readlinkSync } from 'node:fs';
import { join } from 'node:path';
import { isSystemError } from '../../base/system-error.ts';

/** `PROC_PID_INIT_INO` of the kernel (`include/linux/proc_ns.h`). */
const INITIAL_PID_NAMESPACE = 'pid:[4026531836]';

/** Whether process IDs of `/proc` are those of the kernel. */
export function isInitialNamespace(proc: string): boolean {
  try {
    return readlinkSync(join(proc, 'self/ns/pid')) === INITIAL_PID_NAMESPACE;
  } catch (cause) {
    if (!isSystemError(cause)) throw cause;
    return false;
  }
}
