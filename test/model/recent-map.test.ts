import { expect, it } from 'vitest';
import { RecentMap } from '../../src/model/recent-map.ts';

it('a map of recent entries forgets what was set longest ago, and keeps what was set again', () => {
  const map = new RecentMap<string, number>(2);
  map.set('a', 1);
  map.set('b', 2);
  map.set('a', 3);
  map.set('c', 4);
  expect(['a', 'b', 'c'].map((key) => map.get(key))).toEqual([3, undefined, 4]);
  map.delete('a');
  map.set('d', 5);
  expect(['a', 'c', 'd'].map((key) => map.get(key))).toEqual([undefined, 4, 5]);
});
