import { naturalOrder } from '../../base/natural-order.ts';
import { formatDuration, formatRate } from '../../base/format.ts';
import { sanitizeText } from '../../base/sanitize.ts';
import { sumOfKnown } from '../../model/add-known.ts';
import type { Activity, ProcessActivity } from '../../model/activity.ts';
import { matrixSort } from '../../view/table-columns.ts';
import type { MatrixSort, ProcessSort } from '../../view/table-columns.ts';
import {
  bytesPerSecond,
  completionsPerSecond,
  ifTimed,
  megabytes,
  percentFigure,
} from '../text/figures.ts';
import { GUTTER } from '../text/fit-columns.ts';
import type { Column } from '../text/fit-columns.ts';
import { WHO } from './process-columns.ts';
import { truncateStart } from '../text/span.ts';

/** A process over all disks, and on each of them. */
export interface MatrixRow extends ProcessActivity {
  readonly byDisk: ReadonlyMap<number, readonly ProcessActivity[]>;
}

type MatrixColumn = Column<ProcessActivity, ProcessSort>;

interface Figure {
  readonly title: string;
  /** NaN if unknown. */
  readonly of: (activity: ProcessActivity) => number;
  readonly text: (figure: number) => string;
  readonly add: (a: number, b: number) => number;
}

const sum = (a: number, b: number): number => a + b;
const known = (a: number, b: number): number =>
  Number.isNaN(a + b) ? (Number.isNaN(a) ? b : a) : a + b;
const larger = (a: number, b: number): number => (a > b || Number.isNaN(b) ? a : b);

const WAIT: Figure = {
  title: 'WAIT%',
  of: (row) => ifTimed(row, row.waitShare) ?? NaN,
  text: percentFigure,
  add: known,
};

const FIGURES: Record<MatrixSort, Figure> = {
  wait: WAIT,
  pid: WAIT,
  iops: { title: 'IOPS', of: completionsPerSecond, text: formatRate, add: sum },
  bytes: { title: 'MB/s', of: (row) => bytesPerSecond(row) ?? NaN, text: megabytes, add: known },
  max: { title: 'MAX', of: ({ maxNs }) => maxNs ?? NaN, text: formatDuration, add: larger },
};

/** The cell of a process that had no I/O on that disk. */
const NOTHING = '·';
const CELL_WIDTH = 7;
const TOTAL_WIDTH = 7;
const WHO_WIDTH = 7 + 1 + 16;

/** One row for each process, from rows of one process on one disk. */
export function matrixRows(rows: readonly ProcessActivity[]): MatrixRow[] {
  const byOwner = new Map<string, ProcessActivity[]>();
  for (const row of rows) {
    const id = `${row.tgid ?? ''} ${row.comm}`;
    const known = byOwner.get(id);
    if (known === undefined) byOwner.set(id, [row]);
    else known.push(row);
  }
  return [...byOwner.values()].map(mergeRows);
}

/** Quantiles cannot be added, so a process over several disks has none. */
function mergeRows(rows: readonly ProcessActivity[]): MatrixRow {
  const [first] = rows as readonly [ProcessActivity];
  const total = (of: (row: ProcessActivity) => number): number => rows.map(of).reduce(sum);
  const knownTotal = (of: (row: ProcessActivity) => number | undefined) =>
    rows.map(of).reduce(sumOfKnown);
  const activity: Activity = {
    readsPerSecond: knownTotal((row) => row.readsPerSecond),
    writesPerSecond: knownTotal((row) => row.writesPerSecond),
    othersPerSecond: total((row) => row.othersPerSecond),
    readBytesPerSecond: knownTotal((row) => row.readBytesPerSecond),
    writtenBytesPerSecond: knownTotal((row) => row.writtenBytesPerSecond),
    undividedBytesPerSecond: knownTotal((row) => row.undividedBytesPerSecond),
    p50Ns: undefined,
    p99Ns: undefined,
    maxNs: rows.map(({ maxNs }) => maxNs).reduce(largerKnown),
    errors: knownTotal((row) => row.errors),
  };
  return {
    ...activity,
    tgid: first.tgid,
    processes: first.processes,
    hasMoreProcesses: first.hasMoreProcesses,
    comm: first.comm,
    dev: undefined,
    disk: rows.length === 1 ? first.disk : `${rows.length} disks`,
    host: inCommon(rows, ({ host }) => host),
    cgroup: inCommon(rows, ({ cgroup }) => cgroup),
    cgroupName: inCommon(rows, ({ cgroupName }) => cgroupName),
    command: inCommon(rows, ({ command }) => command),
    user: inCommon(rows, ({ user }) => user),
    waitShare: total((row) => row.waitShare),
    indirect: rows.every(({ indirect }) => indirect),
    hasSeveralWriters: rows.some(({ hasSeveralWriters }) => hasSeveralWriters === true),
    byDisk: byDiskOf(rows),
  };
}

/** What all rows have; undefined where they differ. */
function inCommon<Value>(
  rows: readonly ProcessActivity[],
  of: (row: ProcessActivity) => Value | undefined,
): Value | undefined {
  const value = of(rows[0]!);
  return rows.every((row) => of(row) === value) ? value : undefined;
}

function byDiskOf(rows: readonly ProcessActivity[]): MatrixRow['byDisk'] {
  const byDisk = new Map<number, ProcessActivity[]>();
  for (const row of rows) {
    if (row.dev === undefined) continue;
    const known = byDisk.get(row.dev);
    if (known === undefined) byDisk.set(row.dev, [row]);
    else known.push(row);
  }
  return byDisk;
}

function largerKnown(a: number | undefined, b: number | undefined): number | undefined {
  if (a === undefined || b === undefined) return a ?? b;
  return Math.max(a, b);
}

/**
 * A column for each of the busiest disks that fit, in the order of their names; one for all the
 * others if there are any; and the whole of the process.
 */
export function matrixColumns(
  rows: readonly MatrixRow[],
  sort: ProcessSort,
  width: number,
): readonly MatrixColumn[] {
  const order = matrixSort(sort);
  const figure = FIGURES[order];
  const disks = disksOf(rows, figure);
  const room = width - GUTTER - WHO_WIDTH - (TOTAL_WIDTH + 1);
  const all = Math.max(0, Math.floor(room / (CELL_WIDTH + 1)));
  const shown = disks.length <= all ? disks : disks.slice(0, Math.max(0, all - 1));
  const hidden = disks.slice(shown.length);
  const byName = shown.toSorted((a, b) => naturalOrder(a.name, b.name));
  return [
    ...WHO,
    ...byName.map(({ dev, name }) => diskColumn(name, [dev], figure)),
    ...(hidden.length > 0 && all > 0
      ? [
          diskColumn(
            `+${hidden.length}`,
            hidden.map(({ dev }) => dev),
            figure,
          ),
        ]
      : []),
    {
      title: figure.title,
      width: TOTAL_WIDTH,
      align: 'right',
      priority: 2,
      sorts: order === 'pid' ? [] : [order, sort],
      cell: (row) => figure.text(figure.of(row)),
    },
  ];
}

interface MatrixDisk {
  readonly dev: number;
  readonly name: string;
  figure: number;
}

/** The disks of the rows, the busiest first. */
function disksOf(rows: readonly MatrixRow[], { of, add }: Figure): MatrixDisk[] {
  const disks = new Map<number, MatrixDisk>();
  for (const { byDisk } of rows)
    for (const [dev, onDisk] of byDisk)
      for (const row of onDisk) {
        const disk = disks.get(dev) ?? { dev, name: row.disk, figure: 0 };
        disk.figure = add(disk.figure, of(row));
        disks.set(dev, disk);
      }
  return [...disks.values()].sort((a, b) => b.figure - a.figure || a.dev - b.dev);
}

function diskColumn(name: string, devs: readonly number[], figure: Figure): MatrixColumn {
  return {
    title: truncateStart(sanitizeText(name), CELL_WIDTH),
    width: CELL_WIDTH,
    align: 'right',
    priority: 5,
    cell: (row) => {
      const cells = devs.flatMap((dev) => onDisk(row, dev));
      return cells.length === 0 ? NOTHING : figure.text(cells.map(figure.of).reduce(figure.add));
    },
  };
}

function onDisk(row: ProcessActivity, dev: number): readonly ProcessActivity[] {
  return isMatrixRow(row) ? (row.byDisk.get(dev) ?? []) : [];
}

function isMatrixRow(row: ProcessActivity): row is MatrixRow {
  return 'byDisk' in row;
}
