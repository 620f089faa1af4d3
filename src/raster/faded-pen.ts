import type { Background } from '../base/background.ts';
import { Attribute, TRUE_COLOR } from '../base/cell-block.ts';
import { paletteRgb } from '../base/xterm-colors.ts';
import type { PixelPen } from './draw-pixels.ts';
import type { PaneOptions } from './pane-canvas.ts';

/** How much of its own colour a faded pixel keeps; the rest is the background's. */
const OWN_SHARE = 0.5;
/** What a person chose for these colours cannot be mixed with anything. */
const CHOSEN_COLORS = 16;

/** For the newest column. While it is still filling, its colours are not yet those of the legend. */
export function newestPen(pen: PixelPen, { frozenAtNs, style }: PaneOptions): PixelPen {
  return frozenAtNs === undefined ? fadedPen(pen, style.background ?? 'unknown') : pen;
}

function fadedPen(pen: PixelPen, background: Background): PixelPen {
  const hasOwnColors = pen.pixels.kind === 'glyphs' || pen.colors[0]! < CHOSEN_COLORS;
  if (hasOwnColors) return { ...pen, attr: Attribute.dim };
  const behind = background === 'light' ? 0xff : 0;
  return { ...pen, colors: pen.colors.map((color) => mixed(color, behind)) };
}

/** The terminal's palette has the nearest one where it shows 256 colours. */
function mixed(color: number, behind: number): number {
  const rgb = color < TRUE_COLOR ? paletteRgb(color) : color;
  const channels = [16, 8, 0].map((shift) => {
    const own = (rgb >> shift) & 0xff;
    return Math.round(own * OWN_SHARE + behind * (1 - OWN_SHARE)) << shift;
  });
  return channels.reduce((all, channel) => all | channel, TRUE_COLOR);
}
