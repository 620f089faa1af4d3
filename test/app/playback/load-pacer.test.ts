import { setImmediate as nextTurn } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { LoadPacer } from '../../../src/app/playback/load-pacer.ts';

/** A replay that is behind by so many batches. */
function behindBy(batches: number) {
  let pumped = 0;
  const replay = {
    get isBehind() {
      return pumped < batches;
    },
  };
  const pacer = new LoadPacer(replay, () => pumped++);
  return { replay, pacer, pumped: () => pumped };
}

test('a replay that is behind loads by itself until it has caught up, and then rests', async () => {
  const { replay, pacer, pumped } = behindBy(100);
  pacer.load(0);
  expect(pumped()).toBe(1);
  while (replay.isBehind) await nextTurn();
  for (let turn = 0; turn < 3; turn++) await nextTurn();
  expect(pumped()).toBe(100);
});

test('a replay that has caught up is asked once for what is new', () => {
  const { pacer, pumped } = behindBy(0);
  pacer.load(1000);
  expect(pumped()).toBe(1);
});

test('a replay that is stopped loads nothing more', async () => {
  const { pacer, pumped } = behindBy(100);
  pacer.load(0);
  pacer.stop();
  for (let turn = 0; turn < 3; turn++) await nextTurn();
  expect(pumped()).toBe(1);
});
