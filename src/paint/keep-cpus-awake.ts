import { closeSync, constants, openSync, writeSync } from 'node:fs';
import { constants as os, setPriority } from 'node:os';
import { isSystemError } from '../base/system-error.ts';

const PATH = '/dev/cpu_dma_latency';

/** Raises the priority of this process, as far as permitted. */
export function raisePriority(): void {
  ifAllowed(() => {
    setPriority(os.priority.PRIORITY_HIGHEST);
  });
}

/** The file that `keepAwake` writes to; undefined without permission. */
export function openAwake(): number | undefined {
  return ifAllowed(() => openSync(PATH, constants.O_WRONLY));
}

/**
 * Keeps idle CPUs awake until disposed, because waking one takes longer than many I/Os on a disk in memory. The
 * request to the kernel ends when its descriptor is closed (pm_qos_interface.txt).
 */
export function keepAwake(fd: number | undefined): { dispose(): void } {
  if (fd === undefined) return { dispose: () => undefined };
  writeSync(fd, new Uint8Array(4));
  return {
    dispose: () => {
      closeSync(fd);
    },
  };
}

function ifAllowed<T>(ask: () => T): T | undefined {
  try {
    return ask();
  } catch (cause) {
    if (isSystemError(cause)) return undefined;
    throw cause;
  }
}
