import { afterEach, expect, test, vi } from 'vitest';
import { print, tell } from '../../../src/app/process/print.ts';

afterEach(() => {
  vi.restoreAllMocks();
});

test('however much is printed, the output streams get one listener each', async () => {
  vi.spyOn(process.stderr, 'write').mockReturnValue(true);
  const before = process.stderr.listenerCount('error');
  for (let line = 0; line < 50; line++) tell('a line of progress\n');
  expect(process.stderr.listenerCount('error') - before).toBeLessThanOrEqual(1);
  const ofOutput = process.stdout.listenerCount('error');
  for (let line = 0; line < 50; line++) expect((await print('')).ok).toBe(true);
  expect(process.stdout.listenerCount('error') - ofOutput).toBeLessThanOrEqual(1);
});
