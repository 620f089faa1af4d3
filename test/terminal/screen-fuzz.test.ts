import { describe, expect, it } from 'vitest';
import { type CellBlock, createCellBlock, TRUE_COLOR } from '../../src/base/cell-block.ts';
import type { ColorDepth } from '../../src/terminal/color.ts';
import type { Rect } from '../../src/terminal/grid.ts';
import { Screen } from '../../src/terminal/screen.ts';
import { visibleDifferences } from './compare-cells.ts';
import { Emulator, FULL_SCREEN } from './emulator.ts';
import { SeededRandom } from '../random.ts';

/** What processes and devices may be called, and what a screen draws. */
const TEXTS = [
  'mysqld',
  'jbd2/sda1-8',
  '▀▄█░▒▓│─┤┌',
  '⣿⡇⠁',
  'café naïve Ωμ привет',
  'e\u0301 combining',
  '日本語 wide',
  '🙂👩‍👩‍👧 emoji',
  '\x1b[31mred\x1b[2J',
  '\x1b]52;c;aGFjaw==\x07',
  '\x1b]0;title\x1b\\',
  '\x9b31m c1 \x90q\x9c',
  'cr\rlf\nbs\bbel\x07tab\tnul\0',
  'rtl \u202e gnp.exe \u2066x\u2069',
  'zero\u200bwidth\ufeff\u200d',
  'lone \ud800 and \udfff',
  'private \ue000 \u{f0000} unassigned \u0378 \ufffe',
  'del\x7f ctrl\x0e\x0f',
];

class Fuzzer {
  readonly screen: Screen;
  readonly emulator: Emulator;

  constructor(
    private readonly random: SeededRandom,
    options: { colors: ColorDepth; unicode: boolean },
  ) {
    this.screen = new Screen(30, 8, options);
    this.emulator = new Emulator(30, 8, FULL_SCREEN);
  }

  /** A few changes, some of which may go unsent, then one frame. */
  async step(): Promise<void> {
    const changes = this.random.between(1, 4);
    for (let i = 0; i < changes; i++) this.change();
    const cells = this.screen.cells;
    this.emulator.resize(cells.width, cells.height);
    await this.emulator.write(this.screen.encode());
    expect(visibleDifferences(cells, this.emulator.cells())).toEqual([]);
  }

  /** The same in parts of any size, while more changes. */
  async stepInParts(): Promise<void> {
    const { random, screen } = this;
    for (let part = 0; part < 5 || screen.isCut; part++) {
      if (part < 5) this.change();
      screen.writeFirst([this.rect(), this.rect()]);
      const { width, height } = screen.cells;
      this.emulator.resize(width, height);
      const maxBytes = random.between(40, 400);
      const bytes = screen.encode(random.next() < 0.02 ? Infinity : maxBytes);
      await this.emulator.write(bytes);
      expect(part).toBeLessThan(500);
    }
    expect(visibleDifferences(screen.cells, this.emulator.cells())).toEqual([]);
  }

  private change(): void {
    const dice = this.random.next();
    if (dice < 0.35) this.scroll();
    else if (dice < 0.55) this.writeText();
    else if (dice < 0.75) this.blit();
    else if (dice < 0.9) this.fill();
    else if (dice < 0.93) this.screen.scrolled(this.rect(), this.random.between(-9, 9));
    else if (dice < 0.95) this.screen.invalidate();
    else if (dice < 0.97) this.resize();
    else this.screen.fill({ x: 0, y: 0, width: 1000, height: 1000 });
  }

  private resize(): void {
    const sizes = [1, 2, 3, 10, 40];
    this.screen.resize(this.random.pick(sizes) * 2, this.random.pick(sizes));
  }

  /** Moves the picture in a rectangle, paints new columns, and says so. */
  private scroll(): void {
    const rect = this.rect();
    const columns = this.random.between(-3, Math.max(1, rect.width));
    const moved = createCellBlock(rect.width, rect.height);
    this.randomize(moved);
    const { cells } = this.screen;
    for (let y = 0; y < rect.height; y++) {
      for (let x = 0; x < rect.width; x++) {
        const from = x + columns;
        if (from < 0 || from >= rect.width || this.random.next() < 0.02) continue;
        copyCell(cells, (rect.y + y) * cells.width + rect.x + from, moved, y * rect.width + x);
      }
    }
    this.screen.blit(moved, rect.x, rect.y);
    this.screen.scrolled(rect, columns);
  }

  private writeText(): void {
    const { random } = this;
    const text = random.pick(TEXTS);
    const style = { fg: this.color(), bg: this.color(), attr: this.attr() };
    this.screen.text(random.between(-5, this.screen.width), random.below(8), text, style);
  }

  private blit(): void {
    const rect = this.rect();
    const block = createCellBlock(rect.width, rect.height);
    this.randomize(block);
    this.screen.blit(block, rect.x + this.random.between(-3, 3), rect.y);
  }

  private fill(): void {
    const glyph = this.random.pick([0x20, 0x20, 0x78, 0x2588]);
    this.screen.fill(this.rect(), { bg: this.color(), attr: this.attr() }, glyph);
  }

  private randomize(block: CellBlock): void {
    const few = [this.color(), this.color(), this.color()];
    for (let i = 0; i < block.glyph.length; i++) {
      block.glyph[i] = this.random.pick([
        0x20, 0x61, 0x2580, 0x2580, 0x2584, 0xe9, 0, 0x1b, 0x65e5,
      ]);
      block.fg[i] = this.random.pick(few);
      block.bg[i] = this.random.pick(few);
      block.attr[i] = this.random.next() < 0.9 ? 0 : this.attr();
    }
  }

  private rect(): Rect {
    const { random, screen } = this;
    const x = random.below(screen.width);
    const y = random.below(screen.height);
    const width = random.next() < 0.4 ? screen.width - x : random.between(1, screen.width - x);
    return { x, y, width, height: random.between(1, screen.height - y) };
  }

  private color(): number {
    const { random } = this;
    return random.pick([
      -1,
      random.below(8),
      random.between(8, 15),
      random.between(16, 255),
      TRUE_COLOR | random.below(1 << 24),
      random.pick([-7, 256, 0xffffff, 0x7fffffff]),
    ]);
  }

  private attr(): number {
    return this.random.next() < 0.5 ? 0 : this.random.below(256);
  }
}

function copyCell(from: CellBlock, i: number, to: CellBlock, j: number): void {
  to.glyph[j] = from.glyph[i]!;
  to.fg[j] = from.fg[i]!;
  to.bg[j] = from.bg[i]!;
  to.attr[j] = from.attr[i]!;
}

describe('after any changes, the terminal shows what was painted', () => {
  const FRAMES = 150;

  it.each([1, 2, 3, 4, 5, 6])(
    'after any changes, a terminal with true colour shows what was painted (seed %i)',
    async (seed) => {
      const fuzzer = new Fuzzer(new SeededRandom(seed), { colors: 'truecolor', unicode: true });
      for (let i = 0; i < FRAMES; i++) await fuzzer.step();
    },
  );

  it.each([
    ['256', true],
    ['16', true],
    ['none', true],
    ['256', false],
    ['none', false],
  ] as const)(
    'after any changes, a terminal with %s colours, Unicode %s, shows what was painted',
    async (colors, unicode) => {
      const fuzzer = new Fuzzer(new SeededRandom(99), { colors, unicode });
      for (let i = 0; i < FRAMES; i++) await fuzzer.step();
    },
  );

  it.each([1, 2, 3, 4])(
    'after any changes sent in parts, a terminal shows what was painted (seed %i)',
    async (seed) => {
      const fuzzer = new Fuzzer(new SeededRandom(seed), { colors: '256', unicode: true });
      for (let i = 0; i < FRAMES; i++) await fuzzer.stepInParts();
    },
  );
});
