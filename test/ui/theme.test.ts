import { describe, expect, it } from 'vitest';
import { DEFAULT_COLOR } from '../../src/base/cell-block.ts';
import { createTheme, PALETTE_256, ROLES } from '../../src/ui/theme.ts';

/** Relative luminance of a palette index from 16 on, as WCAG 2 defines it. */
function luminance(index: number): number {
  const steps = [0, 95, 135, 175, 215, 255];
  const cube = index - 16;
  const channels =
    index >= 232
      ? Array<number>(3).fill(8 + (index - 232) * 10)
      : [Math.floor(cube / 36), Math.floor(cube / 6) % 6, cube % 6].map((step) => steps[step] ?? 0);
  const [red = 0, green = 0, blue = 0] = channels.map((value) => {
    const share = value / 255;
    return share <= 0.03928 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

describe('the theme', () => {
  it('uses no colour at level 0', () => {
    const theme = createTheme(0);
    for (const role of ROLES) expect(theme.look(role).fg).toBe(DEFAULT_COLOR);
  });

  it('leaves plain text alone', () => {
    for (const level of [0, 1, 2, 3] as const)
      expect(createTheme(level).look('plain')).toEqual({ fg: DEFAULT_COLOR, attr: 0 });
  });

  it.each(Object.entries(PALETTE_256))('has %s readable on black and on white', (_, index) => {
    expect((luminance(index) + 0.05) / 0.05).toBeGreaterThan(3.5);
    expect(1.05 / (luminance(index) + 0.05)).toBeGreaterThan(3.5);
  });

  it('tells warnings from plain text without colour', () => {
    const theme = createTheme(0);
    for (const role of ['warning', 'alarm', 'bar', 'badge'] as const)
      expect(theme.look(role)).not.toEqual(theme.look('plain'));
  });
});
