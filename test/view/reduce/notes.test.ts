import { describe, expect, it } from 'vitest';
import { DEFAULT_VIEW } from '../../../src/view/state.ts';
import type { ViewState } from '../../../src/view/state.ts';
import { viewAfter, ViewOf } from '../fixtures.ts';

const AT_COLUMN = { mode: 'cursor', cursor: { column: 90, bin: 3 }, frozenAtNs: 999.5e9 } as const;

describe('a note', () => {
  it('a note is typed for now while the picture follows, and for the right edge of a frozen one', () => {
    expect(viewAfter([{ type: 'openNote' }])).toMatchObject({ mode: 'note', noteAtNs: 1000e9 });
    const frozen = { ...DEFAULT_VIEW, frozenAtNs: 700e9 };
    expect(viewAfter([{ type: 'openNote' }], { from: frozen }).noteAtNs).toBe(700e9);
  });

  it('a note is typed for the column of the cross-hair, and Escape goes back to it', () => {
    const from = { ...DEFAULT_VIEW, ...AT_COLUMN };
    const typing = viewAfter([{ type: 'openNote' }], { from });
    expect(typing).toMatchObject({ mode: 'note', noteAtNs: 990e9, prompt: { line: { text: '' } } });
    const back = viewAfter([{ type: 'close' }], { from: typing });
    expect(back).toMatchObject({ mode: 'cursor', cursor: from.cursor, prompt: undefined });
  });

  it('a note of the column of the cross-hair is changed', () => {
    const from = { ...DEFAULT_VIEW, ...AT_COLUMN };
    const view = viewAfter([{ type: 'openNote' }], { from, world: { noteText: 'deploy' } });
    expect(view.prompt?.line).toEqual({ text: 'deploy', cursor: 6 });
  });

  it('a note has the time of the edge where the columns of the picture are no times', () => {
    const from = { ...DEFAULT_VIEW, ...AT_COLUMN, layout: 'size-latency' } as const;
    expect(viewAfter([{ type: 'openNote' }], { from }).noteAtNs).toBe(999.5e9);
  });

  it('a note is left to the program when it is complete', () => {
    const view = new ViewOf().do({ type: 'openNote' }, { type: 'run', what: 'putNote' });
    expect(view.effects).toEqual([{ type: 'run', what: 'putNote' }]);
  });
});

describe('going to notes', () => {
  it('going to notes puts the cross-hair into the column of the note, with the picture around it', () => {
    const view = viewAfter([{ type: 'nextNote' }]);
    expect(view).toMatchObject({ mode: 'cursor', heldForCursor: false });
    const left = Math.floor(view.frozenAtNs! / 1e9) + 1 - 100;
    expect(left + view.cursor!.column).toBe(400);
    expect(view.notice).toMatch(/^note 2 of 3, \d\d:\d\d:\d\d; A: next, a: change$/);
  });

  it('going to notes leaves the picture where it is when the note is in it, and follows again afterwards', () => {
    const note = { atNs: 950.5e9, place: 1, count: 1 };
    const view = viewAfter([{ type: 'nextNote' }], { world: { note } });
    expect(view).toMatchObject({ frozenAtNs: 1000e9, heldForCursor: true, cursor: { column: 49 } });
    expect(viewAfter([{ type: 'close' }], { from: view })).toMatchObject({
      mode: 'main',
      frozenAtNs: undefined,
    });
  });

  it.each(['size-latency', 'offset-latency'] as const)(
    'going to notes from the layout %s shows one heat map, as a time has no place in the other',
    (layout) => {
      const from: ViewState = { ...DEFAULT_VIEW, layout };
      const note = { atNs: 950.5e9, place: 1, count: 1 };
      const view = viewAfter([{ type: 'nextNote' }], { from, world: { note } });
      expect(view).toMatchObject({ layout: 'single', mode: 'cursor', cursor: { column: 49 } });
      const typing = viewAfter([{ type: 'openNote' }], {
        from: view,
        world: { noteText: 'deploy' },
      });
      expect(typing.prompt?.line.text).toBe('deploy');
    },
  );

  it('the key to the next note says how to add one while there are none', () => {
    const view = viewAfter([{ type: 'nextNote' }], { world: { note: undefined } });
    expect(view).toMatchObject({ mode: 'main', notice: 'no notes yet; a adds one' });
  });
});
