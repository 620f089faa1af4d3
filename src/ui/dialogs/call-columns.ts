import { formatDuration, UNKNOWN } from '../../base/format.ts';
import { isUnknownDevice } from '../../model/device.ts';
import { sanitizeText } from '../../base/sanitize.ts';
import type { ClockBase } from '../../base/time.ts';
import type { SingleIo } from '../../query/slowest/single-io.ts';
import { fileCell } from '../tables/file-cell.ts';
import { commText } from '../tables/process-columns.ts';
import type { Column } from '../text/fit-columns.ts';
import { truncate } from '../text/span.ts';
import { sizeCell } from './size-cell.ts';
import { firstSeenColumn, timeColumn } from './time-column.ts';

/** Calls have only this order. */
export type TimeSort = 'time';

type CallColumn = Column<SingleIo, never>;

const CALL_WIDTH = 7;
const COMM_WIDTH = 8;
const MOST_COMM = 16;
const MOST_FILE = 60;
/** The end of most paths; before that, columns that only tell files of one name apart take no room. */
const WANTED_FILE = 24;

/** The columns of single calls: who called what, on which file, with which result. */
export function callColumns<Sort extends string = TimeSort>(
  calls: readonly SingleIo[],
  clockBase: ClockBase,
): readonly Column<SingleIo, Sort>[] {
  // No column of words is wider than its words, so that the others get the room.
  const longest = Math.max(CALL_WIDTH, ...calls.map(({ call = '' }) => call.length));
  const longestComm = Math.max(
    COMM_WIDTH,
    ...calls.map((call) => commText(call, MOST_COMM).length),
  );
  const longestFile = Math.max(0, ...calls.map((call) => fileCell(call, MOST_FILE).length));
  return [
    timeColumn(clockBase),
    number('TID', 7, 8, ({ tid }) => tid),
    {
      ...{ title: 'COMM', width: COMM_WIDTH, maxWidth: longestComm },
      ...{ align: 'left', priority: 7, cell: commText },
    },
    {
      ...{ title: 'CALL', width: CALL_WIDTH, wantedWidth: longest, maxWidth: longest },
      ...{ align: 'left', priority: 2 },
      cell: ({ opClass = UNKNOWN, call = opClass }, width) => truncate(call, width),
    },
    {
      ...{ title: 'FILE', width: 14, wantedWidth: Math.min(WANTED_FILE, longestFile) },
      ...{ maxWidth: MOST_FILE, align: 'left', priority: 3, cell: fileCell },
    },
    number('OFFSET', 10, 6, ({ fileOffset }) => fileOffset),
    {
      title: 'SIZE',
      width: 5,
      align: 'right',
      priority: 9,
      cell: sizeCell,
    },
    ...(calls.some(({ flags }) => flags !== '') ? [FLAGS] : []),
    ...(calls.some(({ result }) => result !== undefined) ? [RESULT] : []),
    {
      title: 'TOTAL',
      width: 6,
      align: 'right',
      priority: 5,
      cell: ({ totalNs }) => formatDuration(totalNs),
    },
    number('INODE', 10, 11, ({ inode }) => inode),
    number('GENERATION', 10, 12, ({ generation }) => generation),
    firstSeenColumn(clockBase),
    ...(calls.some(({ dev }) => !isUnknownDevice(dev)) ? [DISK] : []),
  ];
}

function number(
  title: string,
  width: number,
  priority: number,
  of: (io: SingleIo) => number | undefined,
): CallColumn {
  return { title, width, align: 'right', priority, cell: (io) => String(of(io) ?? UNKNOWN) };
}

const DISK: CallColumn = {
  title: 'DISK',
  width: 7,
  maxWidth: 10,
  align: 'left',
  priority: 10,
  cell: ({ disk, dev }) => (isUnknownDevice(dev) ? UNKNOWN : sanitizeText(disk)),
};

/** The flags with which a file was opened. */
const FLAGS: CallColumn = {
  title: 'FLAGS',
  width: 8,
  maxWidth: 32,
  align: 'left',
  priority: 8,
  cell: ({ flags }, width) => truncate(flags, width),
};

/** The name of an error, or the number that was returned. */
const RESULT: CallColumn = {
  title: 'RESULT',
  width: 8,
  maxWidth: 12,
  align: 'right',
  priority: 4,
  cell: ({ error, result }) => sanitizeText(error ?? String(result ?? UNKNOWN)),
  role: ({ error }) => (error === undefined ? 'plain' : 'warning'),
};
