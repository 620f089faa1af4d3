import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { OpenedSource } from '../../../src/app/open/opened-source.ts';
import type { CellBlock } from '../../../src/base/cell-block.ts';
import { ok } from '../../../src/base/result.ts';
import { NO_FILTER } from '../../../src/filter/filter.ts';
import { IdentityTable } from '../../../src/model/identity-table.ts';
import { createSyntheticSource } from '../../../src/trace/synthetic/synthetic-source.ts';
import { PATTERN_NAMES } from '../../../src/trace/synthetic/patterns.ts';
import { ManualClock } from '../../trace/replay/kept-trace.ts';
import { ESCAPE_AT_ONCE } from '../../e2e/support/key-bytes.ts';
import { forgetSessions } from './fixtures/kept-listeners.ts';
import { SatSession } from './fixtures/sat-session.ts';

const PAST_NS = 30e9;

beforeEach(() => {
  // With a clock that stands still nothing is left to be counted later.
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval', 'performance'] });
  vi.stubEnv('XDG_CONFIG_HOME', '/nowhere');
});

afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllEnvs();
  forgetSessions();
});

/** Patterns that have been running for half a minute when they are opened, and which were closed. */
class Tour {
  readonly clock = new ManualClock();
  readonly closed: string[] = [];

  open(at: number): OpenedSource {
    const pattern = PATTERN_NAMES[at]!;
    const openedNs = this.clock.nowNs();
    const clock = { nowNs: () => PAST_NS + this.clock.nowNs() - openedNs };
    const clockBase = { monotonicNs: 0n, wallNs: 1_700_000_000_000_000_000n };
    const identities = new IdentityTable();
    const source = createSyntheticSource({ pattern, seed: 1, clock, identities, clockBase });
    const dispose = source.dispose.bind(source);
    source.dispose = () => {
      this.closed.push(pattern);
      dispose();
    };
    const settings = { intervalNs: 500e6, scale: 'linear' } as const;
    return {
      ...{ source, clock, filter: NO_FILTER, recordedOnly: '', notes: [] },
      bestView: { settings, notice: `see ${pattern}` },
      next: (step) => ok(this.open(at + step)),
    };
  }
}

function textOf({ width, height, glyph }: CellBlock): string {
  const lines = Array.from({ length: height }, (_, y) =>
    String.fromCodePoint(...glyph.subarray(y * width, (y + 1) * width)),
  );
  return lines.join('\n');
}

describe('the tour of the demo', () => {
  it('the tour of the demo goes to the next pattern and back, of which each has its own past and look', async () => {
    const tour = new Tour();
    const options = { interval: '100ms', history: '16M' };
    const sat = await SatSession.start(tour.open(0), 1, 80, 24, options, tour.clock);
    sat.wait(2e9);
    await sat.settle();
    expect(textOf(sat.meant)).toContain('mysqld');
    for (const keys of ['y', 'c', '/', 'op=write', '\r', 'v']) {
      sat.pair.type(keys);
      await sat.settle();
    }
    const { palette } = sat.view;
    expect(sat.view.filter).not.toEqual(NO_FILTER);
    sat.pair.type(ESCAPE_AT_ONCE.repeat(2));
    await sat.settle();
    sat.pair.type(']');
    await sat.settle();
    expect(tour.closed).toEqual(['mixed']);
    const shown = textOf(sat.meant);
    expect(shown).toContain('see two-bands');
    expect(shown).toContain('nfsd');
    expect(shown).not.toMatch(/mysqld|postgres|loading|filter/);
    // A full picture at once.
    expect(shown).not.toContain('first I/O');
    expect(sat.view).toMatchObject({ mode: 'main', palette, scale: 'linear', intervalNs: 500e6 });
    expect(sat.view).toMatchObject({ filter: NO_FILTER, back: [], frozenAtNs: undefined });
    const seen = textOf(sat.seen());
    expect(seen).toContain('see two-bands');
    expect(seen).not.toMatch(/mysqld|postgres/);
    sat.pair.type('[');
    await sat.settle();
    expect(tour.closed).toEqual(['mixed', 'two-bands']);
    expect(textOf(sat.meant)).toContain('see mixed');
    await sat.quit();
    expect(tour.closed).toEqual(['mixed', 'two-bands', 'mixed']);
  });
});
