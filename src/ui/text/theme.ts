import type { Background } from '../../base/background.ts';
import { Attribute, DEFAULT_COLOR } from '../../base/cell-block.ts';
import { QUIET_COLORS } from '../../raster/put-text.ts';

/** The meaning of a piece of text; the theme decides how it looks. */
export const ROLES = [
  'plain',
  'strong',
  'accent',
  'dim',
  'good',
  'warning',
  'bar',
  'selected',
  'badge',
  'alarm',
] as const;
export type Role = (typeof ROLES)[number];

/** 0: attributes only, no colour; 1: the terminal's own 16; 2 and 3: the 256-colour palette. */
export type ColorLevel = 0 | 1 | 2 | 3;

/** A foreground colour as in a cell, and bits of `Attribute`. */
export interface Look {
  readonly fg: number;
  readonly attr: number;
}

export interface Theme {
  readonly level: ColorLevel;
  /** May become known while the program runs. */
  background: Background;
  look(role: Role): Look;
}

type Sheet = Readonly<Record<Role, Look>>;

const { bold, dim, inverse } = Attribute;

function look(attr: number, fg = DEFAULT_COLOR): Look {
  return { fg, attr };
}

/** Bold, dim and inverse carry the meaning where there is no colour. */
const WITHOUT_COLOR: Sheet = {
  plain: look(0),
  strong: look(bold),
  accent: look(bold),
  dim: look(dim),
  good: look(0),
  warning: look(bold),
  bar: look(inverse),
  selected: look(bold | inverse),
  badge: look(inverse),
  alarm: look(bold | inverse),
};

/** Numbers of colours among the 16. Yellow and white vanish on a light background, so no role uses them. */
const [RED, GREEN, CYAN] = [1, 2, 6];

const SIXTEEN: Sheet = {
  ...WITHOUT_COLOR,
  accent: look(0, CYAN),
  good: look(0, GREEN),
  warning: look(bold, RED),
  selected: look(inverse, CYAN),
  alarm: look(bold | inverse, RED),
};

export type ColorName = 'accent' | 'dim' | 'good' | 'warning' | 'alarm';

/**
 * Palette indices with a contrast of 4.5:1 or more, the AA level of WCAG 2, on black and Solarized dark
 * or on white and Solarized light. Where the background is unknown, 3.5:1 on black and on white.
 */
export const PALETTE_256: Readonly<Record<Background, Readonly<Record<ColorName, number>>>> = {
  dark: { accent: 39, dim: QUIET_COLORS.dark, good: 70, warning: 208, alarm: 203 },
  light: { accent: 26, dim: QUIET_COLORS.light, good: 22, warning: 94, alarm: 160 },
  unknown: { accent: 32, dim: QUIET_COLORS.unknown, good: 28, warning: 166, alarm: 160 },
};

function sheetOf256({
  accent,
  dim: quiet,
  good,
  warning,
  alarm,
}: (typeof PALETTE_256)['dark']): Sheet {
  return {
    ...WITHOUT_COLOR,
    accent: look(0, accent),
    dim: look(0, quiet),
    good: look(bold, good),
    warning: look(bold, warning),
    selected: look(inverse, accent),
    badge: look(inverse, accent),
    alarm: look(bold | inverse, alarm),
  };
}

const SHEETS_256: Readonly<Record<Background, Sheet>> = {
  dark: sheetOf256(PALETTE_256.dark),
  light: sheetOf256(PALETTE_256.light),
  unknown: sheetOf256(PALETTE_256.unknown),
};

export function createTheme(level: ColorLevel, background: Background = 'unknown'): Theme {
  return {
    level,
    background,
    look(role) {
      return sheetOf(this)[role];
    },
  };
}

function sheetOf({ level, background }: Theme): Sheet {
  if (level === 0) return WITHOUT_COLOR;
  return level === 1 ? SIXTEEN : SHEETS_256[background];
}

export const THEME_LEVEL: Readonly<Record<'none' | '16' | '256' | 'truecolor', ColorLevel>> = {
  none: 0,
  '16': 1,
  '256': 2,
  truecolor: 3,
};
