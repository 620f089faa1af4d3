import { closeSync, constants, openSync, writeSync } from 'node:fs';
import { constants as os, setPriority } from 'node:os';

const PATH = '/dev/cpu_dma_latency';

/** Goes before other processes, as far as this one has the right to. */
export function raisePriority(): void {
  ifAllowed(() => {
    setPriority(os.priority.PRIORITY_HIGHEST);
  });
}

/** What `keepAwake` writes to; undefined without the right to. */
export function openAwake(path = PATH): number | undefined {
  return ifAllowed(() => openSync(path, constants.O_WRONLY));
}

/**
 * Keeps waits out of the time that an I/O takes: until disposed, idle CPUs stay awake, as waking one up
 * takes longer than many an I/O on a disk in memory. A request to the kernel that ends with its
 * descriptor (pm_qos_interface.txt).
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
    if (cause instanceof Error && 'code' in cause) return undefined;
    throw cause;
  }
}
