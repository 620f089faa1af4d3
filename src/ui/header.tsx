import { Box } from 'ink';
import type { ReactElement } from 'react';
import { ChromeLines } from './chrome-line.tsx';
import { headerLines } from './header-lines.ts';
import type { HeaderContent } from './header-lines.ts';
import type { Theme } from './theme.ts';

export interface HeaderProps extends HeaderContent {
  readonly width: number;
  /** One line or two. */
  readonly height: number;
  readonly theme: Theme;
}

/** What is shown, how much I/O there is, how slow it is, and whether the picture moves. */
export function Header({ width, height, theme, ...content }: HeaderProps): ReactElement {
  return (
    <Box flexDirection="column" width={width}>
      <ChromeLines lines={headerLines(content, width, height)} theme={theme} />
    </Box>
  );
}
