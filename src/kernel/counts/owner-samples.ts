import type { CompletionColumns } from '../../model/completion-columns.ts';
import { fineBin, OFFSET_BINS } from '../../model/fine-bins.ts';
import { aggregateIdentity } from '../../model/identity-table.ts';
import type { IdentityTable } from '../../model/identity-table.ts';
import { layerOf } from '../../model/layer.ts';
import { opClassIndex } from '../../model/operation.ts';
import { SummaryTotals } from './summary-block.ts';

/** Owners with histograms of their own, 11 KB each; the I/O of others keeps an unknown owner. */
const MOST_OWNERS = 64;

/** What was drawn of the I/O of one owner on one disk, of one class of operations. */
export interface OwnerSample {
  /** Of aggregated I/O of this owner; undefined for all owners without a sample of their own. */
  readonly identity: number | undefined;
  readonly totals: SummaryTotals;
}

/** The rows that were drawn at random since the summaries were read last, by owner. */
export class OwnerSamples {
  private readonly byRow = new Map<number, SummaryTotals>();
  private readonly cells = new Map<string, Map<number | undefined, SummaryTotals>>();
  private readonly spare: SummaryTotals[] = [];
  private owners = 0;

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
      const { dev } = this.identities.get(identity);
      addRow(totals, rows, row, this.shiftOf(dev));
    }
  }

  /** Of one disk and class of operations, the largest first. */
  of(dev: number, opClass: number): OwnerSample[] {
    const found = this.cells.get(cellOf(dev, opClass)) ?? new Map<undefined, SummaryTotals>();
    const samples = [...found].map(([identity, totals]) => ({ identity, totals }));
    return samples.sort((a, b) => b.totals.count - a.totals.count);
  }

  /** The next rows are drawn from other I/O. */
  clear(): void {
    for (const cell of this.cells.values())
      for (const totals of cell.values()) {
        totals.reset();
        this.spare.push(totals);
      }
    this.cells.clear();
    this.byRow.clear();
    this.owners = 0;
  }

  private admit(rowIdentity: number): SummaryTotals {
    const known = this.identities.get(rowIdentity);
    const opClass = opClassIndex(known.cmdFlags);
    const id = cellOf(known.dev, opClass);
    const cell = this.cells.get(id) ?? new Map<number | undefined, SummaryTotals>();
    this.cells.set(id, cell);
    const owner = this.identities.intern(aggregateIdentity(known));
    const hasRoom = cell.has(owner) || this.owners < MOST_OWNERS;
    const identity = hasRoom && layerOf(known) === 'disks' ? owner : undefined;
    let totals = cell.get(identity);
    if (totals === undefined) {
      this.owners++;
      totals = this.spare.pop() ?? new SummaryTotals();
      cell.set(identity, totals);
    }
    this.byRow.set(rowIdentity, totals);
    return totals;
  }
}

function cellOf(dev: number, opClass: number): string {
  return `${dev} ${opClass}`;
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
