import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { SeededRandom } from '../../random.ts';
import { findBinding } from '../../../src/view/keys/find-binding.ts';
import { KEY_TABLE } from '../../../src/view/keys/key-table.ts';
import { ESCAPE_AT_ONCE, keyBytes } from '../../e2e/support/key-bytes.ts';
import { waysIntoModes } from '../../e2e/support/modes.ts';
import { visibleDifferences } from '../../terminal/compare-cells.ts';
import { mouseBytes } from '../../ui/fixtures/headless-session.ts';
import { forgetSessions } from './fixtures/kept-listeners.ts';
import { SatSession } from './fixtures/sat-session.ts';
import type { Kind } from './fixtures/sat-session.ts';

const STEPS = 40;
const SIZES = [
  [80, 24],
  [40, 12],
  [1, 1],
  [120, 40],
  [1, 30],
  [63, 13],
] as const;
/** Those that end or stop the test itself. */
const DEADLY = ['q', 'ctrl+c', 'ctrl+z'];
/** What Enter would write to the disk. */
const WRITING = ['record', 'save', 'export'];
const KEYS = [...new Set(KEY_TABLE.flatMap(({ keys }) => keys))].filter(
  (key) => !DEADLY.includes(key),
);
const WAYS = [...waysIntoModes().values()];
const MOUSE_CODES = [0, 0, 0, 32, 32, 64, 65, 68, 80];
const TYPED = ['s', '1', 'm', '=', 'lat>1ms', 'disk=sda', '14:02', '3s ago', '50%'];

const folder = mkdtempSync(join(tmpdir(), 'ioheat-fuzz-'));
beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
  vi.stubEnv('XDG_CONFIG_HOME', folder);
});

afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllEnvs();
  forgetSessions();
  rmSync(folder, { recursive: true, force: true });
});

function bytesOf(key: string): string {
  return key === 'escape' ? ESCAPE_AT_ONCE : keyBytes(key);
}

/** Does one thing that a person may do; says what it was. */
function step(sat: SatSession, random: SeededRandom): string {
  const whole = (below: number): number => random.below(below);
  const pick = <T>(from: readonly T[]): T => from[whole(from.length)]!;
  const kind = whole(20);
  if (kind < 2) {
    const [width, height] = pick(SIZES);
    sat.pair.resize(width, height);
    return `${width}x${height}`;
  }
  if (kind < 4) {
    sat.wait(1e9 * (1 + whole(3)));
    return 'wait';
  }
  const bytes = typed();
  sat.pair.type(bytes);
  return JSON.stringify(bytes);

  function typed(): string {
    const { width, height } = sat.meant;
    if (kind < 8) return mouseBytes(pick(MOUSE_CODES), whole(width), whole(height), whole(9) === 0);
    if (kind === 9) return pick(TYPED);
    if (kind < 13) return ESCAPE_AT_ONCE.repeat(3) + pick(WAYS).map(bytesOf).join('');
    const { mode } = sat.view;
    const meant = KEYS.filter((key) => kind > 18 || findBinding(mode, key) !== undefined);
    const key = pick(meant);
    return key === 'enter' && WRITING.includes(mode) ? 'x' : bytesOf(key);
  }
}

const modes = new Set<string>();

const CASES: readonly (readonly [Kind, number, number, number])[] = [
  ['live', 80, 24, 1],
  ['live', 1, 1, 2],
  ['live', 40, 12, 3],
  ['idle', 80, 24, 4],
  ['replay', 120, 40, 5],
  ['replay', 40, 12, 6],
];

it.each(CASES)(
  'random keys, clicks and resizes of a %s session at %i×%i leave the terminal as painted (seed %i)',
  async (kind, width, height, seed) => {
    const random = new SeededRandom(seed);
    const sat = await SatSession.start(kind, seed, width, height);
    sat.wait(12e9);
    const done: string[] = [];
    for (let count = 0; count < STEPS; count++) {
      done.push(step(sat, random));
      // Sometimes the next thing is done before the last one is on the screen.
      if (random.below(4) === 0 && sat.view.mode === 'main') {
        sat.wait(100e6);
        const [columns, rows] = SIZES[random.below(SIZES.length)]!;
        sat.pair.resize(columns, rows);
        done.push('at once resized');
      }
      await sat.settle();
      modes.add(sat.view.mode);
      const story = `${kind}, seed ${seed}, step ${count}, ${sat.view.mode}: ${done.slice(-5).join(' ')}`;
      expect(visibleDifferences(sat.meant, sat.seen()).slice(0, 3), story).toEqual([]);
    }
    expect(sat.pair.emulator.terminal.buffer.active.type).toBe('alternate');
    // Does not come back before the terminal is given back.
    await sat.quit();
  },
);

it('the random sessions have been in most modes', () => {
  expect(modes.size).toBeGreaterThan(7);
});
