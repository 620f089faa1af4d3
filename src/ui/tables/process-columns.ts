import { UNKNOWN } from '../../base/format.ts';
import { sanitizeText } from '../../base/sanitize.ts';
import type { ProcessActivity } from '../../model/activity.ts';
import { cgroupNumber } from '../../model/cgroup-names.ts';
import type { Grouping } from '../../model/metric.ts';
import type { ProcessSort } from '../../view/state.ts';
import { REPLACED_COLUMNS } from '../../view/table-columns.ts';
import { amountColumns, latencyColumns } from './activity-columns.ts';
import { ifTimed, percentFigure, wholePercentFigure } from '../text/figures.ts';
import { chooseColumns } from '../text/fit-columns.ts';
import type { Column } from '../text/fit-columns.ts';
import { truncate, truncatePath } from '../text/span.ts';

/** Shown as the owner of I/O that is aggregated, or that was never seen at submission. */
export const NO_DETAIL = '(no detail)';

/**
 * Follows the name of a kernel thread that submitted I/O for another process, or the name of that process if it is
 * known.
 */
export const INDIRECT_MARK = '*';
/** Replaces it if other processes wrote to the file, too. */
export const SEVERAL_MARK = '+';

/** 15 characters of `comm` and the mark. */
const COMM_WIDTH = 16;
/** Room for `(no detail)`. */
const MIN_COMM_WIDTH = 11;

type ProcessColumn = Column<ProcessActivity, ProcessSort>;

const PID: ProcessColumn = {
  title: 'PID',
  width: 7,
  align: 'right',
  priority: 4,
  sorts: ['pid'],
  isFindable: true,
  cell: ({ tgid }) => (tgid === undefined ? UNKNOWN : String(tgid)),
};

/** After PID, if rows are threads. */
const TID: ProcessColumn = {
  title: 'TID',
  width: 7,
  align: 'right',
  priority: 3,
  isFindable: true,
  cell: ({ tid }) => (tid === undefined ? UNKNOWN : String(tid)),
};

const COMM: ProcessColumn = {
  title: 'COMM',
  width: MIN_COMM_WIDTH,
  wantedWidth: COMM_WIDTH - INDIRECT_MARK.length,
  maxWidth: COMM_WIDTH,
  align: 'left',
  priority: 1,
  sorts: ['comm'],
  isFindable: true,
  cell: commText,
};

export const WHO: readonly ProcessColumn[] = [PID, COMM];

/** In place of PID and COMM. */
const NAME_ROW: ProcessColumn = {
  title: 'NAME',
  width: MIN_COMM_WIDTH,
  wantedWidth: COMM_WIDTH,
  maxWidth: 24,
  align: 'left',
  priority: 1,
  sorts: ['comm', 'pid'],
  isFindable: true,
  cell: nameText,
};

/** `containerd 0123456789ab pod 5f1b2c3d`. */
const CONTAINER_WIDTH = 36;

/** In place of PID and COMM; the end of a path is kept. */
const CGROUP_ROW: ProcessColumn = {
  title: 'CGROUP',
  width: MIN_COMM_WIDTH,
  wantedWidth: 'docker 0123456789ab'.length,
  maxWidth: 24,
  spareWidth: CONTAINER_WIDTH,
  align: 'left',
  priority: 1,
  sorts: ['comm', 'pid', 'cgroup'],
  isFindable: true,
  cell: ({ comm }, width) => truncatePath(comm === '' ? UNKNOWN : sanitizeText(comm), width),
};

/** After the name of a cgroup. */
const STALL: ProcessColumn = {
  title: 'STALL%',
  width: 6,
  align: 'right',
  priority: 5,
  isUrgent: true,
  isKnown: ({ stalled }) => stalled !== undefined,
  cell: ({ stalled }) => (stalled === undefined ? UNKNOWN : percentFigure(stalled.some)),
};

/** In place of PID and COMM; the end of the path is kept. */
const FILE_ROW: ProcessColumn = {
  ...CGROUP_ROW,
  title: 'FILE',
  width: 24,
  wantedWidth: 24,
  maxWidth: 40,
  spareWidth: 120,
};

/** In place of PID and COMM. */
const FOLDER_ROW: ProcessColumn = { ...FILE_ROW, title: 'FOLDER' };

/** The cgroup of a process. */
const CGROUP: ProcessColumn = {
  title: 'CGROUP',
  width: 8,
  maxWidth: 16,
  spareWidth: CONTAINER_WIDTH,
  align: 'left',
  priority: 8,
  sorts: ['cgroup'],
  isFindable: true,
  cell: ({ cgroup, cgroupName }, width) =>
    truncatePath(
      sanitizeText(cgroupName ?? (cgroup === undefined ? UNKNOWN : String(cgroupNumber(cgroup)))),
      width,
    ),
};

const USER: ProcessColumn = {
  title: 'USER',
  width: 8,
  align: 'left',
  priority: 13,
  sorts: ['user'],
  isFindable: true,
  isKnown: ({ user }) => user !== undefined,
  cell: ({ user }, width) => truncate(sanitizeText(user ?? UNKNOWN), width),
};

const VIA: ProcessColumn = {
  title: 'VIA',
  width: 7,
  maxWidth: 16,
  align: 'left',
  priority: 11,
  sorts: ['via'],
  isFindable: true,
  isKnown: ({ via }) => via !== undefined,
  cell: ({ via }, width) => truncate(sanitizeText(via ?? ''), width),
};

/** At the end of the row, as in top: the longer the better. */
const COMMAND: ProcessColumn = {
  title: 'COMMAND',
  width: 16,
  spareWidth: 120,
  align: 'left',
  priority: 12,
  sorts: ['command'],
  isFindable: true,
  isKnown: ({ command }) => command !== undefined,
  cell: ({ command }, width) => shortCommand(sanitizeText(command ?? UNKNOWN), width),
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

const WAIT: ProcessColumn = {
  title: 'WAIT%',
  width: 6,
  align: 'right',
  priority: 2,
  sorts: ['wait'],
  cell: (row) => percentFigure(ifTimed(row, row.waitShare)),
};

/** Shown only if there are estimates. */
const MARGIN: ProcessColumn = {
  title: '±%',
  width: 3,
  align: 'right',
  priority: 3,
  sorts: ['margin'],
  isUrgent: true,
  isKnown: ({ margin }) => margin !== undefined,
  cell: ({ margin }) => (margin === undefined ? '' : wholePercentFigure(margin)),
};

/** Columns by their own sort order: an order without a column does not compile. */
const BY_SORT: Readonly<Record<ProcessSort, ProcessColumn>> = {
  pid: PID,
  comm: COMM,
  cgroup: CGROUP,
  disk: DISK,
  user: USER,
  via: VIA,
  ...amountColumns(PRIORITIES),
  margin: MARGIN,
  ...latencyColumns(PRIORITIES),
  wait: WAIT,
  command: COMMAND,
};

const ALL = Object.values(BY_SORT);

/** The heading of a column. */
export function processHeading(id: ProcessSort): string {
  return ALL.find(({ sorts }) => sorts?.[0] === id)?.title ?? '';
}

/** For rows that are not single processes, the column of their name. */
const NAMED_ROWS: Partial<Record<Grouping, ProcessColumn>> = {
  name: NAME_ROW,
  cgroup: CGROUP_ROW,
  file: FILE_ROW,
  folder: FOLDER_ROW,
};

/** The columns of the process table in the order chosen. */
export function chosenProcessColumns(
  grouping: Grouping,
  chosen: readonly ProcessSort[],
  sort: ProcessSort,
): readonly ProcessColumn[] {
  const name = NAMED_ROWS[grouping];
  if (grouping === 'thread') return withThread(chooseColumns(ALL, chosen, sort));
  if (name === undefined) return chooseColumns(ALL, chosen, sort);
  const replaced = REPLACED_COLUMNS[grouping] ?? [];
  const rest = chosen.filter((id) => !replaced.includes(id));
  const first = grouping === 'cgroup' ? [name, STALL] : [name];
  return [...first, ...chooseColumns(ALL, rest, replaced.includes(sort) ? undefined : sort)];
}

function withThread(columns: readonly ProcessColumn[]): readonly ProcessColumn[] {
  const after = columns.indexOf(PID) + 1;
  return [...columns.slice(0, after), TID, ...columns.slice(after)];
}

/** The folder of the program goes first: `…/python3 backup.py` tells more than the start of a long path. */
function shortCommand(command: string, width: number): string {
  const program = /^\/\S+(?=\/)/.exec(command)?.[0] ?? '';
  const isCut = command.length > width && program.length > 1;
  return truncate(isCut ? `…${command.slice(program.length)}` : command, width);
}

/** `mysqld (4)`, or `(4+)` if not all are told apart: the number of processes is never cut off. */
function nameText(row: ProcessActivity, width: number): string {
  const { processes = 1, hasMoreProcesses = false } = row;
  const more = hasMoreProcesses ? '+' : '';
  const count = processes > 1 || hasMoreProcesses ? ` (${processes}${more})` : '';
  return commText(row, width - count.length).trimEnd() + count;
}

type Owner = Pick<ProcessActivity, 'tgid' | 'comm' | 'indirect' | 'hasSeveralWriters'>;

/** The mark is never cut off. */
export function commText({ tgid, comm, ...owner }: Owner, width: number): string {
  const unnamed = tgid === undefined ? NO_DETAIL : UNKNOWN;
  const name = comm === '' ? unnamed : sanitizeText(comm);
  const mark = markOf(owner);
  return `${truncate(name, width - mark.length)}${mark}`;
}

function markOf({ indirect, hasSeveralWriters }: Omit<Owner, 'tgid' | 'comm'>): string {
  if (hasSeveralWriters === true) return SEVERAL_MARK;
  return indirect ? INDIRECT_MARK : '';
}
