import { describe, expect, it } from 'vitest';
import { allOf, NO_FILTER, term } from '../../../src/filter/filter.ts';
import type { Filter } from '../../../src/filter/filter.ts';
import { ToggleMenu } from '../../../src/ui/dialogs/toggle-menu.tsx';
import { hintForms, hintsFor } from '../../../src/ui/status/hints.ts';
import { shownLines } from '../fixtures/shown-dialog.tsx';
import { DEFAULT_VIEW, MODES } from '../../../src/view/state.ts';

const SOME = allOf([
  term('op', '=', 'read', 'flush'),
  term('flag', '=', 'readahead'),
  term('error', '=', 'any'),
]);

function text(filter: Filter, width: number): string {
  return shownLines(<ToggleMenu {...{ filter, width }} />, width).join('');
}

describe('the menu of kinds of I/O', () => {
  it.each([40, 80, 120])('the menu of kinds of I/O looks right at %i columns', async (width) => {
    const lines = [NO_FILTER, SOME].map((filter) => `${text(filter, width)}|\n`);
    await expect(lines.join('')).toMatchFileSnapshot(`../../../snapshots/ui/toggles-${width}.txt`);
  });

  it('the menu of kinds of I/O is one line with every key on it from 40 columns on', () => {
    for (let width = 40; width < 130; width++) {
      const shown = text(SOME, width);
      expect(shown).toHaveLength(width);
      expect(shown).toMatch(/r.*w.*f.*d.*s.*m.*a.*e/i);
    }
  });

  it('the menu of kinds of I/O marks what is on without moving anything', () => {
    const on = text(SOME, 80);
    expect(on.replaceAll(/[[\]]/g, ' ')).toBe(text(NO_FILTER, 80));
    expect(on.match(/\[\w+ ?\S*\]/g)).toHaveLength(4);
  });
});

describe('the hints', () => {
  it('hints get shorter in each form, and the most important is dropped last', () => {
    for (const mode of MODES) {
      const forms = hintForms(hintsFor({ ...DEFAULT_VIEW, mode }));
      expect(forms.toSorted((a, b) => b.length - a.length)).toEqual(forms);
    }
    expect(hintForms(hintsFor(DEFAULT_VIEW)).at(-1)).toBe('?: help');
  });

  it('hints follow the state of the menu', () => {
    const hints = (view: Partial<Parameters<typeof hintsFor>[0]>): string =>
      hintForms(hintsFor({ ...DEFAULT_VIEW, ...view }))[0]!;
    expect(hints({})).toContain('Tab: disks');
    expect(hints({ focus: 'disks' })).toContain('Tab: processes');
    expect(hints({ frozenAtNs: 1 })).toContain('Space: resume');
    const paused = { frozenAtNs: 1 };
    expect(hints({ ...paused, playback: { state: 'paused' } })).toContain('Space: resume');
    const ended = { ...paused, playback: { state: 'ended' } } as const;
    expect(hints(ended)).toContain('Home: start');
    expect(hints({ ...ended, isWhole: true })).not.toContain('Home');
    expect(hints({ playback: { state: 'playing' } })).toContain('Space: pause');
    expect(hints({ playback: { state: 'following' } })).toContain('Space: freeze');
    expect(hints({ mode: 'goto' })).not.toContain('50%');
    expect(hints({ mode: 'goto', playback: { state: 'playing' } })).toContain('50%');
    expect(hints({ mode: 'cursor' })).toContain('v: box');
    expect(hints({ mode: 'cursor', layout: 'stacked' })).not.toContain('next map');
    expect(hints({ mode: 'cursor', layout: 'stacked', hasMaps: true })).toContain('next map');
    const boxed = hints({ mode: 'cursor', anchor: { column: 0, bin: 0 } });
    expect(boxed.match(/\w+: clear box/g)).toEqual(['Esc: clear box']);
  });
});
