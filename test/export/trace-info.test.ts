import { expect, it } from 'vitest';
import { problemText, warningsOf } from '../../src/export/trace/trace-info.ts';

const what = 'lines that could not be read';

it.each([
  [{ what, where: 'line 12', count: 1, quote: 'a b' }, `${what} (line 12, "a b")`],
  [{ what, where: 'line 12', count: 3, quote: 'a b' }, `${what}: 3 (line 12, "a b")`],
  [{ what, where: 'byte 65536', count: 1 }, `${what} (byte 65536)`],
  [{ what, where: '', count: 2 }, `${what}: 2`],
])('the problem %j of a trace is shown in one line', (problem, text) => {
  expect(problemText(problem)).toBe(text);
});

it.each([
  [{ overwritten: 1 }, 'Lost: 1 I/O was only partly traced and not counted (overwritten 1)'],
  [
    { overwritten: 2, waits: 1 },
    'Lost: 2 I/Os and 1 wait were only partly traced and not counted (overwritten 2, waits 1)',
  ],
  [{ waits: 1 }, 'Lost: 1 wait was only partly traced and not counted (waits 1)'],
])('a warning about losses names waits and calls: %o', (losses, text) => {
  const lost = Object.values(losses).reduce((sum, count) => sum + count, 0);
  expect(warningsOf({ delivered: 9, summarised: 0, lost, losses }, [])).toEqual([text]);
});
