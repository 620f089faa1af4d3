import { IdentityMark, type IdentityTable } from '../model/identity-table.ts';
import { Op, OP_CLASSES } from '../model/operation.ts';
import type { CompletionSummary } from '../source/completion-summary.ts';
import type { CounterReader } from './counter-reader.ts';
import { epochSpan } from './epochs.ts';
import { COUNTER_NAMES, EPOCHS, Summary } from './layout.ts';
import type { SummaryDevices } from './summary-devices.ts';
import {
  copySummary,
  SUMMARY_WORDS,
  SummaryTotals,
  word64,
  type SummaryCopy,
} from './summary-block.ts';

/** `cmd_flags` that stand for a class; no operation has the last number. */
const OP_OF_CLASS = [Op.read, Op.write, Op.flush, Op.discard, 0xff];
const SUMMARISED = COUNTER_NAMES.indexOf('summarised');

export interface SummaryShape {
  readonly devices: number;
  readonly stripes: number;
}

export interface SummaryReaderOptions {
  readonly shape: SummaryShape;
  readonly devices: SummaryDevices;
  readonly counters: CounterReader;
  readonly keys: IdentityTable;
  /** The monotonic clock at the start of the trace. */
  readonly baseNs: number;
}

/** One device, operation class and epoch slot. */
interface Cell {
  readonly device: number;
  readonly opClass: number;
  readonly epoch: number;
}

/**
 * What the kernel counted because the ring was full, as growth since the last look. The kernel's tables
 * are never reset, so nothing can be lost between reading and clearing.
 */
export class SummaryReader {
  private readonly copies = new Map<number, SummaryCopy>();
  private readonly spare: SummaryCopy = new Uint32Array(SUMMARY_WORDS);
  private summarised = 0;
  private sinceNs: number;

  constructor(
    private readonly buffer: ArrayBuffer,
    private readonly options: SummaryReaderOptions,
  ) {
    this.sinceNs = options.baseNs;
  }

  /** `nowNs`: the monotonic clock, as the kernel programs read it. */
  read(nowNs: () => number): CompletionSummary[] {
    const startedNs = nowNs();
    const summarised = this.options.counters.sum(SUMMARISED);
    const found = summarised === this.summarised ? [] : this.readAll(nowNs);
    this.summarised = summarised;
    this.sinceNs = startedNs;
    return found;
  }

  private readAll(nowNs: () => number): CompletionSummary[] {
    const grown = this.grownCells();
    const untilNs = nowNs();
    return grown.map(({ cell, totals }) => this.finish(cell, totals, untilNs));
  }

  private grownCells(): { cell: Cell; totals: SummaryTotals }[] {
    const found: { cell: Cell; totals: SummaryTotals }[] = [];
    const { devices, stripes } = this.options.shape;
    const cells = (devices + 1) * OP_CLASSES.length * EPOCHS;
    for (let index = 0; index < cells; index++) {
      const totals = this.readCell(index * stripes);
      if (totals === undefined) continue;
      const epoch = index % EPOCHS;
      const opClass = Math.floor(index / EPOCHS) % OP_CLASSES.length;
      const device = Math.floor(index / (EPOCHS * OP_CLASSES.length));
      found.push({ cell: { device, opClass, epoch }, totals });
    }
    return found;
  }

  /** Sums the stripes of a cell; undefined when none has grown. */
  private readCell(firstStripe: number): SummaryTotals | undefined {
    let totals: SummaryTotals | undefined;
    for (let index = firstStripe; index < firstStripe + this.options.shape.stripes; index++) {
      const live = new Uint32Array(this.buffer, index * Summary.bytes, SUMMARY_WORDS);
      const before = this.copies.get(index);
      const count = word64(live, Summary.offsets.count);
      if (count === (before === undefined ? 0 : word64(before, Summary.offsets.count))) continue;
      if (!copySummary(live, this.spare)) continue;
      totals ??= new SummaryTotals();
      this.accept(index, before, totals);
    }
    return totals;
  }

  private accept(index: number, before: SummaryCopy | undefined, totals: SummaryTotals): void {
    const known = before ?? new Uint32Array(SUMMARY_WORDS);
    totals.addGrowth(known, this.spare);
    known.set(this.spare);
    this.copies.set(index, known);
  }

  private finish(cell: Cell, totals: SummaryTotals, untilNs: number): CompletionSummary {
    const span = epochSpan(cell.epoch, this.sinceNs, untilNs);
    const { dev, offsetShift } = this.options.devices.entry(cell.device);
    const key = this.options.keys.intern({
      dev,
      cmdFlags: OP_OF_CLASS[cell.opClass]!,
      tgid: 0,
      tid: 0,
      comm: '',
      cgroup: 0,
      error: 0,
      marks: IdentityMark.noDetail | IdentityMark.ownerUnknown,
    });
    return {
      startNs: span.startNs - this.options.baseNs,
      endNs: span.endNs - this.options.baseNs,
      key,
      offsetShift,
      count: totals.count,
      bytes: totals.bytes,
      errors: totals.errors,
      deviceNsSum: totals.deviceNsSum,
      queueNsSum: totals.queueNsSum,
      maxDeviceNs: totals.maxDeviceNs,
      maxQueueNs: totals.maxQueueNs,
      device: totals.device,
      queue: totals.queue,
      total: totals.total,
      size: totals.size,
      offset: totals.offset,
    };
  }
}
