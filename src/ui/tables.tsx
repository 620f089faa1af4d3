import { Box } from 'ink';
import type { ReactElement } from 'react';
import type { ActivityReport } from '../model/activity.ts';
import { ChromeLines } from './chrome-line.tsx';
import { span } from './span.ts';
import type { Line } from './span.ts';
import { placeTables, SEPARATOR } from './table-places.ts';
import type { TablesView } from './table-places.ts';
import type { Theme } from './theme.ts';

export interface TablesProps {
  readonly report: ActivityReport;
  readonly view: TablesView;
  readonly width: number;
  readonly height: number;
  readonly theme: Theme;
}

/** Processes and disks side by side, or the one with the focus where there is no room for both. */
export function Tables({ report, view, width, height, theme }: TablesProps): ReactElement {
  const separator: Line[] = Array.from({ length: height }, () => [span(SEPARATOR, 'dim')]);
  return (
    <Box width={width}>
      {placeTables(report, view, width).flatMap((table) => [
        ...(table.x === 0
          ? []
          : [<Strip key="between" lines={separator} width={SEPARATOR.length} theme={theme} />]),
        <Strip key={table.pane} lines={table.lines(height)} width={table.width} theme={theme} />,
      ])}
    </Box>
  );
}

interface StripProps {
  readonly lines: readonly Line[];
  readonly width: number;
  readonly theme: Theme;
}

function Strip({ lines, width, theme }: StripProps): ReactElement {
  return (
    <Box flexDirection="column" width={width} flexShrink={0}>
      <ChromeLines lines={lines} theme={theme} />
    </Box>
  );
}
