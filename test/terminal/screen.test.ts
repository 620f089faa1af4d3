import { describe, expect, it } from 'vitest';
import { Attribute, createCellBlock, FULL, SPACE, TRUE_COLOR } from '../../src/base/cell-block.ts';
import { Screen } from '../../src/terminal/screen.ts';
import { visibleDifferences } from './compare-cells.ts';
import { Emulator, FULL_SCREEN } from './emulator.ts';
import { NoisyHeatmap } from './pictures.ts';
import { SeededRandom } from '../random.ts';

const decoder = new TextDecoder();

/** Bytes of the next frame as text, without the brackets of synchronized output. */
function frame(screen: Screen): string {
  return decoder.decode(screen.encode()).replace('\x1b[?2026h', '').replace('\x1b[?2026l', '');
}

async function expectShown(screen: Screen, emulator: Emulator): Promise<void> {
  await emulator.write(screen.encode());
  expect(visibleDifferences(screen.cells, emulator.cells())).toEqual([]);
}

describe('a screen', () => {
  it('the first frame clears the terminal and writes what is not blank', () => {
    const screen = new Screen(10, 3);
    screen.text(2, 1, 'hello');
    expect(frame(screen)).toBe('\x1b[m\x1b[2J\x1b[2;3Hhello');
  });

  it('a frame without changes sends nothing', () => {
    const screen = new Screen(10, 3);
    screen.text(0, 0, 'hello');
    screen.encode();
    screen.text(0, 0, 'hello');
    expect(screen.encode()).toHaveLength(0);
  });

  it('a frame is sent as one synchronized update', () => {
    const screen = new Screen(10, 3);
    screen.text(0, 0, 'x');
    expect(decoder.decode(screen.encode())).toMatch(/^\x1b\[\?2026h.*\x1b\[\?2026l$/);
  });

  it('a frame does not depend on the pen and cursor that the last one left', () => {
    const screen = new Screen(10, 3);
    screen.text(0, 0, 'ab');
    screen.encode();
    screen.text(2, 0, 'c');
    expect(frame(screen)).toBe('\x1b[1;3H\x1b[mc');
  });

  it('the cursor is placed again after the last column', () => {
    const screen = new Screen(3, 2);
    screen.text(0, 0, 'abc');
    screen.text(0, 1, 'def');
    expect(frame(screen)).toBe('\x1b[m\x1b[2J\x1b[Habc\x1b[2Hdef');
  });

  it('the cursor is placed again after a character that may be two columns wide', () => {
    const screen = new Screen(5, 1);
    screen.text(0, 0, 'aéb');
    expect(frame(screen)).toBe('\x1b[m\x1b[2J\x1b[Haé\x1b[1;3Hb');
  });

  it('a long blank end of a row is erased with the default background', () => {
    const screen = new Screen(20, 1);
    screen.fill({ x: 0, y: 0, width: 20, height: 1 }, { bg: 4 });
    screen.encode();
    screen.fill({ x: 5, y: 0, width: 15, height: 1 });
    expect(frame(screen)).toBe('\x1b[1;6H\x1b[m\x1b[K');
  });

  it('a small gap is written again instead of jumping over it', () => {
    const screen = new Screen(10, 1);
    screen.text(0, 0, 'abcd');
    screen.encode();
    screen.text(0, 0, 'Xbc');
    screen.text(3, 0, 'Y');
    expect(frame(screen)).toBe('\x1b[H\x1b[mXbcY');
  });

  it('only a colour that has changed is sent', () => {
    const screen = new Screen(10, 1);
    screen.text(0, 0, 'a', { fg: 100, bg: 20 });
    screen.text(1, 0, 'b', { fg: 101, bg: 20 });
    expect(frame(screen)).toMatch(/a\x1b\[38;5;101mb$/);
  });

  it('a half block is turned upside down where that needs fewer colours', async () => {
    const screen = new Screen(10, 1);
    const emulator = new Emulator(10, 1, FULL_SCREEN);
    screen.text(0, 0, '▀', { fg: 100, bg: 20 });
    screen.text(1, 0, '▀', { fg: 20, bg: 100 });
    const bytes = screen.encode();
    expect(decoder.decode(bytes)).toContain('▀▄');
    await emulator.write(bytes);
    expect(visibleDifferences(screen.cells, emulator.cells())).toEqual([]);
  });

  it.each([
    ['bold', Attribute.bold],
    ['dim', Attribute.dim],
    ['bold and dim', Attribute.bold | Attribute.dim],
    ['italic', Attribute.italic],
    ['underline', Attribute.underline],
    ['inverse', Attribute.inverse],
    ['everything', 31],
  ])('%s is switched on and off again', async (_, attr) => {
    const screen = new Screen(12, 1);
    const emulator = new Emulator(12, 1, FULL_SCREEN);
    screen.text(0, 0, 'on', { attr, fg: 3 });
    screen.text(2, 0, 'off', { fg: 3 });
    screen.text(5, 0, ' ', { attr });
    screen.text(6, 0, 'dim', { attr: attr & Attribute.dim, bg: TRUE_COLOR | 0x102030 });
    await expectShown(screen, emulator);
  });

  it('a coloured blank is a full block where a terminal has no bright backgrounds', () => {
    const screen = new Screen(10, 1, { colors: '16', fullBlocksOnly: true });
    screen.text(0, 0, ' ', { bg: 11 });
    screen.text(1, 0, 'x ', { bg: 3, attr: Attribute.inverse });
    expect([screen.cells.glyph[0], screen.cells.fg[0], screen.cells.bg[0]]).toEqual([FULL, 11, -1]);
    expect([screen.cells.glyph[2], screen.cells.bg[2]]).toEqual([SPACE, 3]);
  });

  it('painting outside the screen is cut off', async () => {
    const screen = new Screen(4, 2);
    const emulator = new Emulator(4, 2, FULL_SCREEN);
    screen.text(-2, 0, 'abcdefgh');
    screen.text(0, -1, 'above');
    screen.text(0, 2, 'below');
    screen.blit(createCellBlock(10, 10), 2, 1);
    screen.fill({ x: -5, y: 1, width: 7, height: 9 }, { bg: 2 }, 0x78);
    await expectShown(screen, emulator);
    expect(emulator.screen()).toEqual(['cdef', 'xx']);
  });

  it('the whole screen is painted again after something else has drawn on the terminal', async () => {
    const screen = new Screen(10, 2);
    const emulator = new Emulator(10, 2, FULL_SCREEN);
    screen.text(0, 0, 'picture');
    await expectShown(screen, emulator);
    await emulator.write('\x1b[31mgarbage');
    screen.invalidate();
    await expectShown(screen, emulator);
  });
});

describe('a screen that scrolls', () => {
  /** Axis at the left, a heat map, possibly a panel at the right. */
  function scrollingScreen(panelWidth: number): { screen: Screen; scroll: () => void } {
    const screen = new Screen(60, 12);
    const width = 60 - 6 - panelWidth;
    const heatmap = new NoisyHeatmap(width, 12, new SeededRandom(7));
    const paint = (): void => {
      screen.blit(heatmap.block, 6, 0);
      for (let y = 0; y < 12; y++) {
        screen.text(0, y, `${y} ms ┤`);
        screen.text(60 - panelWidth, y, '123456789'.slice(0, panelWidth));
      }
    };
    paint();
    const scroll = (): void => {
      heatmap.scroll();
      paint();
      screen.scrolled({ x: 6, y: 0, width, height: 12 }, 1);
    };
    return { screen, scroll };
  }

  it('scrolling deletes one column per noisy row and rewrites no quiet row', () => {
    const { screen, scroll } = scrollingScreen(0);
    screen.encode();
    scroll();
    const bytes = frame(screen);
    expect(bytes.match(/\x1b\[P/g)).toHaveLength(6);
    expect(bytes).not.toContain('@');
  });

  it('scrolling keeps a panel to the right in its place', async () => {
    const { screen, scroll } = scrollingScreen(8);
    const emulator = new Emulator(60, 12, FULL_SCREEN);
    await expectShown(screen, emulator);
    scroll();
    const bytes = screen.encode();
    expect(decoder.decode(bytes)).toMatch(/\x1b\[P.*\x1b\[@/);
    await emulator.write(bytes);
    expect(visibleDifferences(screen.cells, emulator.cells())).toEqual([]);
  });

  it('scrolling after skipped frames moves by the columns of all of them', async () => {
    const { screen, scroll } = scrollingScreen(0);
    const emulator = new Emulator(60, 12, FULL_SCREEN);
    await expectShown(screen, emulator);
    for (let i = 0; i < 3; i++) scroll();
    const bytes = screen.encode();
    expect(decoder.decode(bytes)).toContain('\x1b[3P');
    await emulator.write(bytes);
    expect(visibleDifferences(screen.cells, emulator.cells())).toEqual([]);
  });

  it('cells exposed by scrolling are written even if they look like what the terminal may have filled in', () => {
    const screen = new Screen(30, 1);
    screen.text(0, 0, 'abcdefghijklmnopqrstuvwxyz    ');
    screen.encode();
    screen.text(0, 0, 'bcdefghijklmnopqrstuvwxyz     ');
    screen.scrolled({ x: 0, y: 0, width: 30, height: 1 }, 1);
    expect(frame(screen)).toBe('\x1b[m\x1b[H\x1b[P\x1b[29C ');
  });

  it('going back in time scrolls to the right', async () => {
    const screen = new Screen(40, 2);
    const emulator = new Emulator(40, 2, FULL_SCREEN);
    const letters = 'the quick brown fox jumps over';
    screen.text(4, 0, letters);
    screen.text(4, 1, letters.toUpperCase());
    screen.text(36, 0, '|ab|');
    await expectShown(screen, emulator);
    screen.text(4, 0, `12${letters}`.slice(0, 32));
    screen.text(4, 1, `12${letters.toUpperCase()}`.slice(0, 32));
    screen.scrolled({ x: 4, y: 0, width: 32, height: 2 }, -2);
    const bytes = screen.encode();
    expect(decoder.decode(bytes)).toMatch(/\x1b\[2P.*\x1b\[2@/);
    await emulator.write(bytes);
    expect(visibleDifferences(screen.cells, emulator.cells())).toEqual([]);
  });

  it.each([
    ['beyond the screen', { x: -3, y: -3, width: 100, height: 100 }, 2],
    ['wider than its rectangle', { x: 3, y: 0, width: 5, height: 2 }, 9],
    ['of nothing', { x: 50, y: 50, width: 5, height: 5 }, 1],
    ['that did not happen', { x: 0, y: 0, width: 20, height: 2 }, 4],
  ])('the screen is right despite a scroll hint %s', async (_, rect, columns) => {
    const screen = new Screen(20, 2);
    const emulator = new Emulator(20, 2, FULL_SCREEN);
    screen.text(0, 0, 'abcdefghijklmnopqrst');
    await expectShown(screen, emulator);
    screen.text(0, 0, 'abcdefghijKLMNOPQRST');
    screen.scrolled(rect, columns);
    await expectShown(screen, emulator);
  });

  it('the screen uses no sequence that tmux, screen or mosh ignores', () => {
    const { screen, scroll } = scrollingScreen(8);
    let all = frame(screen);
    for (let i = 0; i < 20; i++) {
      scroll();
      all += frame(screen);
    }
    const finals = Array.from(all.matchAll(/\x1b\[[\d;]*([^\d;])/g), (match) => match[1]!);
    const allowed = ['@', 'A', 'B', 'C', 'D', 'G', 'H', 'J', 'K', 'P', 'm'];
    expect(finals.filter((final) => !allowed.includes(final))).toEqual([]);
  });

  it('a new column of a noisy 200×50 heat map is sent in well below 2,000 bytes', () => {
    const screen = new Screen(200, 50);
    const heatmap = new NoisyHeatmap(190, 46, new SeededRandom(11));
    screen.blit(heatmap.block, 10, 2);
    screen.encode();
    const sizes = Array.from({ length: 50 }, () => {
      heatmap.scroll();
      screen.blit(heatmap.block, 10, 2);
      screen.scrolled({ x: 10, y: 2, width: 190, height: 46 }, 1);
      return screen.encode().length;
    });
    expect(Math.max(...sizes)).toBeLessThan(1500);
  });
});
