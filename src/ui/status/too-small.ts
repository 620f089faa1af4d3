import { fitSegments } from '../text/fit-segments.ts';
import { MIN_HEIGHT, MIN_WIDTH } from '../layout-screen.ts';
import type { Line } from '../text/span.ts';

const SIZE = `${MIN_WIDTH}×${MIN_HEIGHT}`;
const FORMS = [
  `terminal too small: ${SIZE} needed`,
  `too small: ${SIZE} needed`,
  `need ${SIZE}`,
  SIZE,
  '!',
];

/** Shown instead of everything else where figures could not be shown in full. */
export function tooSmallLines(width: number): Line[] {
  return [fitSegments([{ forms: FORMS, priority: 1, role: 'warning' }], width)];
}
