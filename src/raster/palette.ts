import type { Background } from '../base/background.ts';
import { TRUE_COLOR } from '../base/cell-block.ts';
import type { PaletteName } from '../model/metric.ts';
import { RAMPS } from './ramps.ts';
import type { Ramp } from './ramps.ts';

export interface Palette {
  /** Colours as in cells, from the fewest I/Os to the most. */
  readonly colors: readonly number[];
  /** How counts map to colours. */
  readonly kind: 'log' | 'linear';
}

/** Number of colours of the terminal. */
export type PaletteDepth = 'none' | '16' | '256' | 'truecolor';

/** On an unknown background the colours are those for a dark one, because most terminals are dark. */
export function paletteOf(
  name: PaletteName,
  depth: PaletteDepth = '256',
  background: Background = 'unknown',
): Palette {
  const ramps = RAMPS[name];
  const ramp = background === 'light' ? ramps.light : ramps.dark;
  return { kind: ramps.kind, colors: colorsOf(ramp, depth) };
}

function colorsOf(ramp: Ramp, depth: PaletteDepth): readonly number[] {
  if (depth === '16') return ramp.of16;
  return depth === 'truecolor' ? ramp.exact.map((rgb) => TRUE_COLOR | rgb) : ramp.of256;
}
