import { Attribute } from '../../../base/cell-block.ts';
import type { Ink } from '../../../raster/put-text.ts';
import { PALETTE_256 } from '../../text/theme.ts';
import type { Theme } from '../../text/theme.ts';

/**
 * The meaning of a cell of a chart. Widgets draw in palette colours, so each meaning has a number there;
 * it becomes a look when the cells are copied.
 */
const PENS = [
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

/** The colour number of a pen in the options of widgets. */
export function penNumber(pen: Pen): number {
  return PENS.indexOf(pen) + 1;
}

export function penOf(number: number): Pen {
  return PENS[number - 1] ?? 'text';
}

/** Identifies a line where there are neither dots nor colours. */
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

function inksOf256({
  accent,
  dim: quiet,
  good,
  warning,
  alarm,
}: (typeof PALETTE_256)['dark']): Inks {
  return {
    text: {},
    axis: { fg: quiet },
    read: { fg: accent },
    write: { fg: warning },
    other: { fg: quiet },
    p50: { fg: good },
    p99: { fg: warning },
    max: { fg: alarm },
    calm: { fg: good },
    busy: { fg: warning },
    full: { fg: alarm },
  };
}

export function inksOf({ level, background }: Pick<Theme, 'level' | 'background'>): Inks {
  if (level === 0) return WITHOUT_COLOR;
  return level === 1 ? SIXTEEN : inksOf256(PALETTE_256[background]);
}
