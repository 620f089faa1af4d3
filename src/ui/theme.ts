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

export interface Theme {
  readonly level: ColorLevel;
  /** Text with the escape sequences of a role; plain text comes back as it is. */
  paint(role: Role, text: string): string;
}

/** SGR parameters by role. Bold, dim and inverse carry the meaning where there is no colour. */
type Sheet = Readonly<Record<Role, string>>;

const WITHOUT_COLOR: Sheet = {
  plain: '',
  strong: '1',
  accent: '1',
  dim: '2',
  good: '',
  warning: '1',
  bar: '7',
  selected: '1;7',
  badge: '7',
  alarm: '1;7',
};

/** Yellow and white vanish on a light background, so no role uses them. */
const SIXTEEN: Sheet = {
  ...WITHOUT_COLOR,
  accent: '36',
  good: '32',
  warning: '1;31',
  selected: '7;36',
  alarm: '1;7;31',
};

/** Palette indices whose contrast is above 3.5 : 1 on black and on white alike. */
export const PALETTE_256 = { accent: 32, dim: 244, good: 28, warning: 166, alarm: 160 } as const;

const PALETTE: Sheet = {
  ...WITHOUT_COLOR,
  accent: `38;5;${PALETTE_256.accent}`,
  dim: `38;5;${PALETTE_256.dim}`,
  good: `1;38;5;${PALETTE_256.good}`,
  warning: `1;38;5;${PALETTE_256.warning}`,
  selected: `7;38;5;${PALETTE_256.accent}`,
  badge: `7;38;5;${PALETTE_256.accent}`,
  alarm: `1;7;38;5;${PALETTE_256.alarm}`,
};

export function createTheme(level: ColorLevel): Theme {
  const sheet = sheetOf(level);
  return {
    level,
    paint: (role, text) => (sheet[role] === '' ? text : `\x1b[${sheet[role]}m${text}\x1b[0m`),
  };
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
