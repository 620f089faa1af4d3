import { TestRunner } from 'vitest';

/**
 * Some hosts run no eBPF programs while certain tasks are current, so that a completion which interrupts such a task
 * is missed: counted as lost, and in no row. What a test says of single I/Os is then not true, so it is repeated. A
 * test that fails while nothing was lost is not.
 */
let testThatMissed: string | undefined;

export function noteMissed(ios: number): void {
  if (ios > 0) testThatMissed = TestRunner.getCurrentTest()?.id;
}

/** Whether I/Os were missed in this test since this was last called. */
export function wereMissed(): boolean {
  const were = testThatMissed !== undefined && testThatMissed === TestRunner.getCurrentTest()?.id;
  testThatMissed = undefined;
  return were;
}
