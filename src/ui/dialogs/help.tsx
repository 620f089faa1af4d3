import { Box } from 'ink';
import type { ReactElement } from 'react';
import { DialogLines } from './dialog-lines.tsx';
import { helpLines } from '../help-lines.ts';
import type { HelpContent } from '../help-lines.ts';
import type { Theme } from '../theme.ts';

export interface HelpProps extends HelpContent {
  readonly width: number;
  readonly height: number;
  readonly theme: Theme;
}

/** Every key and every word, over the picture and the tables. */
export function Help({ width, height, theme, ...content }: HelpProps): ReactElement {
  return (
    <Box flexDirection="column" width={width}>
      <DialogLines lines={helpLines(content, width, height)} theme={theme} />
    </Box>
  );
}
