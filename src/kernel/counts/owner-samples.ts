import type { CompletionColumns } from '../../model/completion-columns.ts';
import { countedTogether } from '../../model/counted-together.ts';
import { fineBin, OFFSET_BINS } from '../../model/fine-bins.ts';
import { aggregateIdentity } from '../../model/folded-identity.ts';
import type { Identity } from '../../model/identity.ts';
import type { IdentityTable } from '../../model/identity-table.ts';
import { SummaryTotals } from './summary-block.ts';

/**
 * In one sample this many owners have their own histograms, of 11 KB each. The I/O of others keeps an unknown owner.
 */
const MOST_OWNERS = 64;
/** A smaller sample lacks owners whose I/O was counted, so it grows over several passes until it is used. */
const LEAST_DRAWN = 16;
/**
 * Rare I/O may have no draws for a while, so its last sample is kept for this time. It is a time, not a number of passes,
 * because those are as rare as frames: what ended seconds ago must not be the owner of what others do now.
 */
const KEPT_NS = 1e9;

/** The I/Os drawn of one owner, on one disk and of one class of operations; or its calls, of one class. */
export interface OwnerSample {
  /** The identity of aggregated I/O of this owner; undefined for all owners without a sample of their own. */
  readonly identity: number | undefined;
  readonly totals: SummaryTotals;
}

/** The sample of one disk and class of operations, or of the calls of one class. */
export interface CellSample {
  readonly owners: readonly OwnerSample[];
  /** I/Os that were divided by this sample before. */
  readonly spent: number;
}

type Draws = Map<number | undefined, SummaryTotals>;

interface Cell {
  /** Counts are divided by this sample until `next` is large enough, or this one too old. */
  sample: Draws;
  next: Draws;
  spent: number;
  /** When the last of each completed. */
  sampleNs: number;
  nextNs: number;
}

const NEVER_DRAWN = { sampleNs: -Infinity, nextNs: -Infinity };

/** Where the rows of one identity are counted in this pass. */
interface Admitted {
  readonly cell: Cell;
  readonly totals: SummaryTotals;
}

/** Keeps, by owner, the rows that were drawn at random since the last pass over the counts or in the second before it. */
export class OwnerSamples {
  private readonly byRow = new Map<number, Admitted>();
  private readonly cells = new Map<string, Cell>();
  private readonly spare: SummaryTotals[] = [];

  /** `shiftOf` returns the sectors per offset bin of a device, as the exponent of a power of two. */
  constructor(
    private readonly identities: IdentityTable,
    private readonly shiftOf: (dev: number) => number,
  ) {}

  /** Adds the rows whose numbers are in `drawn`. */
  add(rows: CompletionColumns, drawn: readonly number[]): void {
    for (const row of drawn) {
      const identity = rows.identity[row]!;
      const { cell, totals } = this.byRow.get(identity) ?? this.admit(identity);
      const { dev, error } = this.identities.get(identity);
      if (error !== 0) totals.errors++;
      addRow(totals, rows, row, this.shiftOf(dev));
      cell.nextNs = Math.max(cell.nextNs, rows.completeNs[row]!);
    }
  }

  /** Returns the sample by which the caller divides `count` I/Os of `identity`, the largest owner first. */
  spend(identity: Identity, count: number): CellSample {
    const cell = this.cells.get(countedTogether(identity));
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
    cell.sampleNs = cell.nextNs;
    cell.next = new Map();
    cell.spent = 0;
  }

  /** `nowNs`: since the start of the trace. */
  endPass(nowNs: number): void {
    this.byRow.clear();
    const sinceNs = nowNs - KEPT_NS;
    for (const [id, cell] of this.cells) {
      // Then the next pass uses what was drawn since, however little.
      if (cell.sampleNs < sinceNs) this.release(cell.sample);
      if (cell.nextNs >= sinceNs) continue;
      this.release(cell.next);
      this.cells.delete(id);
    }
  }

  private admit(rowIdentity: number): Admitted {
    const known = this.identities.get(rowIdentity);
    const cell = this.cellFor(countedTogether(known));
    const { next: byOwner } = cell;
    const owner = this.identities.intern(aggregateIdentity(known));
    const hasRoom = byOwner.has(owner) || byOwner.size < MOST_OWNERS;
    const identity = hasRoom ? owner : undefined;
    let totals = byOwner.get(identity);
    if (totals === undefined) {
      totals = this.spare.pop() ?? new SummaryTotals();
      byOwner.set(identity, totals);
    }
    const admitted = { cell, totals };
    this.byRow.set(rowIdentity, admitted);
    return admitted;
  }

  private cellFor(id: string): Cell {
    const known = this.cells.get(id);
    if (known !== undefined) return known;
    const cell = { sample: new Map(), next: new Map(), spent: 0, ...NEVER_DRAWN };
    this.cells.set(id, cell);
    return cell;
  }

  private release(draws: Draws): void {
    for (const totals of draws.values()) {
      totals.reset();
      this.spare.push(totals);
    }
    draws.clear();
  }
}

function drawnIn(draws: Draws): number {
  return [...draws.values()].reduce((sum, { count }) => sum + count, 0);
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
