import type { Background } from '../base/background.ts';
import type { PaletteName } from '../model/metric.ts';
import type { PaletteDepth } from './palette.ts';

/** What the terminal can show, and what the user chose. */
export interface PaneStyle {
  readonly palette: PaletteName;
  /** Whether the terminal shows block elements and box drawing; otherwise only ASCII is used. */
  readonly unicode: boolean;
  readonly color: boolean;
  /** Default: 256 colours. */
  readonly depth?: PaletteDepth;
  /** Default: unknown. */
  readonly background?: Background;
}

/**
 * How bins become cells: two bins per cell with half-blocks, a coloured cell per bin with ASCII only, and without
 * colour a denser glyph for more I/O.
 */
export type Pixels =
  | { readonly kind: 'half' }
  | { readonly kind: 'colored' }
  | { readonly kind: 'glyphs'; readonly glyphs: readonly number[] };

const SHADES = codePoints('·░▒▓█');
const DENSITIES = codePoints('.:-=+*#%@');

/** The properties that determine the size of pixels. */
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
