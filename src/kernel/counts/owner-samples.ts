import type { CompletionColumns } from '../../model/completion-columns.ts';
import { fineBin, OFFSET_BINS } from '../../model/fine-bins.ts';
import { aggregateIdentity } from '../../model/identity-table.ts';
import type { Identity, IdentityTable } from '../../model/identity-table.ts';
import { opClassIndex } from '../../model/operation.ts';
import { SummaryTotals } from './summary-block.ts';

/** Owners of one sample with histograms of their own, 11 KB each; the I/O of others keeps an unknown owner. */
const MOST_OWNERS = 64;
/** A smaller sample lacks owners whose I/O was counted; it grows over several passes. */
const LEAST_DRAWN = 16;
/** Of rare I/O nothing may be drawn for a while. The last sample stands for it as long: about a second. */
const MOST_IDLE_PASSES = 20;

/** What was drawn of the I/O of one owner on one disk, or of its calls, of one class of operations. */
export interface OwnerSample {
  /** Of aggregated I/O of this owner; undefined for all owners without a sample of their own. */
  readonly identity: number | undefined;
  readonly totals: SummaryTotals;
}

/** What was drawn of one disk, or of calls, and class of operations. */
export interface CellSample {
  readonly owners: readonly OwnerSample[];
  /** I/Os that were divided by this sample before. */
  readonly spent: number;
}

type Draws = Map<number | undefined, SummaryTotals>;

interface Cell {
  /** By which counts are divided, until there is another that is large enough. */
  sample: Draws;
  next: Draws;
  spent: number;
  /** Passes since the last one in which something was drawn. */
  idlePasses: number;
}

/** The rows that were drawn at random in this pass over the ring, or in the last few, by owner. */
export class OwnerSamples {
  private readonly byRow = new Map<number, SummaryTotals>();
  private readonly cells = new Map<string, Cell>();
  private readonly spare: SummaryTotals[] = [];

  /** `shiftOf`: sectors per offset bin of a device, as the exponent of a power of two. */
  constructor(
    private readonly identities: IdentityTable,
    private readonly shiftOf: (dev: number) => number,
  ) {}

  /** Adds the rows with these numbers. */
  add(rows: CompletionColumns, drawn: readonly number[]): void {
    for (const row of drawn) {
      const identity = rows.identity[row]!;
      const totals = this.byRow.get(identity) ?? this.admit(identity);
      const { dev, error } = this.identities.get(identity);
      if (error !== 0) totals.errors++;
      addRow(totals, rows, row, this.shiftOf(dev));
    }
  }

  /** The largest owner first. `count` I/Os of `identity` are about to be divided by this sample. */
  spend(identity: Identity, count: number): CellSample {
    const cell = this.cells.get(cellOf(identity));
    if (cell === undefined) return { owners: [], spent: 0 };
    if (drawnIn(cell.sample) === 0 || drawnIn(cell.next) >= LEAST_DRAWN) this.renew(cell);
    const owners = [...cell.sample].map(([identity, totals]) => ({ identity, totals }));
    const { spent } = cell;
    cell.spent += count;
    return { owners: owners.sort((a, b) => b.totals.count - a.totals.count), spent };
  }

  private renew(cell: Cell): void {
    this.release(cell.sample);
    cell.sample = cell.next;
    cell.next = new Map();
    cell.spent = 0;
  }

  endPass(): void {
    this.byRow.clear();
    for (const [id, cell] of this.cells)
      if (++cell.idlePasses > MOST_IDLE_PASSES) {
        this.release(cell.sample);
        this.release(cell.next);
        this.cells.delete(id);
      }
  }

  private admit(rowIdentity: number): SummaryTotals {
    const known = this.identities.get(rowIdentity);
    const { next: byOwner } = this.cellFor(cellOf(known));
    const owner = this.identities.intern(aggregateIdentity(known));
    const hasRoom = byOwner.has(owner) || byOwner.size < MOST_OWNERS;
    const identity = hasRoom ? owner : undefined;
    let totals = byOwner.get(identity);
    if (totals === undefined) {
      totals = this.spare.pop() ?? new SummaryTotals();
      byOwner.set(identity, totals);
    }
    this.byRow.set(rowIdentity, totals);
    return totals;
  }

  private cellFor(id: string): Cell {
    const known = this.cells.get(id);
    const cell = known ?? { sample: new Map(), next: new Map(), spent: 0, idlePasses: 0 };
    cell.idlePasses = 0;
    this.cells.set(id, cell);
    return cell;
  }

  private release(draws: Draws): void {
    for (const totals of draws.values()) {
      totals.reset();
      this.spare.push(totals);
    }
  }
}

function drawnIn(draws: Draws): number {
  return [...draws.values()].reduce((sum, { count }) => sum + count, 0);
}

/** The kernel programs count calls on all devices together. */
function cellOf({ layer, dev, cmdFlags }: Identity): string {
  return `${layer === 'calls' ? layer : dev} ${opClassIndex(cmdFlags)}`;
}

function addRow(totals: SummaryTotals, rows: CompletionColumns, row: number, shift: number): void {
  const [deviceNs, queueNs] = [rows.deviceNs[row]!, rows.queueNs[row]!];
  const bytes = rows.bytes[row]!;
  totals.count++;
  totals.bytes += bytes;
  totals.size[fineBin(bytes)]!++;
  if (deviceNs >= 0) {
    totals.deviceNsSum += deviceNs;
    totals.device[fineBin(deviceNs)]!++;
  }
  if (queueNs >= 0) {
    totals.queueNsSum += queueNs;
    totals.queue[fineBin(queueNs)]!++;
  }
  if (deviceNs + queueNs >= 0) totals.total[fineBin(deviceNs + queueNs)]!++;
  const offset = Math.floor(rows.sector[row]! / 2 ** shift);
  if (offset >= 0) totals.offset[Math.min(offset, OFFSET_BINS - 1)]!++;
}
