import { describe, expect, it } from 'vitest';
import { Attribute, TRUE_COLOR } from '../../src/base/cell-block.ts';
import type { CellBlock } from '../../src/base/cell-block.ts';
import { parseAnsi } from '../../src/terminal/parse-ansi.ts';
import { visibleDifferences } from './compare-cells.ts';
import { Emulator, FULL_SCREEN } from './emulator.ts';
import { SeededRandom } from '../random.ts';

function rows(block: CellBlock): string[] {
  return Array.from({ length: block.height }, (_, y) =>
    String.fromCodePoint(...block.glyph.subarray(y * block.width, (y + 1) * block.width)),
  );
}

async function shownBy(text: string, width: number, height: number): Promise<CellBlock> {
  const emulator = new Emulator(width, height, FULL_SCREEN);
  await emulator.write(text.replaceAll('\n', '\r\n'));
  return emulator.cells();
}

describe('parseAnsi', () => {
  it.each([
    ['plain lines', 'one\ntwo\n\nfour'],
    ['colours of 16', '\x1b[31mred\x1b[42mgreen\x1b[95mbright\x1b[103mbright\x1b[39;49mnone'],
    ['colours of 256', '\x1b[38;5;200mfg\x1b[48;5;20mbg\x1b[38;5;9;48;5;12mboth'],
    ['true colour', '\x1b[38;2;1;2;3mfg\x1b[48;2;250;251;252mbg'],
    ['colons', '\x1b[38:5:200ma\x1b[48:2::1:2:3mb\x1b[4:3mc\x1b[4:0md'],
    ['attributes', '\x1b[1mb\x1b[2md\x1b[22mn\x1b[3mi\x1b[23mn\x1b[4mu\x1b[24mn\x1b[7mi\x1b[27mn'],
    ['several at once', '\x1b[1;4;38;5;3;7mx\x1b[22;24;27my'],
    ['a reset in full', '\x1b[1;31mx\x1b[0my'],
    ['a reset in short', '\x1b[1;31mx\x1b[my\x1b[31m\x1b[;1mz'],
    ['styles across lines', '\x1b[44mone\ntwo\x1b[0m\nthree'],
    ['an unknown attribute', '\x1b[5;9;53mx\x1b[31my'],
    ['unknown sequences', 'a\x1b[?25lb\x1b[>4;2mc\x1b[5 qd\x1b(Be\x1b=f\x1b7g'],
    ['other strings', 'a\x1bPq data\x1b\\b\x1b_apc\x1b\\c\x1b^pm\x1b\\d'],
    ['boxes and blocks', '┌─┐▀▄█░\n│é│⣿'],
  ])('parseAnsi gives the cells that a terminal shows: %s', async (_, text) => {
    expect(visibleDifferences(await shownBy(text, 40, 5), parseAnsi(text, 40, 5))).toEqual([]);
  });

  it('parseAnsi gives the cells that a terminal shows, whatever the order of styles', async () => {
    const random = new SeededRandom(5);
    const styles = [
      '0',
      '',
      '1',
      '2',
      '3',
      '4',
      '7',
      '22',
      '23',
      '24',
      '27',
      '33',
      '97',
      '46',
      '39',
    ];
    const colors = ['49', '38;5;100', '48;5;7', '38;2;9;8;7', '48;2;0;0;0', '100'];
    const pieces = Array.from({ length: 400 }, () => {
      const params = Array.from({ length: random.between(1, 4) }, () =>
        random.pick([...styles, ...colors]),
      );
      return `\x1b[${params.join(';')}m${random.pick(['a', ' ', '▀', 'é', '\n'])}`;
    });
    const text = pieces.join('');
    expect(visibleDifferences(await shownBy(text, 30, 200), parseAnsi(text, 30, 200))).toEqual([]);
  });

  it('parseAnsi gives colours as palette indices and as true colours', () => {
    const block = parseAnsi('\x1b[94;48;2;16;32;48;1;7mx', 1, 1);
    expect(block.fg[0]).toBe(12);
    expect(block.bg[0]).toBe(TRUE_COLOR | 0x102030);
    expect(block.attr[0]).toBe(Attribute.bold | Attribute.inverse);
  });

  it('parseAnsi drops hyperlinks but not their text', () => {
    const text = '\x1b]8;;https://example.org\x1b\\link\x1b]8;;\x07 text';
    expect(rows(parseAnsi(text, 9, 1))).toEqual(['link text']);
  });

  it('parseAnsi ignores a colour that is truncated or out of range', () => {
    const text = '\x1b[31ma\x1b[38;5mb\x1b[38;2;1mc\x1b[38;5;256md\x1b[38;2;1;2;300me';
    expect([...parseAnsi(text, 5, 1).fg]).toEqual([1, 1, 1, 1, 1]);
  });

  it('parseAnsi drops lines and columns that do not fit', () => {
    expect(rows(parseAnsi('abcdef\ngh\nij', 3, 2))).toEqual(['abc', 'gh ']);
  });

  it('parseAnsi applies styles beyond the right edge', () => {
    expect(parseAnsi('abc\x1b[31m\nx', 2, 2).fg[2]).toBe(1);
  });

  it.each([
    ['an unfinished string', 'a\x1b]0;title\nb', ['a   ', 'b   ']],
    ['an unfinished sequence', 'a\x1b[31\nb', ['a   ', 'b   ']],
    ['an escape at the end', 'ab\x1b', ['ab  ', '    ']],
    ['a sequence inside a sequence', 'a\x1b[3\x1b[31mb', ['ab  ', '    ']],
  ])('parseAnsi reads the next line after %s', (_, text, expected) => {
    expect(rows(parseAnsi(text, 4, 2))).toEqual(expected);
  });

  it('parseAnsi makes unsafe text safe, one column per code point', () => {
    expect(rows(parseAnsi('a\x07b\x9b31mc\u202ed日e🙂f', 20, 1))).toEqual(['a?b?31mc?d?e?f      ']);
  });

  it('parseAnsi reads a tab as one space', () => {
    expect(rows(parseAnsi('a\tb', 3, 1))).toEqual(['a b']);
  });
});
