import { expect, it } from 'vitest';
import { diskFilter } from '../../../src/filter/match/disk-filter.ts';
import { createInfo, LOOP, SDA, someKeys } from '../../history/fixtures.ts';
import { parsed } from '../fixtures.ts';

it.each([
  ['', true, true],
  ['disk=sda', true, false],
  ['disk!=sda', false, true],
  ['op=read', false, false],
  ['op=read or op!=read', true, true],
  ['pid!=1', false, false],
  ['error=none', false, false],
  ['dlat>1ms', false, false],
  ['disk=sda size>=4k', false, false],
])('the filter "%s" is certain to match all I/O of sda: %s, of a loop device: %s', (text, a, b) => {
  const passes = diskFilter(parsed(text), createInfo(someKeys()));
  expect([SDA, LOOP].map(passes)).toEqual([a, b]);
});
