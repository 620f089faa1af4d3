import { Box } from 'ink';
import type { ReactElement } from 'react';
import type { PickState } from '../../view/state.ts';
import { DialogLines } from './dialog-lines.tsx';
import { pickLines } from '../pick-lines.ts';
import type { PickEntry } from '../pick-lines.ts';
import type { Theme } from '../theme.ts';

export interface PickListProps {
  readonly pick: PickState;
  /** All there are; the query narrows them here. */
  readonly entries: readonly PickEntry[];
  readonly width: number;
  readonly height: number;
  readonly theme: Theme;
}

/** The processes or disks to choose from, over the picture. */
export function PickList({ pick, entries, width, height, theme }: PickListProps): ReactElement {
  return (
    <Box flexDirection="column" width={width}>
      <DialogLines lines={pickLines(pick, entries, width, height)} theme={theme} />
    </Box>
  );
}
