import { formatCount, formatDuration, formatRate, UNKNOWN } from '../../base/format.ts';
import { sanitizeText } from '../../base/sanitize.ts';
import { OLD_IN_FLIGHT_NS } from '../../model/in-flight.ts';
import type { DiskSort } from '../../view/state.ts';
import { amountColumns, latencyColumns } from './activity-columns.ts';
import { ifTimed, percentFigure } from '../text/figures.ts';
import { chooseColumns } from '../text/fit-columns.ts';
import type { Column } from '../text/fit-columns.ts';
import { truncate } from '../text/span.ts';
import type { TreeDisk } from './disk-tree.ts';
import { stackText } from './stack-text.ts';

type DiskColumn = Column<TreeDisk, DiskSort>;

/** A disk this busy is highlighted, though one that serves in parallel may have room. */
const BUSY = 0.9;

const NAME_WIDTH = 7;
const MOST_NAME_WIDTH = 12;

const PRIORITIES = { kinds: 7, errors: 7, p50: 9, max: 8, queue: 6 } as const;

/** Columns by their own sort order: an order without a column does not compile. */
const BY_SORT: Readonly<Record<DiskSort, DiskColumn>> = {
  name: {
    title: 'DISK',
    width: NAME_WIDTH,
    maxWidth: MOST_NAME_WIDTH,
    align: 'left',
    priority: 1,
    sorts: ['name'],
    isFindable: true,
    cell: nameText,
  },
  ...amountColumns(PRIORITIES),
  util: {
    title: '%UTIL',
    width: 6,
    align: 'right',
    priority: 2,
    sorts: ['util'],
    cell: utilizationText,
    role: ({ utilization }) => ((utilization ?? 0) >= BUSY ? 'warning' : 'plain'),
  },
  qd: {
    title: 'QD',
    width: 5,
    align: 'right',
    priority: 4,
    sorts: ['qd'],
    cell: (row) => formatRate(ifTimed(row, row.queueDepth)),
  },
  inflight: {
    title: 'IN FLIGHT',
    width: 11,
    align: 'right',
    priority: 3,
    sorts: ['inflight'],
    isKnown: hasOldInFlight,
    isUrgent: true,
    cell: inFlightText,
    role: (row) => (hasOldInFlight(row) ? 'warning' : 'plain'),
  },
  ...latencyColumns(PRIORITIES),
  mount: {
    title: 'MOUNT',
    width: 12,
    spareWidth: 40,
    align: 'left',
    priority: 10,
    sorts: ['mount'],
    isFindable: true,
    isKnown: ({ mounts = [] }) => mounts.length > 0,
    cell: ({ mounts }, width) => truncate(sanitizeText(mounts?.join(' ') ?? UNKNOWN), width),
  },
  stack: {
    title: 'VOLUMES',
    width: 10,
    spareWidth: 30,
    align: 'left',
    priority: 10,
    sorts: ['stack'],
    isFindable: true,
    isKnown: (row) => stackText(row) !== '',
    cell: (row, width) => truncate(sanitizeText(stackText(row)), width),
  },
};

/** The utilization; `≥` marks a lower bound, if some I/O has no times of its own. */
function utilizationText({ utilization, isUtilizationPartial }: TreeDisk): string {
  const text = percentFigure(utilization);
  return isUtilizationPartial === true && utilization !== undefined ? `≥${text}` : text;
}

function hasOldInFlight({ inFlight }: TreeDisk): boolean {
  return (inFlight?.oldestNs ?? 0) >= OLD_IN_FLIGHT_NS;
}

/** `32, 1.4s`: how many, and the age of the oldest. */
function inFlightText({ inFlight }: TreeDisk): string {
  if (inFlight === undefined) return UNKNOWN;
  const { count, oldestNs } = inFlight;
  return count === 0 ? '0' : `${formatCount(count)}, ${formatDuration(oldestNs)}`;
}

const ALL = Object.values(BY_SORT);

/** The heading of a column. */
export function diskHeading(id: DiskSort): string {
  return ALL.find(({ sorts }) => sorts?.[0] === id)?.title ?? '';
}

/** The columns of the disk table in the order chosen. Names are not cut for the sake of figures, unless very long. */
export function chosenDiskColumns(
  chosen: readonly DiskSort[],
  sort: DiskSort,
  rows: readonly TreeDisk[],
): readonly DiskColumn[] {
  const longest = Math.max(0, ...rows.map((row) => nameText(row).length));
  const width = Math.max(NAME_WIDTH, Math.min(MOST_NAME_WIDTH, longest));
  return chooseColumns(ALL, chosen, sort).map((column) =>
    column.sorts?.[0] === 'name' ? { ...column, width } : column,
  );
}

/** The cells that the names of these disks need in addition to the usual width. */
export function extraNameWidth(columns: readonly DiskColumn[]): number {
  const name = columns.find(({ sorts }) => sorts?.[0] === 'name');
  return (name?.width ?? NAME_WIDTH) - NAME_WIDTH;
}

function nameText({ disk, branch = '' }: TreeDisk): string {
  return branch + sanitizeText(disk);
}
