import { fitSegments } from './fit-segments.ts';
import { MIN_HEIGHT, MIN_WIDTH } from './layout-screen.ts';
import type { Line } from './span.ts';

const SIZE = `${MIN_WIDTH}×${MIN_HEIGHT}`;
const FORMS = [
  `terminal too small: ${SIZE} needed`,
  `too small: ${SIZE} needed`,
  `need ${SIZE}`,
  SIZE,
  '!',
];

/** All that fits a terminal in which no figure could be trusted to be whole. */
export function tooSmallLines(width: number): Line[] {
  return [fitSegments([{ forms: FORMS, priority: 1, role: 'warning' }], width)];
}
