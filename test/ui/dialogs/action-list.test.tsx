import { describe, expect, it } from 'vitest';
import { ActionList } from '../../../src/ui/dialogs/action-list.tsx';
import { EMPTY_LINE, lineOf } from '../../../src/view/line-editor.ts';
import type { ActionListState } from '../../../src/view/state.ts';
import { shownText } from '../fixtures/shown-dialog.tsx';

const LIST: ActionListState = { query: EMPTY_LINE, row: 0, of: 'main' };
const CASES: readonly ActionListState[] = [
  { ...LIST, row: 12 },
  { ...LIST, query: lineOf('pal') },
  { ...LIST, of: 'cursor', row: 3 },
  { ...LIST, query: lineOf('zz') },
];

describe('the list of all actions', () => {
  it.each([40, 80, 120])('the list of actions looks right at %i columns', async (width) => {
    const shown = CASES.map((list) =>
      shownText(<ActionList {...{ list, width }} height={10} />, width),
    );
    await expect(shown.join('\n')).toMatchFileSnapshot(
      `../../../snapshots/ui/actions-${width}.txt`,
    );
  });
});
