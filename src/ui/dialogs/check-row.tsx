import { Box } from 'ink';
import type { ReactElement, ReactNode } from 'react';
import { Bar } from './bar.tsx';
import { Styled } from './styled.tsx';

export interface CheckRowProps {
  readonly isSelected: boolean;
  readonly isChecked: boolean;
  readonly width: number;
  readonly children: ReactNode;
}

/** A list entry with a box to mark, `[x]`. The selected entry is highlighted. */
export function CheckRow({ isSelected, isChecked, width, children }: CheckRowProps): ReactElement {
  return (
    <Bar role={isSelected ? 'selected' : undefined} width={width}>
      <Box flexShrink={0}>
        <Styled>{isSelected ? '▸' : ' '}</Styled>
        <Styled role={isChecked ? 'strong' : 'plain'}>{isChecked ? '[x] ' : '[ ] '}</Styled>
      </Box>
      {children}
    </Bar>
  );
}
