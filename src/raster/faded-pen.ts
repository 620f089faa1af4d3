import type { Background } from '../base/background.ts';
import { Attribute, TRUE_COLOR } from '../base/cell-block.ts';
import { paletteRgb } from '../base/xterm-colors.ts';
import type { PixelPen } from './draw-pixels.ts';
import type { PaneOptions } from './pane-canvas.ts';

/** Share of its own colour in a faded pixel; the rest is the background's. */
const OWN_SHARE = 0.5;
/** Users choose what these 16 colours look like, so they cannot be mixed. */
const CHOSEN_COLORS = 16;

/** The pen for the newest column. While that is being filled, its colours do not match the legend yet. */
export function newestPen(pen: PixelPen, { frozenAtNs, style }: PaneOptions): PixelPen {
  return frozenAtNs === undefined ? fadedPen(pen, style.background ?? 'unknown') : pen;
}

function fadedPen(pen: PixelPen, background: Background): PixelPen {
  const hasOwnColors = pen.pixels.kind === 'glyphs' || pen.colors[0]! < CHOSEN_COLORS;
  if (hasOwnColors) return { ...pen, attr: Attribute.dim };
  const behind = background === 'light' ? 0xff : 0;
  return { ...pen, colors: pen.colors.map((color) => mixed(color, behind)) };
}

/** The mixed colour; with 256 colours, the nearest one of the palette. */
function mixed(color: number, behind: number): number {
  const rgb = color < TRUE_COLOR ? paletteRgb(color) : color;
  const channels = [16, 8, 0].map((shift) => {
    const own = (rgb >> shift) & 0xff;
    return Math.round(own * OWN_SHARE + behind * (1 - OWN_SHARE)) << shift;
  });
  return channels.reduce((all, channel) => all | channel, TRUE_COLOR);
}
