import type { Background } from '../base/background.ts';
import type { PaletteName } from '../model/metric.ts';
import type { PaletteDepth } from './palette.ts';

/** What the terminal can show, and what the reader chose. */
export interface PaneStyle {
  readonly palette: PaletteName;
  /** Whether block elements and box drawing arrive; else only ASCII is used. */
  readonly unicode: boolean;
  readonly color: boolean;
  /** 256 colours unless it is known otherwise. */
  readonly depth?: PaletteDepth;
  /** Unknown unless it is given. */
  readonly background?: Background;
}

/**
 * How bins become cells: two colours in one cell with half-blocks, a coloured cell per bin where there
 * is only ASCII, and without colour a denser glyph for more I/O.
 */
export type Pixels =
  | { readonly kind: 'half' }
  | { readonly kind: 'colored' }
  | { readonly kind: 'glyphs'; readonly glyphs: readonly number[] };

const SHADES = codePoints('·░▒▓█');
const DENSITIES = codePoints('.:-=+*#%@');

/** What decides about the size of pixels. */
export type PixelStyle = Pick<PaneStyle, 'unicode' | 'color'> & Partial<PaneStyle>;

export function pixelsOf(style: PixelStyle): Pixels {
  if (!style.color || style.palette === 'mono')
    return { kind: 'glyphs', glyphs: style.unicode ? SHADES : DENSITIES };
  return style.unicode ? { kind: 'half' } : { kind: 'colored' };
}

export function binsPerRow(style: PixelStyle): number {
  return pixelsOf(style).kind === 'half' ? 2 : 1;
}

function codePoints(text: string): number[] {
  return Array.from(text, (glyph) => glyph.codePointAt(0)!);
}
