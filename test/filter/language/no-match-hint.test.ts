import { expect, it } from 'vitest';
import { noMatchHint } from '../../../src/filter/language/no-match-hint.ts';
import { parsed } from '../fixtures.ts';

it.each([
  ['disk=sda disk=sdb', 'for either: disk=sda,sdb'],
  ['op=read disk=sda,sdb disk=sdc', 'for either: disk=sda,sdb,sdc'],
  ['pid=1 lat>1ms pid=2', 'for either: pid=1,2'],
  ['layer=waits layer=calls', 'for either: layer=waits,calls'],
])('%s, which matches nothing, has a hint for those who meant either', (text, hint) => {
  expect(noMatchHint(parsed(text))).toBe(hint);
});

it.each([
  '',
  'disk=sda',
  'disk=sda or disk=sdb',
  'disk=sda,sdb disk=sdb',
  'disk=sda disk!=sdb',
  'flag=sync flag=meta',
  'mount=/ mount=/srv',
  'size=4k size=8k',
])('"%s" has none', (text) => {
  expect(noMatchHint(parsed(text))).toBeUndefined();
});

it.each([
  ['qlat>1ms', 'volumes', 'only I/O of disks has a known queue latency'],
  ['op=read dlat>1ms', 'calls', 'only I/O of disks has a known device latency'],
  ['qlat>1ms', 'disks', undefined],
  ['lat>1ms', 'volumes', undefined],
  ['qlat!=1ms or dlat>1ms', 'waits', undefined],
] as const)('%s in %s: %s', (text, layer, hint) => {
  expect(noMatchHint(parsed(text), layer)).toBe(hint);
});

it('a log with total latencies alone has neither of its parts', () => {
  expect(noMatchHint(parsed('qlat>1ms'), 'disks', 'total')).toBe(
    'this log has total latencies alone',
  );
  expect(noMatchHint(parsed('lat>1ms'), 'disks', 'total')).toBeUndefined();
});
