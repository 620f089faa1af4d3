import { Box } from 'ink';
import type { ReactElement } from 'react';
import { DialogLines } from './dialog-lines.tsx';
import { drillDownLines } from '../drill-down-lines.ts';
import type { DrillDownContent } from '../drill-down-lines.ts';
import type { Theme } from '../theme.ts';

export interface DrillDownProps extends DrillDownContent {
  readonly width: number;
  readonly height: number;
  readonly theme: Theme;
}

/** What a box of the picture holds: who, where, what, and the slowest of it one by one. */
export function DrillDown({ width, height, theme, ...content }: DrillDownProps): ReactElement {
  return (
    <Box flexDirection="column" width={width}>
      <DialogLines lines={drillDownLines(content, width, height)} theme={theme} />
    </Box>
  );
}
