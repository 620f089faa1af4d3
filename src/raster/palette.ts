import { TRUE_COLOR } from '../base/cell-block.ts';
import type { PaletteName } from '../model/metric.ts';

export interface Palette {
  /** Indices of the 256-colour palette, from the fewest I/Os to the most. */
  readonly colors: readonly number[];
  /** How counts map to colours. */
  readonly kind: 'log' | 'linear';
}

/**
 * Blue, cyan, green, yellow: no step darker than the one before (CIE L* 46 to 97), so the order can be
 * seen without the legend, and each at least 17 (ΔE*) from the last. The first stands out from black
 * (4.1:1) and from white (5.1:1), as a single slow I/O must beside 100,000 fast ones. There is no red:
 * a busy pixel is not a broken one.
 */
const FALSE_COLORS = [27, 33, 38, 43, 41, 76, 148, 184, 220, 226];

/** L* 33 to 72: neither end disappears into a black or a white background. */
const GREYS = [239, 240, 241, 242, 243, 244, 245, 246, 248, 249];

/**
 * Purple, red, orange, pale yellow (L* 38 to 99), each lighter than the one before, as inferno is: the
 * picture keeps its meaning in a black-and-white print.
 */
const HEAT = [92, 128, 162, 197, 203, 209, 214, 220, 227, 230];
/** Control points of inferno, without its dark end: a single I/O must be seen on black. */
const INFERNO = [0x781c6d, 0xa52c60, 0xcf4446, 0xed6925, 0xfb9b06, 0xf7d13d, 0xfcffa4];

/** Blue to yellow by way of grey, as cividis: nothing is told by red against green. L* 43 to 97. */
const BLIND = [26, 61, 67, 103, 246, 144, 179, 185, 221, 227];
const CIVIDIS = [0x35609c, 0x5d6d84, 0x7c7b78, 0x9c8b73, 0xbf9f64, 0xe1bb4a, 0xfee838];

/** For terminals of 16 colours, whose order by lightness is only nearly that by hue. */
const FALSE_16 = [12, 6, 2, 10, 11, 15];
const HEAT_16 = [1, 9, 3, 11, 15];
const BLIND_16 = [12, 8, 3, 11];
const GREYS_16 = [8, 7, 15];

interface Ramps {
  readonly kind: Palette['kind'];
  readonly low: readonly number[];
  readonly high: readonly number[];
  /** 0xrrggbb; absent where the 256 colours are as good. */
  readonly exact?: readonly number[];
}

const FALSE: Ramps = { kind: 'log', low: FALSE_16, high: FALSE_COLORS };

const PALETTES: Readonly<Record<PaletteName, Ramps>> = {
  false: FALSE,
  heat: { kind: 'log', low: HEAT_16, high: HEAT, exact: INFERNO },
  blind: { kind: 'log', low: BLIND_16, high: BLIND, exact: CIVIDIS },
  grey: { kind: 'linear', low: GREYS_16, high: GREYS },
  // Drawn with glyphs; the colours are never seen.
  mono: FALSE,
};

/** How many colours the terminal has. */
export type PaletteDepth = 'none' | '16' | '256' | 'truecolor';

const EXACT_LEVELS = 10;

export function paletteOf(name: PaletteName, depth: PaletteDepth = '256'): Palette {
  const { kind, low, high, exact } = PALETTES[name];
  if (depth === '16') return { kind, colors: low };
  if (depth !== 'truecolor' || exact === undefined) return { kind, colors: high };
  const colors = Array.from({ length: EXACT_LEVELS }, (_, level) =>
    between(exact, (level / (EXACT_LEVELS - 1)) * (exact.length - 1)),
  );
  return { kind, colors };
}

/** The colour at a place between control points, as cells have it. */
function between(points: readonly number[], at: number): number {
  const from = Math.min(points.length - 2, Math.floor(at));
  const share = at - from;
  const mix = [16, 8, 0].map((shift) => {
    const [a, b] = [points[from]!, points[from + 1]!].map((color) => (color >> shift) & 0xff);
    return Math.round(a! + share * (b! - a!)) << shift;
  });
  return TRUE_COLOR | mix.reduce((a, b) => a | b);
}
