import { PALETTES } from '../../src/model/metric.ts';
import type { PaletteName } from '../../src/model/metric.ts';
import { paletteOf } from '../../src/raster/palette.ts';
import { contrast, difference, VISIONS } from '../tools/color-difference.ts';
import { rgbOfCell } from '../tools/xterm-colors.ts';
import { markdownTable } from './documents.ts';

/** The palettes of ten colours that were used before, on each background. */
const FORMER: Readonly<Partial<Record<PaletteName, readonly number[]>>> = {
  spectrum: [27, 33, 38, 43, 41, 76, 148, 184, 220, 226],
  heat: [92, 128, 162, 197, 203, 209, 214, 220, 227, 230],
  colorblind: [26, 61, 67, 103, 246, 144, 179, 185, 221, 227],
  grey: [239, 240, 241, 242, 243, 244, 245, 246, 248, 249],
};
const BEHIND = { dark: 0x000000, light: 0xffffff };

/** The least difference between neighbours of each palette, and its contrasts. */
export function paletteTable(): string {
  const names = PALETTES.filter((name) => name !== 'mono');
  const rows = names.flatMap((name) =>
    (['dark', 'light'] as const).flatMap((background) => [
      rowOf(name, background, '256', paletteOf(name, '256', background).colors),
      rowOf(name, background, 'all', paletteOf(name, 'truecolor', background).colors),
      ...(FORMER[name] === undefined
        ? []
        : [rowOf(name, background, '256, formerly', FORMER[name])]),
    ]),
  );
  const head = ['Palette', 'Background', 'Terminal colours', 'Steps', ...VISIONS, 'First', 'Last'];
  return markdownTable(head, rows);
}

function rowOf(
  name: PaletteName,
  background: 'dark' | 'light',
  depth: string,
  cells: readonly number[],
): string[] {
  const colors = cells.map(rgbOfCell);
  const least = VISIONS.map((vision) => {
    const steps = colors.slice(1).map((next, i) => difference(colors[i]!, next, vision));
    return Math.min(...steps).toFixed(1);
  });
  const ends = [colors[0]!, colors.at(-1)!];
  const contrasts = ends.map((end) => `${contrast(end, BEHIND[background]).toFixed(1)}:1`);
  return [`\`${name}\``, background, depth, String(colors.length), ...least, ...contrasts];
}
