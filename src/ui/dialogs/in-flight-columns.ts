import { formatDuration, UNKNOWN } from '../../base/format.ts';
import { sanitizeText } from '../../base/sanitize.ts';
import type { InFlightRow } from '../../model/in-flight.ts';
import type { Column } from '../text/fit-columns.ts';
import { fileCell } from '../tables/file-cell.ts';
import { commText } from '../tables/process-columns.ts';
import { truncate } from '../text/span.ts';
import { sizeCell } from './size-cell.ts';

/** The list has only this order. */
export type AgeSort = 'age';

type InFlightColumn = Column<InFlightRow, AgeSort>;

/** The columns for these rows. A column without any value is left out. */
export function inFlightColumns(rows: readonly InFlightRow[]): readonly InFlightColumn[] {
  return [
    ...WHERE_AND_WHO,
    ...(rows.some(({ via }) => via !== undefined) ? [VIA] : []),
    ...(rows.some(({ file }) => file !== undefined) ? [FILE] : []),
    ...WHAT,
  ];
}

const WHERE_AND_WHO: readonly InFlightColumn[] = [
  {
    title: 'AGE',
    width: 6,
    align: 'right',
    priority: 1,
    sorts: ['age'],
    cell: ({ ageNs }) => formatDuration(ageNs),
  },
  { title: 'STAGE', width: 13, align: 'left', priority: 2, cell: ({ stage = UNKNOWN }) => stage },
  {
    title: 'DISK',
    width: 7,
    maxWidth: 10,
    align: 'left',
    priority: 3,
    cell: ({ disk }) => sanitizeText(disk),
  },
  {
    title: 'PID',
    width: 7,
    align: 'right',
    priority: 6,
    cell: ({ tgid }) => (tgid === undefined ? UNKNOWN : String(tgid)),
  },
  { title: 'COMM', width: 11, maxWidth: 16, align: 'left', priority: 4, cell: commText },
];

const VIA: InFlightColumn = {
  title: 'VIA',
  width: 7,
  maxWidth: 16,
  align: 'left',
  priority: 9,
  cell: ({ via }, width) => truncate(sanitizeText(via ?? ''), width),
};

const FILE: InFlightColumn = {
  title: 'FILE',
  width: 16,
  maxWidth: 24,
  spareWidth: 80,
  align: 'left',
  priority: 5,
  cell: fileCell,
};

const WHAT: readonly InFlightColumn[] = [
  { title: 'OP', width: 7, align: 'left', priority: 7, cell: ({ opClass = UNKNOWN }) => opClass },
  {
    title: 'SIZE',
    width: 5,
    align: 'right',
    priority: 8,
    cell: sizeCell,
  },
  {
    title: 'SECTOR',
    width: 11,
    align: 'right',
    priority: 10,
    cell: ({ sector }) => (sector === undefined ? UNKNOWN : String(sector)),
  },
];
