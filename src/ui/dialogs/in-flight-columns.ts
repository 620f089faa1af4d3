import { formatBytes, formatDuration, UNKNOWN } from '../../base/format.ts';
import { sanitizeText } from '../../base/sanitize.ts';
import type { InFlightRow } from '../../model/in-flight.ts';
import type { Column } from '../text/fit-columns.ts';
import { commText } from '../tables/process-columns.ts';

/** The only order. */
export type AgeSort = 'age';

export const IN_FLIGHT_COLUMNS: readonly Column<InFlightRow, AgeSort>[] = [
  {
    title: 'AGE',
    width: 6,
    align: 'right',
    priority: 1,
    sorts: ['age'],
    cell: ({ ageNs }) => formatDuration(ageNs),
  },
  { title: 'STAGE', width: 13, align: 'left', priority: 2, cell: ({ stage }) => stage },
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
    priority: 5,
    cell: ({ tgid }) => (tgid === undefined ? UNKNOWN : String(tgid)),
  },
  { title: 'COMM', width: 11, maxWidth: 16, align: 'left', priority: 4, cell: commText },
  { title: 'OP', width: 7, align: 'left', priority: 6, cell: ({ opClass }) => opClass },
  {
    title: 'SIZE',
    width: 5,
    align: 'right',
    priority: 7,
    cell: ({ bytes }) => (bytes === undefined ? UNKNOWN : formatBytes(bytes)),
  },
  {
    title: 'SECTOR',
    width: 11,
    align: 'right',
    priority: 8,
    cell: ({ sector }) => (sector === undefined ? UNKNOWN : String(sector)),
  },
];
