import { expect, it } from 'vitest';
import {
  aggregatedLayers,
  isPartOfTrace,
  problemText,
  warningsOf,
} from '../../src/export/trace/trace-info.ts';
import { NO_FILTER, term } from '../../src/filter/filter.ts';
import { IdentityMark } from '../../src/model/identity.ts';
import { IdentityTable } from '../../src/model/identity-table.ts';
import type { Layer } from '../../src/model/layer.ts';
import { keyOf } from '../history/fixtures.ts';

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
  [{ overwritten: 1 }, 'Lost: 1 I/O is missing from all figures (overwritten 1)'],
  [
    { overwritten: 2, waits: 1 },
    'Lost: 2 I/Os and 1 wait are missing from all figures (overwritten 2, waits 1)',
  ],
  [{ unwritten: 2 }, 'Lost: 2 I/Os are missing from all figures (unwritten 2)'],
  [{ waits: 1 }, 'Lost: 1 wait is missing from all figures (waits 1)'],
])('a warning about losses names waits and calls: %o', (losses, text) => {
  const lost = Object.values(losses).reduce((sum, count) => sum + count, 0);
  const counters = { delivered: 9, summarised: 0, lost, losses };
  expect(warningsOf(counters, [], { aggregated: [], isPart: false })).toEqual([text]);
});

it.each<[number, Layer[], string]>([
  [1, ['disks'], '1 I/O is'],
  [2, ['disks', 'volumes'], '2 I/Os are'],
  [1, ['disks', 'volumes'], '1 I/O is'],
  [2, ['calls'], '2 calls are'],
  [1, ['calls'], '1 call is'],
  [9, ['disks', 'calls'], '9 I/Os and calls are'],
  [9, [], '9 I/Os are'],
])('a warning about %i aggregated of %j names them', (summarised, layers, text) => {
  const identities = new IdentityTable();
  for (const layer of layers) {
    identities.intern(keyOf({ layer, marks: IdentityMark.noDetail }));
    identities.intern(keyOf({ layer: 'waits' }));
  }
  const counted = { aggregated: aggregatedLayers(identities), isPart: false };
  const counters = { delivered: 9, summarised, lost: 0, losses: {} };
  expect(warningsOf(counters, [], counted)).toEqual([`Aggregated: ${text} known only as counts`]);
});

it('warnings about a part of a trace say that they are about all of it', () => {
  const all = { fromNs: -Infinity, toNs: Infinity };
  expect(isPartOfTrace(NO_FILTER, all)).toBe(false);
  expect(isPartOfTrace(NO_FILTER, { ...all, toNs: 5 })).toBe(true);
  const isPart = isPartOfTrace(term('op', '=', 'read'), all);
  const counters = { delivered: 9, summarised: 3, lost: 1, losses: { overwritten: 1 } };
  expect(warningsOf(counters, [], { aggregated: ['disks'], isPart })).toEqual([
    'Lost in the whole trace: 1 I/O is missing from all figures (overwritten 1)',
    'Aggregated in the whole trace: 3 I/Os are known only as counts',
  ]);
});
