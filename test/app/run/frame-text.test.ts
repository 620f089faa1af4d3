import { describe, expect, it } from 'vitest';
import { frameText } from '../../../src/app/run/frame-text.ts';
import { createCellBlock, TRUE_COLOR } from '../../../src/base/cell-block.ts';
import type { CellBlock } from '../../../src/base/cell-block.ts';
import { parseAnsi } from '../../../src/terminal/parse-ansi.ts';
import { SeededRandom } from '../../random.ts';
import { visibleDifferences } from '../../terminal/compare-cells.ts';

const WIDTH = 40;
const HEIGHT = 12;

/** Cells of few colours, so that some neighbours look the same. */
function cells(random: SeededRandom, colors: readonly number[]): CellBlock {
  const block = createCellBlock(WIDTH, HEIGHT);
  const color = (): number => random.pick(colors);
  for (let i = 0; i < block.glyph.length; i++) {
    block.glyph[i] = random.pick([0x20, 0x41, 0x2580]);
    block.fg[i] = color();
    block.bg[i] = color();
    block.attr[i] = random.below(3) === 0 ? random.below(32) : 0;
  }
  return block;
}

describe('a frame as text', () => {
  it.each([
    ['16', [-1, 0, 1, 7, 8, 15]],
    ['256', [-1, 3, 12, 16, 200, 255]],
    ['truecolor', [-1, 4, 100, TRUE_COLOR | 0x010203, TRUE_COLOR | 0xfafbfc]],
  ] as const)('a frame as text looks like its cells in %s colours', (depth, colors) => {
    const random = new SeededRandom(1);
    for (let round = 0; round < 20; round++) {
      const block = cells(random, colors);
      const shown = parseAnsi(frameText(block, depth), WIDTH, HEIGHT);
      expect(visibleDifferences(shown, block)).toEqual([]);
    }
  });

  it('a frame as text has no escape sequence without colours', () => {
    const block = cells(new SeededRandom(2), [-1, 1, 200]);
    expect(frameText(block, 'none')).not.toContain('\x1b');
  });
});
