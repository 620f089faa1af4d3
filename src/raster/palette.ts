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

const PALETTES: Readonly<Record<PaletteName, Palette>> = {
  false: { colors: FALSE_COLORS, kind: 'log' },
  grey: { colors: GREYS, kind: 'linear' },
};

export function paletteOf(name: PaletteName): Palette {
  return PALETTES[name];
}
