import type { Heatmap } from '../heatmap/time/heatmap.ts';
import { drawPixels } from './draw-pixels.ts';
import type { PixelPen } from './draw-pixels.ts';
import { newestPen } from './faded-pen.ts';
import { greyPen } from './highlight-pens.ts';
import type { PaneCanvas } from './pane-canvas.ts';

/** Pixels with highlighted I/O in the colour of its count, all others in grey. */
export function drawHighlight(canvas: PaneCanvas, highlight: Heatmap): void {
  const { block, layout, picture, options, pen } = canvas;
  const { map } = picture;
  const behind = greyPen(pen, options.style);
  if (pen.pixels.kind === 'half') {
    const both = joinedPen(pen, behind);
    const levels = joinedLevels(map, highlight, pen);
    drawPixels(block, layout.map, map, both, newestPen(both, options), levels);
    return;
  }
  drawPixels(block, layout.map, map, behind, newestPen(behind, options));
  const { pixels } = highlight;
  drawPixels(block, layout.map, highlight, pen, newestPen(pen, options), pixels);
}

/**
 * A pen for cells with two pixels, each of which may be coloured or grey: its levels are the colours, then the greys.
 */
function joinedPen(pen: PixelPen, behind: PixelPen): PixelPen {
  const colors = [...pen.colors, ...behind.colors];
  const scale = { ...pen.scale, levels: colors.length, levelOf: (level: number) => level };
  return { ...pen, colors, scale };
}

function joinedLevels(map: Heatmap, highlight: Heatmap, { scale, colors }: PixelPen): Uint32Array {
  const joined = new Uint32Array(map.counts.length);
  for (let column = 0; column < map.columns; column++) {
    const from = map.indexOf(column);
    const chosen = highlight.indexOf(column);
    for (let bin = 0; bin < map.bins; bin++) {
      const own = highlight.pixels[chosen + bin]!;
      const all = map.pixels[from + bin]!;
      if (own > 0) joined[from + bin] = scale.levelOf(own);
      else if (all > 0) joined[from + bin] = colors.length + scale.levelOf(all);
    }
  }
  return joined;
}
