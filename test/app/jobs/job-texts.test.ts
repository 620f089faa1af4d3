import { expect, test } from 'vitest';
import { busyText, progressText } from '../../../src/app/jobs/job-texts.ts';
import { term } from '../../../src/filter/filter.ts';
import { actionOf } from '../../../src/view/keys/find-binding.ts';
import { DEFAULT_VIEW, MODES } from '../../../src/view/state.ts';
import type { ViewState } from '../../../src/view/state.ts';
import { viewAfter, ViewOf } from '../../view/fixtures.ts';

/** Whether Escape cancels a job in this view. */
function cancels(view: ViewState): boolean {
  const { effects } = new ViewOf(view).do(actionOf(view.mode, 'escape')!);
  return effects.length === 1;
}

test('what is being written names Escape exactly where that cancels it', () => {
  const told = MODES.flatMap((mode) => {
    const view: ViewState = { ...DEFAULT_VIEW, mode };
    const lit: ViewState = { ...view, highlight: term('op', '=', 'read') };
    return [view, lit].map((one) => {
      const text = progressText('writing a.png', 0.5, one);
      expect(text).toBe(cancels(one) ? 'writing a.png: 50%, Esc cancels' : 'writing a.png: 50%');
      return text;
    });
  });
  expect(new Set(told).size).toBe(2);
});

test('a second file is refused with the key that cancels the first, where the prompt was opened from the main screen', () => {
  const from: ViewState = { ...DEFAULT_VIEW, mode: 'cursor', cursor: { column: 3, bin: 2 } };
  const refused = 'another file is being written';
  const saving = viewAfter([{ type: 'openSave' }]);
  expect(busyText(saving)).toBe(`${refused}; Esc cancels it`);
  expect(progressText('saving a', 0.5, saving)).toBe('saving a: 50%');
  expect(busyText(viewAfter([{ type: 'openSave' }], { from }))).toBe(refused);
});
