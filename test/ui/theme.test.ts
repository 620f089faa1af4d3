import { describe, expect, it } from 'vitest';
import { DEFAULT_COLOR } from '../../src/base/cell-block.ts';
import { createTheme, PALETTE_256, ROLES } from '../../src/ui/text/theme.ts';
import { contrast } from '../tools/color-difference.ts';
import { rgbOfCell } from '../tools/xterm-colors.ts';

/** The backgrounds of terminals, and of Solarized by Ethan Schoonover. */
const BACKGROUNDS = { dark: [0x000000, 0x002b36], light: [0xffffff, 0xfdf6e3] };

describe('the theme', () => {
  it('the theme uses no colour at level 0', () => {
    const theme = createTheme(0);
    for (const role of ROLES) expect(theme.look(role).fg).toBe(DEFAULT_COLOR);
  });

  it('the theme does not colour plain text', () => {
    for (const level of [0, 1, 2, 3] as const)
      expect(createTheme(level).look('plain')).toEqual({ fg: DEFAULT_COLOR, attr: 0 });
  });

  it.each(['dark', 'light'] as const)(
    'all text of the theme is readable on %s backgrounds',
    (background) => {
      for (const color of Object.values(PALETTE_256[background]))
        for (const behind of BACKGROUNDS[background])
          expect(contrast(rgbOfCell(color), behind)).toBeGreaterThanOrEqual(4.5);
    },
  );

  it('all text of the theme is readable on black and on white where the background is unknown', () => {
    for (const color of Object.values(PALETTE_256.unknown))
      for (const behind of [0x000000, 0xffffff])
        expect(contrast(rgbOfCell(color), behind)).toBeGreaterThan(3.5);
  });

  it('the theme has the colours of a background as soon as that is known', () => {
    const theme = createTheme(2);
    theme.background = 'light';
    for (const role of ROLES) expect(theme.look(role)).toEqual(createTheme(2, 'light').look(role));
    expect(theme.look('dim').fg).toBe(PALETTE_256.light.dim);
  });

  it('the theme tells warnings from plain text without colour', () => {
    const theme = createTheme(0);
    for (const role of ['warning', 'alarm', 'bar', 'badge'] as const)
      expect(theme.look(role)).not.toEqual(theme.look('plain'));
  });
});
