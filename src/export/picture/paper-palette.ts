import type { PaletteName } from '../../model/metric.ts';
import { RAMPS } from '../../raster/ramps.ts';

/** Colours for white paper, and how counts map to them. */
export interface PaperPalette {
  /** From the fewest I/Os to the most. */
  readonly colors: readonly string[];
  readonly kind: 'log' | 'linear';
}

/** The colours of a palette for a light background, because paper is white. */
export function paperPalette(name: PaletteName): PaperPalette {
  const { kind, light } = RAMPS[name];
  return { kind, colors: light.exact.map(hex) };
}

function hex(rgb: number): string {
  return `#${rgb.toString(16).padStart(6, '0')}`;
}
