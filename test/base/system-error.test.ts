import { closeSync, openSync, readFileSync, writeSync } from 'node:fs';
import { expect, it } from 'vitest';
import { isSystemError, reasonOf } from '../../src/base/system-error.ts';

function reasonFor(work: () => void): string | undefined {
  try {
    work();
  } catch (cause) {
    return isSystemError(cause) ? reasonOf(cause) : undefined;
  }
}

it.each([
  ['a missing file', () => readFileSync("/no, such 'file'"), 'no such file or directory'],
  ['a folder that is read', () => readFileSync('/'), 'illegal operation on a directory'],
  ['a full disk', writeToFull, 'no space left on device'],
])('the reason for %s has no code, call or path', (_, work, reason) => {
  expect(reasonFor(work)).toBe(reason);
});

it('an error that is worded otherwise keeps its words', () => {
  const error = Object.assign(new Error('Invalid: port, or so'), { code: 'ERR_PORT' });
  expect(reasonOf(error)).toBe('Invalid: port, or so');
});

function writeToFull(): void {
  const fd = openSync('/dev/full', 'w');
  try {
    writeSync(fd, 'text');
  } finally {
    closeSync(fd);
  }
}
