import { Box } from 'ink';
import type { ReactElement } from 'react';
import { ChromeLines } from './chrome-line.tsx';
import { fitSegments } from './fit-segments.ts';
import { MIN_HEIGHT, MIN_WIDTH } from './layout-screen.ts';
import type { Line } from './span.ts';
import type { Theme } from './theme.ts';

const SIZE = `${MIN_WIDTH}×${MIN_HEIGHT}`;
const FORMS = [
  `terminal too small: ${SIZE} needed`,
  `too small: ${SIZE} needed`,
  `need ${SIZE}`,
  SIZE,
  '!',
];

export interface TooSmallProps {
  readonly width: number;
  readonly height: number;
  readonly theme: Theme;
}

/** All that fits a terminal in which no figure could be trusted to be whole. */
export function TooSmall({ width, height, theme }: TooSmallProps): ReactElement {
  return (
    <Box flexDirection="column" width={width}>
      <ChromeLines lines={tooSmallLines(width, height)} theme={theme} />
    </Box>
  );
}

export function tooSmallLines(width: number, height: number): Line[] {
  const message = fitSegments([{ forms: FORMS, priority: 1, role: 'warning' }], width);
  return [message, ...Array.from({ length: Math.max(0, height - 1) }, () => [])].slice(0, height);
}
