import { Box } from 'ink';
import type { ReactElement } from 'react';
import { DialogLines } from './dialog-lines.tsx';
import { promptLines } from '../prompt-lines.ts';
import type { PromptContent } from '../prompt-lines.ts';
import type { Theme } from '../theme.ts';

export interface PromptLineProps extends PromptContent {
  readonly width: number;
  readonly theme: Theme;
}

/** The line that is being typed, and what helps with it above. */
export function PromptLine({ width, theme, ...content }: PromptLineProps): ReactElement {
  return (
    <Box flexDirection="column" width={width}>
      <DialogLines lines={promptLines(content, width)} theme={theme} />
    </Box>
  );
}
