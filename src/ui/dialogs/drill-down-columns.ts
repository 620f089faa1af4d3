import { formatCount, formatDuration, UNKNOWN } from '../../base/format.ts';
import { sanitizeText } from '../../base/sanitize.ts';
import type { ClockBase } from '../../base/time.ts';
import { isUnknownDevice } from '../../model/device.ts';
import { isOfPrograms } from '../../model/layer.ts';
import type { Layer } from '../../model/layer.ts';
import type { BoxGroup } from '../../query/box/drill-down.ts';
import type { SingleIo } from '../../query/slowest/single-io.ts';
import { megabytes, percentFigure } from '../text/figures.ts';
import type { Column } from '../text/fit-columns.ts';
import { commText } from '../tables/process-columns.ts';
import { fileCell } from '../tables/file-cell.ts';
import { truncate, truncatePath } from '../text/span.ts';
import { sizeCell } from './size-cell.ts';
import { timeColumn } from './time-column.ts';

/** The lists have only the orders of the report. */
export type GroupSort = 'wait';
export type SingleSort = 'total';

type GroupColumn = Column<BoxGroup, GroupSort>;
type SingleColumn = Column<SingleIo, SingleSort>;

const OP_WIDTH = 7;
/** Only whole numbers of up to five digits fit into their column; larger ones are shortened. */
const SHORTENED_FROM = 99_999.5;
const DISK = {
  title: 'DISK',
  width: 7,
  maxWidth: 10,
  align: 'left',
  cell: ({ disk }: { readonly disk: string }) => sanitizeText(disk),
} as const;
const PID = {
  title: 'PID',
  width: 7,
  align: 'right',
  cell: ({ tgid }: { readonly tgid: number | undefined }) =>
    tgid === undefined ? UNKNOWN : String(tgid),
} as const;
const COMM = { title: 'COMM', width: 11, maxWidth: 16, align: 'left', cell: commText } as const;
const OP = {
  title: 'OP',
  width: OP_WIDTH,
  align: 'left',
  cell: (
    {
      opClass = UNKNOWN,
      call = opClass,
    }: { readonly opClass: string | undefined; readonly call?: string | undefined },
    width: number,
  ) => truncate(call, width),
} as const;
const CGROUP = {
  title: 'CGROUP',
  width: 16,
  maxWidth: 40,
  align: 'left',
  cell: ({ cgroupName }: { readonly cgroupName: string | undefined }, width: number) =>
    truncatePath(sanitizeText(cgroupName ?? UNKNOWN), width),
} as const;

const VIA = {
  title: 'VIA',
  width: 7,
  maxWidth: 16,
  align: 'left',
  cell: ({ via }: { readonly via?: string | undefined }, width: number) =>
    truncate(sanitizeText(via ?? ''), width),
} as const;

interface OfCall {
  readonly call?: string | undefined;
}

/** The column is as wide as the longest call in it. */
function opColumn(rows: readonly OfCall[]) {
  const longest = Math.max(OP_WIDTH, ...rows.map(({ call = '' }) => call.length));
  return longest === OP_WIDTH ? OP : { ...OP, maxWidth: longest };
}

const COUNT: Omit<GroupColumn, 'title'> = {
  width: 5,
  align: 'right',
  priority: 3,
  cell: ({ count }) => (count < SHORTENED_FROM ? String(Math.round(count)) : formatCount(count)),
};

/** The titles fit into the width of the column. */
function countTitle(layer: Layer): string {
  return isOfPrograms(layer) ? layer.toUpperCase() : 'I/Os';
}

const BYTES: GroupColumn = {
  title: 'MB',
  width: 5,
  align: 'right',
  priority: 7,
  cell: ({ bytes }) => megabytes(bytes),
};

const GROUP_FIGURES: readonly GroupColumn[] = [
  {
    title: 'WAIT%',
    width: 6,
    align: 'right',
    priority: 2,
    sorts: ['wait'],
    cell: ({ waitShare, waitedNs, maxNs }) =>
      waitedNs === 0 && maxNs === undefined ? UNKNOWN : percentFigure(waitShare),
  },
  {
    title: 'P50',
    width: 6,
    align: 'right',
    priority: 8,
    cell: ({ p50Ns }) => formatDuration(p50Ns),
  },
  {
    title: 'MAX',
    width: 6,
    align: 'right',
    priority: 4,
    cell: ({ maxNs }) => formatDuration(maxNs),
  },
];

/** The columns of processes and disks. A column without any value is left out. */
export function groupColumns(groups: readonly BoxGroup[], layer: Layer): readonly GroupColumn[] {
  const hasDisks = !isOfPrograms(layer) || groups.some(({ dev }) => !isUnknownDevice(dev));
  const hasCgroups = groups.some(({ cgroupName }) => cgroupName !== undefined);
  const hasErrors = groups.some(({ errors = 0 }) => errors > 0);
  const hasOperations = groups.some(({ opClass }) => opClass !== undefined);
  const hasBytes = groups.some(({ bytes }) => bytes !== undefined);
  const isEmpty = groups.length === 0;
  return [
    { ...PID, priority: 6 },
    { ...COMM, priority: 1 },
    ...(hasDisks ? [{ ...DISK, priority: 5 }] : []),
    ...(hasOperations || isEmpty ? [{ ...opColumn(groups), priority: 2 }] : []),
    { ...COUNT, title: countTitle(layer) },
    ...(hasBytes || isEmpty ? [BYTES] : []),
    ...GROUP_FIGURES,
    ...(hasErrors ? [ERRORS] : []),
    ...(groups.some(({ via }) => via !== undefined) ? [{ ...VIA, priority: 10 }] : []),
    ...(hasCgroups ? [{ ...CGROUP, priority: 9 }] : []),
  ];
}

const ERRORS: GroupColumn = {
  title: 'ERR',
  width: 5,
  align: 'right',
  priority: 5,
  cell: ({ errors }) => formatCount(errors),
  role: ({ errors = 0 }) => (errors > 0 ? 'warning' : 'plain'),
};

/** The columns of single I/Os. A column without any value is left out; an empty list has the usual ones. */
export function singleColumns(
  singles: readonly SingleIo[],
  clockBase: ClockBase,
): readonly SingleColumn[] {
  const isEmpty = singles.length === 0;
  const rare = (column: SingleColumn): SingleColumn[] =>
    isEmpty ? [] : [noWiderThanNeeded(column, singles)];
  const columns: readonly SingleColumn[] = [
    timeColumn(clockBase),
    { ...PID, priority: 8 },
    { ...COMM, priority: 3 },
    { ...DISK, priority: 5 },
    { ...opColumn(singles), priority: 2 },
    ...rare(FLAGS),
    SECTOR,
    SIZE,
    ...latencyColumns(singles),
    ...rare({ ...VIA, priority: 11 }),
    ...rare(FILE),
    ...rare(FILE_OFFSET),
    ...rare(ERROR),
  ];
  return columns.filter((column) => isEmpty || singles.some((row) => hasValue(column, row)));
}

function hasValue({ cell, width }: SingleColumn, row: SingleIo): boolean {
  return !['', UNKNOWN].includes(cell(row, width));
}

/** The order of the rows is by what is known of the total: where no queue is known, by device latency. */
function latencyColumns(singles: readonly SingleIo[]): readonly SingleColumn[] {
  const sorts = ['total'] as const;
  const device = duration('DEVICE', 7, ({ deviceNs }) => deviceNs);
  const isDeviceAlone = singles.length > 0 && singles.every(({ totalNs }) => totalNs === undefined);
  return [
    // Where there is room for one of them only, the other is the rest of the total.
    duration('QUEUE', 8, ({ queueNs }) => queueNs),
    isDeviceAlone ? { ...device, width: '▾DEVICE'.length, sorts } : device,
    { ...duration('TOTAL', 1, ({ totalNs }) => totalNs), sorts },
  ];
}

/**
 * Words get the room that the longest of them needs, and leave the rest to other columns. For lists that do not change:
 * in others, columns would move.
 */
export function asNarrowAsNeeded(column: SingleColumn, singles: readonly SingleIo[]): SingleColumn {
  const { title, width, maxWidth, cell } = column;
  if (maxWidth === undefined || singles.length === 0) return column;
  const longest = Math.max(title.length, ...singles.map((row) => cell(row, maxWidth).length));
  return { ...column, width: Math.min(width, longest), maxWidth: Math.min(maxWidth, longest) };
}

/** Limits the column to the width of its values, so that other columns get the room. */
function noWiderThanNeeded(column: SingleColumn, singles: readonly SingleIo[]): SingleColumn {
  const { width, maxWidth = width, cell } = column;
  const longest = Math.max(...singles.map((row) => cell(row, maxWidth).length));
  return { ...column, maxWidth: Math.min(maxWidth, Math.max(width, longest)) };
}

function duration(
  title: string,
  priority: number,
  ns: (row: SingleIo) => number | undefined,
): SingleColumn {
  return { title, width: 6, align: 'right', priority, cell: (row) => formatDuration(ns(row)) };
}

const FLAGS: SingleColumn = {
  title: 'FLAGS',
  width: 9,
  maxWidth: 19,
  align: 'left',
  priority: 9,
  cell: ({ flags }) => flags,
};

/** The column fits 2^35 sectors, which are 17 TB. */
const SECTOR: SingleColumn = {
  title: 'SECTOR',
  width: 11,
  align: 'right',
  priority: 10,
  cell: ({ sector }) => (sector === undefined ? UNKNOWN : String(sector)),
};

const SIZE: SingleColumn = {
  title: 'SIZE',
  width: 5,
  align: 'right',
  priority: 7,
  cell: sizeCell,
};

/** A path that does not fit keeps its end. */
const FILE: SingleColumn = {
  title: 'FILE',
  width: 16,
  maxWidth: 60,
  align: 'left',
  priority: 6,
  cell: fileCell,
};

/** The offset is in bytes. It is shown only if there is room for everything else. */
const FILE_OFFSET: SingleColumn = {
  title: 'FILE OFFSET',
  width: 13,
  align: 'right',
  priority: 11,
  cell: ({ fileOffset }) => (fileOffset === undefined ? UNKNOWN : String(fileOffset)),
};

/** Errors are rare, but then this is the most important column. */
const ERROR: SingleColumn = {
  title: 'ERROR',
  width: 15,
  maxWidth: 24,
  align: 'left',
  priority: 4,
  cell: ({ error }) => sanitizeText(error ?? ''),
  role: () => 'warning',
};
