import { Box } from 'ink';
import type { ReactElement } from 'react';
import type { WaitPart, WaitParts } from '../../query/box/wait-parts.ts';
import { IoTable } from './io-table.tsx';
import { Segments } from './segments.tsx';
import { waitPartColumns, waitPartsForms } from './wait-parts-columns.ts';
import type { PartSort } from './wait-parts-columns.ts';

interface WaitPartsListProps {
  readonly parts: WaitParts;
  /** Words before the name of the call, which say which one it is. */
  readonly which: string;
  readonly top: number;
  readonly width: number;
  readonly height: number;
}

/** Shows what a wait or call waited for: how its time adds up, and the I/O of the disks. */
export function WaitPartsList(props: WaitPartsListProps): ReactElement {
  const { parts, which, top, width, height } = props;
  return (
    <Box flexDirection="column" width={width} height={height} flexShrink={0} overflow="hidden">
      <Segments
        segments={[{ forms: waitPartsForms(parts, which), priority: 1, role: 'accent' }]}
        width={width}
      />
      {height > 1 && (
        <IoTable<WaitPart, PartSort>
          title={undefined}
          columns={waitPartColumns(parts.parts)}
          rows={parts.parts}
          sort="after"
          emptyText="no I/O of a disk"
          hasErrors={({ io }) => io.error !== undefined}
          {...{ top, width }}
          height={height - 1}
        />
      )}
    </Box>
  );
}
