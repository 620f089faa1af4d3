import { expect, it } from 'vitest';
import { problemText } from '../../src/export/trace/trace-info.ts';

const what = 'lines that could not be read';

it.each([
  [{ what, where: 'line 12', count: 1, quote: 'a b' }, `${what} (line 12, "a b")`],
  [{ what, where: 'line 12', count: 3, quote: 'a b' }, `${what}, 3 times (line 12, "a b")`],
  [{ what, where: 'byte 65536', count: 1 }, `${what} (byte 65536)`],
  [{ what, where: '', count: 2 }, `${what}, 2 times`],
])('the problem %j of a trace is shown in one line', (problem, text) => {
  expect(problemText(problem)).toBe(text);
});
