import { expect, test } from 'vitest';
import { readRest } from '../../../src/app/jobs/read-rest.ts';

test('what waits at the end is read to its end', () => {
  let waiting = 3;
  readRest(
    () => --waiting > 0,
    () => 0,
  );
  expect(waiting).toBe(0);
});

test('a load that never pauses does not keep the program from ending', () => {
  let nowMs = 0;
  readRest(
    () => true,
    () => nowMs++,
  );
  expect(nowMs).toBeLessThan(1000);
});
