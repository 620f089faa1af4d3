import { Attribute, DEFAULT_COLOR, TRUE_COLOR } from '../../src/base/cell-block.ts';
import type { CellBlock } from '../../src/base/cell-block.ts';

/** The colours of a terminal where a program sets none, 0xrrggbb. */
export interface Ground {
  readonly background: number;
  readonly foreground: number;
}

export const DARK: Ground = { background: 0x11151a, foreground: 0xd3d7cf };
export const LIGHT: Ground = { background: 0xffffff, foreground: 0x1c1c1c };

/** The first 16 colours as many terminals show them; softer than xterm's own. */
const FIRST_16 = [
  0x000000, 0xcc0000, 0x4e9a06, 0xc4a000, 0x3465a4, 0x75507b, 0x06989a, 0xd3d7cf, 0x555753,
  0xef2929, 0x8ae234, 0xfce94f, 0x729fcf, 0xad7fa8, 0x34e2e2, 0xeeeeec,
] as const;

export interface CellColors {
  readonly fg: number;
  readonly bg: number;
}

/** The colours of one cell as a person sees them, 0xrrggbb. */
export function cellColors(block: CellBlock, index: number, ground: Ground): CellColors {
  const attr = block.attr[index]!;
  const ownFg = rgbOf(block.fg[index]!, ground.foreground);
  const ownBg = rgbOf(block.bg[index]!, ground.background);
  const [fg, bg] = (attr & Attribute.inverse) === 0 ? [ownFg, ownBg] : [ownBg, ownFg];
  return { fg: (attr & Attribute.dim) === 0 ? fg : blend(fg, bg, 0.6), bg };
}

/** `share` of `a`, the rest of `b`. */
export function blend(a: number, b: number, share: number): number {
  const mix = (shift: number): number => {
    const level = ((a >> shift) & 0xff) * share + ((b >> shift) & 0xff) * (1 - share);
    return Math.round(level) << shift;
  };
  return mix(16) | mix(8) | mix(0);
}

export function hex(rgb: number): string {
  return `#${rgb.toString(16).padStart(6, '0')}`;
}

function rgbOf(color: number, fallback: number): number {
  if (color === DEFAULT_COLOR) return fallback;
  if (color >= TRUE_COLOR) return color & 0xffffff;
  const first = FIRST_16[color];
  if (first !== undefined) return first;
  if (color >= 232) return (8 + (color - 232) * 10) * 0x010101;
  const cube = color - 16;
  const level = (step: number): number => (step === 0 ? 0 : 55 + 40 * step);
  const red = level(Math.floor(cube / 36));
  return (red << 16) | (level(Math.floor(cube / 6) % 6) << 8) | level(cube % 6);
}
