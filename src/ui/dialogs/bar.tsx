import { Box } from 'ink';
import type { ReactElement, ReactNode } from 'react';
import type { Role } from '../text/theme.ts';
import { BarContext, Styled } from './styled.tsx';

export interface BarProps {
  /** The role of the whole line; undefined for a line without a look of its own. */
  readonly role: Role | undefined;
  readonly width: number;
  readonly children: ReactNode;
}

/** A line in one look from edge to edge, including gaps: Ink has inverse text, but no inverse boxes. */
export function Bar({ role, width, children }: BarProps): ReactElement {
  return (
    <Box width={width} height={1} flexShrink={0}>
      {role !== undefined && (
        <Box position="absolute">
          <Styled role={role}>{' '.repeat(width)}</Styled>
        </Box>
      )}
      <BarContext value={role}>{children}</BarContext>
    </Box>
  );
}
