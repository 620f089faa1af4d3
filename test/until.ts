import { setTimeout as sleep } from 'node:timers/promises';

const WITHIN_MS = 20_000;

/** Waits for a condition that the outside brings about, such as a file that another process writes. */
export async function until(holds: () => boolean, what: string): Promise<void> {
  const endMs = performance.now() + WITHIN_MS;
  while (!holds()) {
    if (performance.now() > endMs) throw new Error(`no luck within ${WITHIN_MS} ms with ${what}`);
    await sleep(20);
  }
}
