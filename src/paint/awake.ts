import { closeSync, constants, openSync, writeSync } from 'node:fs';
import { constants as os, setPriority } from 'node:os';

const PATH = '/dev/cpu_dma_latency';

/**
 * Keeps waits out of the time that an I/O takes, as far as this process has the right to: it goes before
 * others, and until disposed idle CPUs stay awake, as waking one up takes longer than many an I/O on a disk
 * in memory. Both are requests to the kernel that end with the process (pm_qos_interface.txt).
 */
export function keepAwake(path = PATH): { dispose(): void } {
  ifAllowed(() => {
    setPriority(os.priority.PRIORITY_HIGHEST);
  });
  const fd = ifAllowed(() => openSync(path, constants.O_WRONLY));
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
