import { describe, expect, it } from 'vitest';
import { TRUE_COLOR } from '../../src/base/cell-block.ts';
import { paperPalette } from '../../src/export/picture/paper-palette.ts';
import { PALETTES } from '../../src/model/metric.ts';
import { paletteOf } from '../../src/raster/palette.ts';
import {
  contrast,
  difference,
  labOf,
  leastDifference,
  linearOf,
  VISIONS,
} from '../tools/color-difference.ts';
import { rgbOfCell } from '../tools/xterm-colors.ts';

const NAMES = PALETTES.filter((name) => name !== 'mono');
const BACKGROUNDS = ['dark', 'light'] as const;
const DEPTHS = ['256', 'truecolor'] as const;
const BLACK = 0x000000;
const WHITE = 0xffffff;

const RAMPS = NAMES.flatMap((name) =>
  BACKGROUNDS.flatMap((background) => DEPTHS.map((depth) => ({ name, background, depth }))),
);
type RampName = (typeof RAMPS)[number];

function colorsOf({ name, background, depth }: RampName): number[] {
  return paletteOf(name, depth, background).colors.map(rgbOfCell);
}

/** Of neighbours, for the eyes that see the least of it. */
function leastStep(colors: readonly number[]): number {
  return Math.min(...colors.slice(1).map((next, i) => leastDifference(colors[i]!, next)));
}

describe.each(RAMPS)('the palette $name on $background in $depth colours', (ramp) => {
  const colors = colorsOf(ramp);
  const [first, last] = [colors[0]!, colors.at(-1)!];
  const background = ramp.background === 'dark' ? BLACK : WHITE;

  it('a palette has 20 to 24 colours, except where there are not as many greys', () => {
    const least = ramp.name === 'grey' && ramp.depth === '256' ? 17 : 20;
    expect(colors.length).toBeGreaterThanOrEqual(least);
    expect(colors.length).toBeLessThanOrEqual(24);
    expect(new Set(colors).size).toBe(colors.length);
  });

  it('a palette differs from one colour to the next, also for eyes that confuse red and green', () => {
    // Greys differ in lightness alone. About 1 is just noticeable.
    expect(leastStep(colors)).toBeGreaterThan(ramp.name === 'grey' ? 2.1 : 3.1);
  });

  it('a palette moves away from the background with each colour, or not back so that an eye could tell', () => {
    const away = ramp.background === 'dark' ? 1 : -1;
    const lightness = colors.map((color) => labOf(color)[0]);
    lightness.slice(1).forEach((next, i) => {
      expect(away * (next - lightness[i]!)).toBeGreaterThan(-1.5);
    });
  });

  it('a palette shows a single I/O, and the most I/O in its strongest contrast', () => {
    const contrasts = colors.map((color) => contrast(color, background));
    expect(contrast(first, background)).toBeGreaterThan(2);
    expect(contrast(last, background)).toBeGreaterThan(15);
    expect(Math.max(...contrasts)).toBe(contrast(last, background));
  });
});

describe('palettes', () => {
  it('palettes show a single I/O on white, too, as the background may be unknown', () => {
    for (const name of NAMES) {
      const first = rgbOfCell(paletteOf(name, '256', 'unknown').colors[0]!);
      expect(contrast(first, BLACK)).toBeGreaterThan(name === 'spectrum' ? 4 : 2);
      expect(contrast(first, WHITE)).toBeGreaterThan(4);
    }
  });

  it('palettes of a dark background are used where the background is unknown', () => {
    for (const name of NAMES) expect(paletteOf(name)).toEqual(paletteOf(name, '256', 'dark'));
  });

  it('palettes of spectral colours have no red', () => {
    for (const background of BACKGROUNDS) {
      for (const depth of DEPTHS) {
        for (const color of colorsOf({ name: 'spectrum', background, depth })) {
          const [red, green, blue] = linearOf(color);
          expect(red).toBeLessThanOrEqual(Math.max(green / 0.6, blue));
        }
      }
    }
  });

  it('palettes have only what a terminal of 16 colours has, none of it twice', () => {
    for (const name of NAMES) {
      for (const background of BACKGROUNDS) {
        const { colors } = paletteOf(name, '16', background);
        expect(Math.max(...colors)).toBeLessThan(16);
        expect(new Set(colors).size).toBe(colors.length);
      }
    }
  });

  it('palettes are exact where the terminal shows any colour', () => {
    for (const name of NAMES)
      for (const color of paletteOf(name, 'truecolor').colors)
        expect(color).toBeGreaterThanOrEqual(TRUE_COLOR);
  });

  it('palettes of paper are the exact ones of a light background', () => {
    for (const name of NAMES) {
      const onScreen = colorsOf({ name, background: 'light', depth: 'truecolor' });
      expect(paperPalette(name).colors.map((color) => parseInt(color.slice(1), 16))).toEqual(
        onScreen,
      );
    }
  });

  it('palettes differ for each kind of eyes by what the eyes that see least see, or more', () => {
    const [a, b] = [0x17c98b, 0x23cd7a];
    for (const vision of VISIONS)
      expect(difference(a, b, vision)).toBeGreaterThanOrEqual(leastDifference(a, b));
  });
});
