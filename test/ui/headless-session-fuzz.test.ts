import { expect, it } from 'vitest';
import { findBinding } from '../../src/view/keys/find-binding.ts';
import { KEY_TABLE } from '../../src/view/keys/key-table.ts';
import { SeededRandom } from '../random.ts';
import { ESCAPE_AT_ONCE, keyBytes } from '../e2e/support/key-bytes.ts';
import { waysIntoModes } from '../e2e/support/modes.ts';
import { visibleDifferences } from '../terminal/compare-cells.ts';
import { mouseBytes, HeadlessSession } from './fixtures/headless-session.ts';

const SIZES = [
  [1, 1],
  [40, 12],
  [80, 24],
  [120, 40],
  [500, 100],
  [39, 30],
  [63, 13],
] as const;
/** The large screens cost most of the time. */
const USUAL_SIZES = 4;

const KEYS = [...new Set(KEY_TABLE.flatMap(({ keys }) => keys))];
const WAYS = [...waysIntoModes().values()];
const MOUSE_CODES = [0, 0, 0, 32, 32, 32, 64, 65, 68, 69, 80, 81];
const TYPED = ['s', 'd', '1', 'm', '=', 'lat>1ms', 'disk=sda', '14:02', '3s ago'];

type Pick = <T>(from: readonly T[]) => T;

/** One thing that a person may do; says what it was. */
function step(session: HeadlessSession, pick: Pick, whole: (below: number) => number): string {
  const kind = whole(20);
  if (kind === 0) {
    const [width, height] = pick(SIZES.slice(0, whole(4) === 0 ? SIZES.length : USUAL_SIZES));
    session.resize(width, height);
    return `${width}x${height}`;
  }
  if (kind < 3) {
    session.wait(1e9 * (1 + whole(3)));
    return 'wait';
  }
  const bytes = typed(session, kind, pick, whole);
  session.type(bytes);
  return JSON.stringify(bytes);
}

function typed(
  session: HeadlessSession,
  kind: number,
  pick: Pick,
  whole: (below: number) => number,
): string {
  if (kind < 8)
    return mouseBytes(
      pick(MOUSE_CODES),
      whole(session.width),
      whole(session.height),
      whole(9) === 0,
    );
  if (kind === 9) return pick(TYPED);
  if (kind < 12) return ESCAPE_AT_ONCE.repeat(3) + pick(WAYS).map(keyBytes).join('');
  const { mode } = session.view;
  return keyBytes(pick(KEYS.filter((key) => kind > 18 || findBinding(mode, key) !== undefined)));
}

/** The header of a frozen picture counts what has come since; a new screen has seen nothing come. */
function isInHeader(difference: string): boolean {
  return /^x \d+ y [01]:/.test(difference);
}

/** While rows must stand still under the cursor, they are older than what would be drawn now. */
const STANDING = ['pick', 'find'];

const modes = new Set<string>();

it.each([1, 2, 3, 4])(
  'after any keys, clicks and resizes, the terminal equals a screen drawn from scratch (seed %i)',
  async (seed) => {
    const random = new SeededRandom(seed);
    const whole = (below: number): number => random.below(below);
    const pick: Pick = (from) => from[whole(from.length)]!;
    const session = new HeadlessSession(seed, 80, 24);
    session.wait(12e9);
    const done: string[] = [];
    for (let count = 0; count < 45; count++) {
      done.push(step(session, pick, whole));
      // Figures are recounted every second, which must have passed on both screens.
      if (!STANDING.includes(session.view.mode)) session.wait(1e9);
      if (session.view.mode === 'trend') await session.chartsLoaded();
      modes.add(session.view.mode);
      const story = `seed ${seed}, step ${count}, ${session.view.mode}: ${done.slice(-6).join(' ')}`;
      const { meant, seen } = await session.shown();
      expect(visibleDifferences(meant, seen).slice(0, 3), story).toEqual([]);
      if (STANDING.includes(session.view.mode)) continue;
      const fresh = visibleDifferences(await session.drawnFromScratch(), seen);
      const isFrozen = session.view.frozenAtNs !== undefined;
      expect(fresh.filter((one) => !(isFrozen && isInHeader(one))).slice(0, 3), story).toEqual([]);
    }
    session.dispose();
  },
);

it('the random sessions have been in nearly every mode', () => {
  expect(modes.size).toBeGreaterThan(7);
});
