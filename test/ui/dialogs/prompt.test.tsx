import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { Prompt } from '../../../src/ui/dialogs/prompt.tsx';
import type { PromptProps } from '../../../src/ui/dialogs/prompt.tsx';
import { editedCells } from '../../../src/ui/dialogs/edited-line.ts';
import { glyphRows, styleRows } from '../cell-text.ts';
import { EMPTY_LINE, lineOf } from '../../../src/view/line-editor.ts';
import { HOSTILE_NAMES } from '../fixtures/chrome-state.ts';
import { shownCells, shownLines, shownText, textWithLook } from '../fixtures/shown-dialog.tsx';

type PromptContent = Omit<PromptProps, 'width'>;

const CONTENT: PromptContent = {
  prompt: { line: EMPTY_LINE, problem: undefined },
  label: '/',
  candidates: [],
  selected: undefined,
  hints: ['Tab: complete  Enter: apply  Esc: leave', 'Enter: apply  Esc: leave', 'Esc: leave'],
};
const CANDIDATES = ['lat', 'disk', 'op', 'pid', 'comm', 'flag', 'size', 'error'].map((text) => ({
  text,
  description: `what ${text} is about, in a few words`,
}));
const LONG = 'disk=sda,sdb op=write comm=postgres lat>10ms size>=64k flag=sync error=any';

function withProblem(text: string, column: number, message: string): PromptContent {
  return { ...CONTENT, prompt: { line: lineOf(text), problem: { column, message } } };
}

const CASES: readonly PromptContent[] = [
  CONTENT,
  {
    ...CONTENT,
    prompt: { line: lineOf('disk=sda l'), problem: undefined },
    candidates: CANDIDATES,
    selected: 1,
  },
  withProblem('disk=sda lat>', 13, 'a time such as 10ms is missing here'),
  withProblem(LONG, 36, '"lat" cannot be compared with a size; it is a time such as 10ms or 1.5s'),
  {
    ...CONTENT,
    label: 'go to:',
    prompt: { line: { text: '14:02', cursor: 2 }, problem: undefined },
  },
];

function texts(content: PromptContent, width: number): string[] {
  return shownLines(<Prompt {...content} width={width} />, width);
}

/** The cell under the cursor, from the left edge. */
function cursorCell(content: PromptContent, width: number): number {
  const cells = shownCells(<Prompt {...content} width={width} />, width);
  return styleRows(cells, new Map([['inverse', 'X']]))
    .at(-1)!
    .indexOf('X');
}

describe('the prompt', () => {
  it.each([40, 80, 120, 200])('the prompt looks right at %i columns', async (width) => {
    const shown = CASES.map((content) => shownText(<Prompt {...content} width={width} />, width));
    await expect(shown.join('\n')).toMatchFileSnapshot(`../../../snapshots/ui/prompt-${width}.txt`);
  });

  it('the prompt is a rectangle of printable cells with one cursor, whatever is typed', () => {
    const words = fc.oneof(fc.string({ unit: 'binary' }), fc.constantFrom(...HOSTILE_NAMES));
    const candidate = fc.record({ text: words, description: words });
    fc.assert(
      fc.property(
        words,
        fc.nat(30),
        fc.option(fc.record({ column: fc.nat(60), message: words }), { nil: undefined }),
        fc.array(candidate, { maxLength: 9 }),
        fc.integer({ min: 40, max: 200 }),
        (text, cursor, problem, candidates, width) => {
          const line = { text, cursor: Math.min(cursor, text.length) };
          const content = { ...CONTENT, prompt: { line, problem }, candidates, selected: 2 };
          const cells = shownCells(<Prompt {...content} width={width} />, width);
          expect(glyphRows(cells).join('')).not.toMatch(/[^\x20-\x7e\xa1-\uffff]/);
          expect(textWithLook(cells, 'inverse')).toHaveLength(1);
        },
      ),
      { numRuns: 50 },
    );
  });

  it('the prompt keeps the cursor visible while the line is longer than the screen', () => {
    for (let cursor = 0; cursor <= LONG.length; cursor++) {
      const prompt = { line: { text: LONG, cursor }, problem: undefined };
      expect(cursorCell({ ...CONTENT, prompt }, 40)).toBeLessThan(40);
      const last = texts({ ...CONTENT, prompt }, 40).at(-1)!;
      const at = cursorCell({ ...CONTENT, prompt }, 40);
      expect(last[at]).toBe(`${LONG} `[cursor]);
    }
  });

  it('the prompt points at the column of a mistake', () => {
    for (const width of [40, 80]) {
      const lines = texts(withProblem(LONG, LONG.indexOf('size'), 'wrong'), width);
      const at = lines.at(-2)!.indexOf('▾');
      expect(lines.at(-1)!.slice(at, at + 4)).toBe('size');
    }
  });

  it('the prompt shows the whole error message', () => {
    const message = 'a time such as 10ms is missing here';
    for (let width = 40; width < 100; width++)
      for (const column of [0, 13, 30, 70])
        expect(
          texts(withProblem(LONG, column, message), width)
            .join(' ')
            .replaceAll(/[ ▾]+/g, ' '),
        ).toContain(message);
  });

  it('the prompt shows at most six candidates, including the selected one', () => {
    for (let selected = 0; selected < CANDIDATES.length; selected++) {
      const lines = texts({ ...CONTENT, candidates: CANDIDATES, selected }, 80);
      expect(lines).toHaveLength(6 + 2);
      expect(lines.filter((line) => line.startsWith('▸'))).toEqual([
        expect.stringContaining(`▸ ${CANDIDATES[selected]!.text}`),
      ]);
    }
  });
});

describe('a line that is being typed', () => {
  it('a typed line takes one cell for each code point', () => {
    const cells = editedCells({ text: 'a🙂e\u0301b', cursor: 4 }, 8);
    expect(cells).toMatchObject({ before: 'a?e', under: '?', after: 'b ', first: 0 });
  });

  it('a typed line marks where it continues', () => {
    const shown = (cursor: number): string => {
      const { before, under, after } = editedCells({ text: 'abcdefghij', cursor }, 6);
      return before + under + after;
    };
    expect([0, 5, 10].map(shown)).toEqual(['abcde…', '…cdef…', '…ghij ']);
  });
});
