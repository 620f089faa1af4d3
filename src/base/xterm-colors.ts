/** xterm's colours; the configured ones for the first 16 cannot be queried. */
export const FIRST_16 = [
  0x000000, 0xcd0000, 0x00cd00, 0xcdcd00, 0x0000ee, 0xcd00cd, 0x00cdcd, 0xe5e5e5, 0x7f7f7f,
  0xff0000, 0x00ff00, 0xffff00, 0x5c5cff, 0xff00ff, 0x00ffff, 0xffffff,
] as const;

const CUBE_LEVELS = [0, 95, 135, 175, 215, 255] as const;

/** 0xrrggbb of an index of the 256-colour palette. */
export function paletteRgb(index: number): number {
  const first = FIRST_16[index];
  if (first !== undefined) return first;
  if (index >= 232) return (8 + (index - 232) * 10) * 0x010101;
  const cube = index - 16;
  const red = CUBE_LEVELS[Math.floor(cube / 36)]!;
  const green = CUBE_LEVELS[Math.floor(cube / 6) % 6]!;
  return (red << 16) | (green << 8) | CUBE_LEVELS[cube % 6]!;
}
