import { Box } from 'ink';
import type { ReactElement } from 'react';
import type { ActivityReport, DiskActivity, ProcessActivity } from '../model/activity.ts';
import type { Grouping } from '../model/metric.ts';
import type { ViewState } from '../view/view-state.ts';
import { ChromeLines } from './chrome-line.tsx';
import { DISK_COLUMNS } from './disk-columns.ts';
import { fullWidth } from './fit-columns.ts';
import { spanText } from './figures.ts';
import { processColumns } from './process-columns.ts';
import { sortDisks, sortProcesses } from './sort-rows.ts';
import { span } from './span.ts';
import { tableLines } from './table-lines.ts';
import type { Theme } from './theme.ts';

interface TableProps {
  readonly width: number;
  readonly height: number;
  readonly theme: Theme;
  readonly isFocused: boolean;
  /** The row under the cursor, in the order shown. */
  readonly selected?: number | undefined;
  /** Time that the figures are about, in ns. */
  readonly spanNs: number;
  readonly hints: readonly string[];
}

export interface ProcessTableProps extends TableProps {
  readonly rows: readonly ProcessActivity[];
  readonly sort: ViewState['processSort'];
  /** What makes a row; one process on one disk unless told. */
  readonly grouping?: Grouping;
}

export function ProcessTable(props: ProcessTableProps): ReactElement {
  const content = {
    ...props,
    columns: processColumns(props.grouping ?? 'process-disk'),
    rows: sortProcesses(props.rows, props.sort),
    isAscending: props.sort === 'pid',
    emptyText: emptyText(props.spanNs),
    hasErrors: ({ errors }: ProcessActivity) => errors > 0,
    isFaint: ({ tgid, cgroup }: ProcessActivity) => (tgid ?? cgroup) === undefined,
  };
  return <TableLines {...props} lines={tableLines(content, props.width, props.height)} />;
}

export interface DiskTableProps extends TableProps {
  readonly rows: readonly DiskActivity[];
  readonly sort: ViewState['diskSort'];
}

export function DiskTable(props: DiskTableProps): ReactElement {
  const content = {
    ...props,
    columns: DISK_COLUMNS,
    rows: sortDisks(props.rows, props.sort),
    isAscending: props.sort === 'name',
    emptyText: emptyText(props.spanNs),
    hasErrors: ({ errors }: DiskActivity) => errors > 0,
    isFaint: () => false,
  };
  return <TableLines {...props} lines={tableLines(content, props.width, props.height)} />;
}

function TableLines(
  props: Pick<TableProps, 'width' | 'theme'> & { readonly lines: ReturnType<typeof tableLines> },
): ReactElement {
  return (
    <Box flexDirection="column" width={props.width} flexShrink={0}>
      <ChromeLines lines={props.lines} theme={props.theme} />
    </Box>
  );
}

function emptyText(spanNs: number): string {
  return `no I/O in the last ${spanText(spanNs)}`;
}

/** From here on both tables stand side by side; below, the one with the focus stands alone. */
export const TWO_TABLES_WIDTH = 110;

const SEPARATOR = ' │ ';
/** The process table has more to say. */
const PROCESS_SHARE = 0.56;

export type TablesView = Pick<
  ViewState,
  'focus' | 'processSort' | 'diskSort' | 'processRow' | 'diskRow' | 'grouping'
>;

export interface TablesProps {
  readonly report: ActivityReport;
  readonly view: TablesView;
  readonly width: number;
  readonly height: number;
  readonly theme: Theme;
}

export function Tables(props: TablesProps): ReactElement {
  if (props.width < TWO_TABLES_WIDTH) {
    const other = props.view.focus === 'processes' ? 'Tab: disks' : 'Tab: processes';
    const hints = [other];
    return props.view.focus === 'processes'
      ? processTable(props, props.width, hints)
      : diskTable(props, props.width, hints);
  }
  const left = leftWidth(props);
  return (
    <Box width={props.width}>
      {processTable(props, left, [])}
      <Separator height={props.height} theme={props.theme} />
      {diskTable(props, props.width - left - SEPARATOR.length, [])}
    </Box>
  );
}

/** The process table at its best, if that leaves the disk table at its best too. */
function leftWidth({ width, view }: TablesProps): number {
  const both = width - SEPARATOR.length;
  for (const gap of [2, 1]) {
    const full = fullWidth(processColumns(view.grouping), gap);
    if (full + fullWidth(DISK_COLUMNS, gap) <= both) return full;
  }
  return Math.round(both * PROCESS_SHARE);
}

function processTable(props: TablesProps, width: number, hints: readonly string[]): ReactElement {
  const { report, view, height, theme } = props;
  return (
    <ProcessTable
      rows={report.processes}
      sort={view.processSort}
      grouping={view.grouping}
      selected={view.processRow}
      isFocused={view.focus === 'processes'}
      spanNs={report.spanNs}
      {...{ width, height, theme, hints }}
    />
  );
}

function diskTable(props: TablesProps, width: number, hints: readonly string[]): ReactElement {
  const { report, view, height, theme } = props;
  return (
    <DiskTable
      rows={report.disks}
      sort={view.diskSort}
      selected={view.diskRow}
      isFocused={view.focus === 'disks'}
      spanNs={report.spanNs}
      {...{ width, height, theme, hints }}
    />
  );
}

function Separator({
  height,
  theme,
}: {
  readonly height: number;
  readonly theme: Theme;
}): ReactElement {
  const lines = Array.from({ length: height }, () => [span(SEPARATOR, 'dim')]);
  return (
    <Box flexDirection="column" width={SEPARATOR.length} flexShrink={0}>
      <ChromeLines lines={lines} theme={theme} />
    </Box>
  );
}
