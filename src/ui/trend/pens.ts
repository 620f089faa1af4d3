import { Attribute } from '../../base/cell-block.ts';
import type { Ink } from '../../raster/put-text.ts';
import { PALETTE_256 } from '../theme.ts';
import type { ColorLevel } from '../theme.ts';

/**
 * What a cell of a chart means. Widgets draw in palette colours, so each meaning has a number that
 * stands for it there; it becomes a look when the cells are copied.
 */
export const PENS = [
  'text',
  'axis',
  'read',
  'write',
  'other',
  'p50',
  'p99',
  'max',
  'calm',
  'busy',
  'full',
] as const;
export type Pen = (typeof PENS)[number];

/** The number that stands for a pen in the options of widgets. */
export function penNumber(pen: Pen): number {
  return PENS.indexOf(pen) + 1;
}

export function penOf(number: number): Pen {
  return PENS[number - 1] ?? 'text';
}

/** Stands for a line where neither dots nor colours are there to tell it from others. */
export const LETTERS: Readonly<Record<Pen, string>> = {
  text: ' ',
  axis: ' ',
  read: 'r',
  write: 'w',
  other: 'o',
  p50: '5',
  p99: '9',
  max: 'm',
  calm: '#',
  busy: '#',
  full: '#',
};

/** Fills a bar where there is no colour. */
export const FILLS: Readonly<Partial<Record<Pen, string>>> = { read: '█', write: '▒', other: '░' };

type Inks = Readonly<Record<Pen, Ink>>;

const { bold, dim } = Attribute;

const WITHOUT_COLOR: Inks = {
  text: {},
  axis: { attr: dim },
  read: { attr: bold },
  write: {},
  other: { attr: dim },
  p50: {},
  p99: {},
  max: { attr: bold },
  calm: {},
  busy: {},
  full: { attr: bold },
};

const SIXTEEN: Inks = {
  ...WITHOUT_COLOR,
  read: { fg: 6 },
  write: { fg: 5 },
  p50: { fg: 2 },
  p99: { fg: 5 },
  max: { fg: 1 },
  calm: { fg: 2 },
  busy: { fg: 5 },
  full: { fg: 1 },
};

const PALETTE: Inks = {
  text: {},
  axis: { fg: PALETTE_256.dim },
  read: { fg: PALETTE_256.accent },
  write: { fg: PALETTE_256.warning },
  other: { fg: PALETTE_256.dim },
  p50: { fg: PALETTE_256.good },
  p99: { fg: PALETTE_256.warning },
  max: { fg: PALETTE_256.alarm },
  calm: { fg: PALETTE_256.good },
  busy: { fg: PALETTE_256.warning },
  full: { fg: PALETTE_256.alarm },
};

export function inksOf(level: ColorLevel): Inks {
  if (level === 0) return WITHOUT_COLOR;
  return level === 1 ? SIXTEEN : PALETTE;
}
