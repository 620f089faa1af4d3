import { UNKNOWN } from '../base/format.ts';
import { sanitizeText } from '../base/sanitize.ts';
import type { ProcessActivity } from '../model/activity.ts';
import type { Grouping } from '../model/metric.ts';
import type { ProcessSort } from '../view/state.ts';
import { amountColumns, latencyColumns } from './activity-columns.ts';
import { percentFigure } from './figures.ts';
import { chooseColumns } from './fit-columns.ts';
import type { Column } from './fit-columns.ts';
import { truncate, truncateStart } from './span.ts';

/** Owner of I/O that was only counted, or never seen at submission. */
export const NO_DETAIL = '(no detail)';

/** Behind the name of a kernel thread that submitted for somebody else. */
export const INDIRECT_MARK = '*';

/** 15 characters of `comm` and the mark. */
const COMM_WIDTH = 16;
/** Room for `(no detail)`. */
const MIN_COMM_WIDTH = 11;

type ProcessColumn = Column<ProcessActivity, ProcessSort>;

export const WHO: readonly ProcessColumn[] = [
  {
    title: 'PID',
    width: 7,
    align: 'right',
    priority: 4,
    sorts: ['pid'],
    isFindable: true,
    cell: ({ tgid }) => (tgid === undefined ? UNKNOWN : String(tgid)),
  },
  {
    title: 'COMM',
    width: MIN_COMM_WIDTH,
    wantedWidth: COMM_WIDTH - INDIRECT_MARK.length,
    maxWidth: COMM_WIDTH,
    align: 'left',
    priority: 1,
    sorts: ['comm'],
    isFindable: true,
    cell: commText,
  },
];

/** In place of PID and COMM; a path says most at its end. */
const CGROUP_ROW: ProcessColumn = {
  title: 'CGROUP',
  width: MIN_COMM_WIDTH,
  maxWidth: 24,
  align: 'left',
  priority: 1,
  sorts: ['comm', 'pid', 'cgroup'],
  isFindable: true,
  cell: ({ comm }, width) => truncateStart(comm === '' ? UNKNOWN : sanitizeText(comm), width),
};

/** Of a process. */
const CGROUP: ProcessColumn = {
  title: 'CGROUP',
  width: 8,
  maxWidth: 16,
  align: 'left',
  priority: 8,
  sorts: ['cgroup'],
  isFindable: true,
  cell: ({ cgroup, cgroupName }, width) =>
    truncateStart(
      sanitizeText(cgroupName ?? (cgroup === undefined ? UNKNOWN : String(cgroup))),
      width,
    ),
};

const DISK: ProcessColumn = {
  title: 'DISK',
  width: 7,
  maxWidth: 10,
  align: 'left',
  priority: 6,
  sorts: ['disk'],
  isFindable: true,
  cell: ({ disk }) => (disk === '' ? UNKNOWN : sanitizeText(disk)),
};

const PRIORITIES = { kinds: 8, errors: 6, p50: 10, max: 9, queue: 7 } as const;

const FIGURES: readonly ProcessColumn[] = [
  ...amountColumns(PRIORITIES),
  ...latencyColumns(PRIORITIES),
  {
    title: 'WAIT%',
    width: 6,
    align: 'right',
    priority: 2,
    sorts: ['wait'],
    cell: ({ waitShare }) => percentFigure(waitShare),
  },
];

const ALL: readonly ProcessColumn[] = [...WHO, CGROUP, DISK, ...FIGURES];

/** The heading of a column. */
export function processHeading(id: ProcessSort): string {
  return ALL.find(({ sorts }) => sorts?.[0] === id)?.title ?? '';
}

/** What names the row of a cgroup stands for all of these. */
const CGROUP_NAMES: readonly ProcessSort[] = ['pid', 'comm', 'cgroup'];

/** The columns of the process table in the order chosen. */
export function chosenProcessColumns(
  grouping: Grouping,
  chosen: readonly ProcessSort[],
  sort: ProcessSort,
): readonly ProcessColumn[] {
  if (grouping !== 'cgroup') return chooseColumns(ALL, chosen, sort);
  const rest = chosen.filter((id) => !CGROUP_NAMES.includes(id));
  if (CGROUP_NAMES.includes(sort)) return [CGROUP_ROW, ...chooseColumns(ALL, rest, undefined)];
  return [CGROUP_ROW, ...chooseColumns(ALL, rest, sort)];
}

type Owner = Pick<ProcessActivity, 'tgid' | 'comm' | 'indirect'>;

/** The mark survives the cut: who is to blame is the point of it. */
export function commText({ tgid, comm, indirect }: Owner, width: number): string {
  const name = comm === '' && tgid === undefined ? NO_DETAIL : sanitizeText(comm);
  if (!indirect) return truncate(name, width);
  return `${truncate(name, width - INDIRECT_MARK.length)}${INDIRECT_MARK}`;
}
