import { spawnSync } from 'node:child_process';
import { expect, it } from 'vitest';

const CONFIG = 'test/house/fixtures/skipping.config.ts';

/** A run of vitest in which three of four tests need a program that is not installed. */
function run(
  allowsSkips: boolean,
  ...args: readonly string[]
): { status: number | null; stdout: string } {
  const { status, stdout } = spawnSync(
    process.execPath,
    ['node_modules/vitest/vitest.mjs', 'run', '--config', CONFIG, ...args],
    { encoding: 'utf8', env: { ...process.env, ALLOWS_SKIPS: String(allowsSkips) } },
  );
  return { status, stdout };
}

it('a run that cannot trace passes and prints one line for each reason to skip', () => {
  const { status, stdout } = run(true);
  expect(stdout.trim().split('\n')).toEqual([
    '1 passed, 0 failed, 3 skipped',
    'skipped 3 tests: needs no-such-program',
  ]);
  expect(status).toBe(0);
});

it('a run that can trace fails when a test is skipped, and names it', () => {
  const { status, stdout } = run(false);
  expect(stdout).toContain('skipped although this machine can trace:');
  expect(stdout).toContain('\nskipped > case 2\n');
  expect(status).toBe(1);
});

it('a run of tests by name passes although the others are not run', () => {
  const { status, stdout } = run(false, '-t', 'runs');
  expect(stdout.trim()).toBe('1 passed, 0 failed, 0 skipped');
  expect(status).toBe(0);
});

it('a run of tests by name fails when one of them is skipped', () => {
  const { status, stdout } = run(false, '-t', 'skipped case 2');
  expect(stdout).toContain('0 passed, 0 failed, 1 skipped');
  expect(stdout).toContain('\nskipped > case 2\n');
  expect(status).toBe(1);
});
