import type { Background } from '../base/background.ts';
import { Attribute, TRUE_COLOR } from '../base/cell-block.ts';
import { paletteRgb } from '../base/xterm-colors.ts';
import type { PixelPen } from './draw-pixels.ts';
import type { PaneStyle } from './pane-style.ts';

/** Greys for what is not highlighted, from the fewest I/Os to the most: visible, but behind every colour. */
const GREYS: Readonly<Record<'dark' | 'light', readonly number[]>> = {
  dark: [235, 236, 237, 238, 239, 240, 241, 242],
  light: [254, 253, 252, 251, 250, 249, 248, 247],
};
const BRIGHT_BLACK = 8;

/** In a grey palette, no colour would stand out from the greys: another palette is used. */
export function highlightStyle(style: PaneStyle): PaneStyle {
  return style.palette === 'grey' ? { ...style, palette: 'heat' } : style;
}

/** The pen for pixels without highlighted I/O: the same levels in greys, or dim glyphs. */
export function greyPen(pen: PixelPen, { depth, background = 'unknown' }: PaneStyle): PixelPen {
  if (pen.pixels.kind === 'glyphs') return { ...pen, attr: Attribute.dim };
  if (depth === '16') return { ...pen, colors: pen.colors.map(() => BRIGHT_BLACK) };
  const greys = greysOn(background);
  const colors = pen.colors.map((_, level) => {
    const grey = greys[Math.floor((level * greys.length) / pen.colors.length)]!;
    return depth === 'truecolor' ? TRUE_COLOR | paletteRgb(grey) : grey;
  });
  return { ...pen, colors };
}

function greysOn(background: Background): readonly number[] {
  return GREYS[background === 'light' ? 'light' : 'dark'];
}
