import { Attribute, DEFAULT_COLOR } from '../base/cell-block.ts';

/** What a piece of text means; how that looks is the theme's business. */
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

/** As in a cell: a foreground colour and bits of `Attribute`. */
export interface Look {
  readonly fg: number;
  readonly attr: number;
}

export interface Theme {
  readonly level: ColorLevel;
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

/** Places among the 16 colours. Yellow and white vanish on a light background: no role uses them. */
const [RED, GREEN, CYAN] = [1, 2, 6];

const SIXTEEN: Sheet = {
  ...WITHOUT_COLOR,
  accent: look(0, CYAN),
  good: look(0, GREEN),
  warning: look(bold, RED),
  selected: look(inverse, CYAN),
  alarm: look(bold | inverse, RED),
};

/** Palette indices whose contrast is above 3.5 : 1 on black and on white alike. */
export const PALETTE_256 = { accent: 32, dim: 244, good: 28, warning: 166, alarm: 160 } as const;

const PALETTE: Sheet = {
  ...WITHOUT_COLOR,
  accent: look(0, PALETTE_256.accent),
  dim: look(0, PALETTE_256.dim),
  good: look(bold, PALETTE_256.good),
  warning: look(bold, PALETTE_256.warning),
  selected: look(inverse, PALETTE_256.accent),
  badge: look(inverse, PALETTE_256.accent),
  alarm: look(bold | inverse, PALETTE_256.alarm),
};

export function createTheme(level: ColorLevel): Theme {
  const sheet = sheetOf(level);
  return { level, look: (role) => sheet[role] };
}

function sheetOf(level: ColorLevel): Sheet {
  if (level === 0) return WITHOUT_COLOR;
  return level === 1 ? SIXTEEN : PALETTE;
}

export const THEME_LEVEL: Readonly<Record<'none' | '16' | '256' | 'truecolor', ColorLevel>> = {
  none: 0,
  '16': 1,
  '256': 2,
  truecolor: 3,
};
