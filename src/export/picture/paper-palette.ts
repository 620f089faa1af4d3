import type { PaletteName } from '../../model/metric.ts';
import { paletteOf } from '../../raster/palette.ts';

/** Colours for white paper, and how counts map to them. */
export interface PaperPalette {
  /** From the fewest I/Os to the most. */
  readonly colors: readonly string[];
  readonly kind: 'log' | 'linear';
}

const GREYS = [
  '#b4b4b4',
  '#a2a2a2',
  '#909090',
  '#7e7e7e',
  '#6d6d6d',
  '#5c5c5c',
  '#4b4b4b',
  '#3a3a3a',
  '#272727',
  '#101010',
];

/**
 * On paper nothing is white, so more I/O is darker, where a dark terminal has it lighter. Lightness
 * falls from about L* 68 to 12 in each: the first stands out from white, as one slow I/O must, and the
 * order stays in a black-and-white print.
 */
const COLORS: Readonly<Record<PaletteName, readonly string[]>> = {
  false: [
    '#5eaaf0',
    '#3f8fe6',
    '#3a74dc',
    '#4b5ccc',
    '#6446ba',
    '#7c2fa3',
    '#8d1c86',
    '#930d62',
    '#84073d',
    '#5c0420',
  ],
  heat: [
    '#f2a541',
    '#ee8f33',
    '#e6772a',
    '#da5f26',
    '#c94825',
    '#b23227',
    '#962029',
    '#771327',
    '#570b22',
    '#380619',
  ],
  blind: [
    '#d6b23c',
    '#bfa14b',
    '#a79256',
    '#90835f',
    '#7a7567',
    '#64686d',
    '#4e5b70',
    '#374e71',
    '#1d4170',
    '#00336a',
  ],
  grey: GREYS,
  mono: GREYS,
};

export function paperPalette(name: PaletteName): PaperPalette {
  return { colors: COLORS[name], kind: paletteOf(name).kind };
}
