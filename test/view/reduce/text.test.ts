import { describe, expect, it, test } from 'vitest';
import type { Action } from '../../../src/view/action.ts';
import { DEFAULT_VIEW, MODES } from '../../../src/view/state.ts';
import type { ViewState } from '../../../src/view/state.ts';
import { rowAt, viewAfter } from '../fixtures.ts';

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

test.each([
  [
    { type: 'openPick', what: 'process' },
    { type: 'movePick', by: 'row' },
  ],
  [{ type: 'openActions' }, { type: 'moveAction', by: 'row' }],
] as const)('the chosen row of a list stays until what is typed changes: %j', (opening, down) => {
  const typed: Action = { type: 'edit', key: 'a' };
  const rowOf = ({ pick, actions }: ViewState): number | undefined => pick?.row ?? actions?.row;
  const view = after(DEFAULT_VIEW, opening, typed, down, down);
  expect(rowOf(view)).toBe(2);
  for (const key of ['shift+tab', 'f5', 'left', 'home'])
    expect([key, rowOf(after(view, { type: 'edit', key }))]).toEqual([key, 2]);
  expect(rowOf(after(view, typed))).toBe(0);
});

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
    expect(view).toMatchObject({ findText: 'sda', processRow: rowAt(3) });
  });
});
