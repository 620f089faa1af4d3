import { formatPercent, formatRate } from '../../base/format.ts';
import type { ActivityReport, DiskActivity, ProcessActivity } from '../../model/activity.ts';
import { sumOfKnown } from '../../model/add-known.ts';
import { numberAtHost } from '../../model/identity-names.ts';
import { rateUnitOf } from '../../model/layer.ts';
import type { Layer } from '../../model/layer.ts';
import type { OpenedEntry, PickState } from '../../view/state.ts';
import type { DiskSort } from '../../view/table-columns.ts';
import { completionsPerSecond, ifTimed } from '../text/figures.ts';
import { sortDisks } from '../tables/sort-rows.ts';

/**
 * A process or disk to which the I/O can be narrowed. `id` is what `PickState.chosen` holds. Names of processes are not
 * sanitized, so neither is `label`.
 */
export interface PickEntry extends OpenedEntry {
  /** Text after the label if there is room, in ever shorter forms. */
  readonly details: readonly string[];
}

const PID_WIDTH = 7;
const RATE_WIDTH = 5;
/** The longest share is `99.9%`. */
const PERCENT_WIDTH = 5;
const IDLE = '(idle)';

/** What a list that opens is made of. */
interface ListedReports {
  /** That of the tables. */
  readonly recent: ActivityReport;
  /** Of all that the list may have, whatever it was narrowed to before. */
  readonly ofPicture: ActivityReport;
  /** Whether `recent` leaves out what earlier choices do. */
  readonly isNarrowed: boolean;
}

/**
 * The entries of a list when it opens. Those that have I/O in the picture, but none recently, are below the others: who
 * sees a burst in the picture picks its process after it has ended.
 */
export function entriesAtOpening(
  { what, chosen, invert }: Pick<PickState, 'what' | 'chosen' | 'invert'>,
  { recent, ofPicture, isNarrowed }: ListedReports,
  layer: Layer,
): PickEntry[] {
  const active = pickEntries({ what, chosen: [], opened: [] }, recent, layer);
  const ids = new Set(active.map(({ id }) => id));
  const others = entriesOf(what, ofPicture, layer, 'name').filter(({ id }) => !ids.has(id));
  const isAsked = (id: string): boolean =>
    !isNarrowed || (chosen.length > 0 && chosen.includes(id) !== invert);
  const opened = others.map((entry) => ({ ...entry, isLeftOut: !isAsked(entry.id) }));
  return pickEntries({ what, chosen, opened: [...active, ...opened] }, recent, layer);
}

/**
 * Processes or disks with recent I/O, the busiest first, but none in another place than when the list was opened: those
 * that came later are below. Chosen ones are always among them, so that they can be unmarked. I/O without a known owner
 * is not, because it has no PID to filter by.
 */
export function pickEntries(
  { what, chosen, opened }: Pick<PickState, 'what' | 'chosen' | 'opened'>,
  report: ActivityReport,
  layer: Layer,
): PickEntry[] {
  const active = entriesOf(what, report, layer, 'util');
  const found = new Map(active.map((entry) => [entry.id, entry]));
  const first = opened.map((entry) => found.get(entry.id) ?? withoutFigures(entry));
  const places = new Set(opened.map(({ id }) => id));
  const later = active.filter(({ id }) => !places.has(id));
  const absent = chosen.filter((id) => !places.has(id) && !found.has(id));
  return [...first, ...later, ...absent.map((id) => idleEntry(id, absentLabel(what, id)))];
}

/** The entries whose label or ID contains the query, in upper or lower case. */
export function filterPickEntries(entries: readonly PickEntry[], query: string): PickEntry[] {
  const part = query.trim().toLowerCase();
  return entries.filter(
    ({ id, label }) => label.toLowerCase().includes(part) || id.toLowerCase().includes(part),
  );
}

/** Processes are always in order of their waiting. */
function entriesOf(
  what: PickState['what'],
  { processes, disks }: ActivityReport,
  layer: Layer,
  diskSort: DiskSort,
): PickEntry[] {
  const unit = rateUnitOf(layer);
  return what === 'process'
    ? processEntries(processes, unit)
    : diskEntries(sortDisks(disks, diskSort), unit);
}

function withoutFigures({ id, label, isLeftOut = false }: OpenedEntry): PickEntry {
  return isLeftOut ? { id, label, isLeftOut, details: [] } : idleEntry(id, label);
}

function idleEntry(id: string, label: string): PickEntry {
  return { id, label: label.endsWith(IDLE) ? label : `${label} ${IDLE}`, details: [] };
}

function absentLabel(what: PickState['what'], id: string): string {
  return what === 'process' ? id.padStart(PID_WIDTH) : id;
}

interface ProcessSum {
  readonly tgid: number;
  /** The name under which most waiting was: a program may run another one. */
  comm: string;
  mostWaitShare: number;
  iops: number;
  /** Undefined if no time is known. */
  waitShare: number | undefined;
}

/** A process with I/O on several disks is one entry. */
function processEntries(processes: readonly ProcessActivity[], unit: string): PickEntry[] {
  const sums = new Map<string, ProcessSum>();
  for (const row of processes) if (row.tgid !== undefined) add(sums, row.tgid, row);
  return [...sums]
    .sort(
      ([, a], [, b]) =>
        (b.waitShare ?? 0) - (a.waitShare ?? 0) || b.iops - a.iops || a.tgid - b.tgid,
    )
    .map(([id, { tgid, comm, iops, waitShare }]) => ({
      id,
      label: `${String(tgid).padStart(PID_WIDTH)} ${comm}`,
      details:
        waitShare === undefined
          ? [rateText(iops, unit)]
          : detailsOf(iops, unit, waitShare, 'of waiting'),
    }));
}

function add(sums: Map<string, ProcessSum>, tgid: number, row: ProcessActivity): void {
  const id = String(numberAtHost(tgid, row.host));
  const sum = sums.get(id) ?? {
    tgid,
    comm: row.comm,
    mostWaitShare: 0,
    iops: 0,
    waitShare: undefined,
  };
  if (row.waitShare > sum.mostWaitShare) {
    sum.comm = row.comm;
    sum.mostWaitShare = row.waitShare;
  }
  sum.iops += completionsPerSecond(row);
  sum.waitShare = sumOfKnown(sum.waitShare, ifTimed(row, row.waitShare));
  sums.set(id, sum);
}

function diskEntries(disks: readonly DiskActivity[], unit: string): PickEntry[] {
  return disks.map((row) => ({
    id: row.disk,
    label: row.disk,
    details: detailsOf(completionsPerSecond(row), unit, row.utilization, 'busy'),
  }));
}

function rateText(iops: number, unit: string): string {
  return `${formatRate(iops).padStart(RATE_WIDTH)} ${unit}`;
}

function detailsOf(
  iops: number,
  unit: string,
  share: number | undefined,
  ofWhat: string,
): string[] {
  const rate = rateText(iops, unit);
  if (share === undefined)
    return [`${rate}  ${' '.repeat(PERCENT_WIDTH)} ${ofWhat}: unknown`, rate];
  const percent = formatPercent(share).padStart(PERCENT_WIDTH);
  return [`${rate}  ${percent} ${ofWhat}`, `${rate}  ${percent}`, percent];
}
