import { describe, expect, it } from 'vitest';
import type { Action } from '../../../src/view/action.ts';
import { DEFAULT_VIEW, MODES } from '../../../src/view/state.ts';
import type { ViewState } from '../../../src/view/state.ts';
import { viewAfter } from '../fixtures.ts';

const OPENINGS: readonly Action[] = [
  { type: 'openFilter' },
  { type: 'openGoto' },
  { type: 'openFind' },
  { type: 'openExport' },
  { type: 'openRecord' },
  { type: 'openSave' },
  { type: 'openPick', what: 'process' },
  { type: 'openPick', what: 'disk' },
];

function after(state: ViewState, ...actions: Action[]): ViewState {
  return viewAfter(actions, { from: state });
}

function lineOf({ prompt, pick }: ViewState): string | undefined {
  return (pick?.query ?? prompt?.line)?.text;
}

const clear: Action = { type: 'edit', key: 'ctrl+u' };
const left: Action = { type: 'edit', key: 'left' };
const paste = (text: string | undefined): Action => ({ type: 'paste', text });

describe('pasted text', () => {
  it.each(OPENINGS)('pasted text is inserted at the cursor: %j', (opening) => {
    const view = after(DEFAULT_VIEW, opening, clear, paste('ac'), left, paste('b q'));
    expect(lineOf(view)).toBe('ab qc');
    expect(lineOf(after(view, paste('!')))).toBe('ab q!c');
    expect(view.mode).toBe(after(DEFAULT_VIEW, opening).mode);
  });

  it.each(MODES)('pasted text outside of a line does nothing and a notice says so: %s', (mode) => {
    const view = { ...DEFAULT_VIEW, mode };
    const notice = 'paste ignored: no prompt is open';
    expect(after(view, paste('q'))).toEqual({ ...view, notice });
    expect(after(view, paste(undefined))).toEqual({ ...view, notice });
  });

  it.each(OPENINGS)(
    'pasted text that is too long changes no line and a notice says so: %j',
    (opening) => {
      const view = after(DEFAULT_VIEW, opening, paste('sda'));
      const pasted = after(view, paste(undefined));
      expect(lineOf(pasted)).toBe(lineOf(view));
      expect(pasted.notice ?? pasted.prompt?.problem?.message).toBe(
        'paste ignored: the text is too long',
      );
    },
  );

  it('text pasted into a search is searched for at once', () => {
    const world = { findRows: (text: string) => (text === 'sda' ? [3] : []) };
    const view = viewAfter([{ type: 'openFind' }, paste('sda')], { world });
    expect(view).toMatchObject({ findText: 'sda', processRow: 3 });
  });
});
