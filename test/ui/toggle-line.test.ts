import { describe, expect, it } from 'vitest';
import { allOf, NO_FILTER, term } from '../../src/filter/filter.ts';
import { hintsFor } from '../../src/ui/hints.ts';
import { lineText } from '../../src/ui/span.ts';
import { toggleLine } from '../../src/ui/toggle-line.ts';
import { DEFAULT_VIEW, MODES } from '../../src/view/state.ts';

const SOME = allOf([
  term('op', '=', 'read', 'flush'),
  term('flag', '=', 'readahead'),
  term('error', '=', 'any'),
]);

describe('the menu of kinds of I/O', () => {
  it.each([40, 80, 120])('looks right at %i columns', async (width) => {
    const lines = [NO_FILTER, SOME].map((filter) => `${lineText(toggleLine(filter, width))}|\n`);
    await expect(lines.join('')).toMatchFileSnapshot(`../../snapshots/ui/toggles-${width}.txt`);
  });

  it('is one line of any width, with every key on it from 40 columns on', () => {
    for (let width = 1; width < 200; width++) {
      const text = lineText(toggleLine(SOME, width));
      expect(text).toHaveLength(width);
      if (width >= 40) expect(text).toMatch(/r.*w.*f.*d.*s.*m.*a.*e/i);
    }
  });

  it('marks what is on without moving anything', () => {
    const on = lineText(toggleLine(SOME, 80));
    expect(on.replaceAll(/[[\]]/g, ' ')).toBe(lineText(toggleLine(NO_FILTER, 80)));
    expect(on.match(/\[\w+ ?\S*\]/g)).toHaveLength(4);
  });
});

describe('the hints', () => {
  it('get shorter in each form, and the most important is the last to go', () => {
    for (const mode of MODES) {
      const forms = hintsFor({ ...DEFAULT_VIEW, mode });
      expect(forms.toSorted((a, b) => b.length - a.length)).toEqual(forms);
    }
    expect(hintsFor(DEFAULT_VIEW).at(-1)).toBe('?: help');
  });

  it('follow the state', () => {
    const text = (view: Partial<typeof DEFAULT_VIEW>): string =>
      hintsFor({ ...DEFAULT_VIEW, ...view })[0]!;
    expect(text({})).toContain('Tab: disks');
    expect(text({ focus: 'disks' })).toContain('Tab: processes');
    expect(text({ frozenAtNs: 1 })).toContain('Space: follow');
    const paused = { ...DEFAULT_VIEW, frozenAtNs: 1 };
    expect(hintsFor({ ...paused, playback: { state: 'paused' } })[0]).toContain('Space: play');
    expect(hintsFor({ ...paused, playback: { state: 'ended' } })[0]).toContain('Home: beginning');
    const playing = { ...DEFAULT_VIEW, playback: { state: 'playing' } } as const;
    expect(hintsFor(playing)[0]).toContain('Space: pause');
    const stream = { ...DEFAULT_VIEW, playback: { state: 'following' } } as const;
    expect(hintsFor(stream)[0]).toContain('Space: freeze');
    expect(text({ mode: 'cursor' })).toContain('v: box');
    expect(text({ mode: 'cursor', anchor: { column: 0, bin: 0 } })).toContain('v: drop');
  });
});
