import { onTestFailed, TestRunner } from 'vitest';

/** The error by which a failed test is known to have missed I/O. */
export const MISSED_IO = /the programs missed I\/O/;

/**
 * Some hosts run no eBPF programs while certain tasks are current, so that a completion which interrupts such a task
 * is missed: counted as lost, and in no row. What a test says of single I/Os is then not true, so it is repeated. A
 * test that fails while nothing was lost is not.
 */
export function noteMissed(missed: () => number): void {
  if (TestRunner.getCurrentTest() === undefined) return;
  onTestFailed(({ task }) => {
    const ios = missed();
    if (ios === 0) return;
    task.result?.errors?.push({ name: 'Error', message: `the programs missed I/O: ${ios}` });
  });
}
