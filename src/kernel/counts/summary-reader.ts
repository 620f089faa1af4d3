import { OTHER_DISKS, OTHER_VOLUMES, UNKNOWN_DEVICE } from '../../model/device.ts';
import { IdentityMark } from '../../model/identity.ts';
import { type IdentityTable } from '../../model/identity-table.ts';
import { Op, OP_CLASSES } from '../../model/operation.ts';
import type { CompletionSummary } from '../../trace/completion-summary.ts';
import type { CounterReader } from './counter-reader.ts';
import { EPOCHS, epochSpan } from './epochs.ts';
import { Summary } from '../abi/layout.ts';
import { SHARED_SUMMARIES, summaryCount } from '../attach/trace-sizes.ts';
import type { SummaryDevices } from '../attach/summary-devices.ts';
import {
  copySummary,
  SUMMARY_WORDS,
  SummaryTotals,
  word64,
  type SummaryCopy,
} from './summary-block.ts';

/** The `cmd_flags` of each class; the last number belongs to no operation. */
const OP_OF_CLASS = [Op.read, Op.write, Op.flush, Op.discard, 0xff];

/** What is counted together has one device number per layer. */
const SHARED_DEVICE: Readonly<Record<(typeof SHARED_SUMMARIES)[number], number>> = {
  disks: OTHER_DISKS,
  volumes: OTHER_VOLUMES,
  calls: UNKNOWN_DEVICE,
};

export interface SummaryShape {
  readonly devices: number;
  readonly stripes: number;
}

export interface SummaryReaderOptions {
  readonly shape: SummaryShape;
  readonly devices: SummaryDevices;
  readonly isVolume: (dev: number) => boolean;
  readonly counters: Pick<CounterReader, 'summarised'>;
  readonly identities: IdentityTable;
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
 * What the kernel programs counted because it was left out or the ring was full, as growth since the last reading. Summaries are never
 * reset, so no count is lost between reading and resetting.
 */
export class SummaryReader {
  private readonly copies = new Map<number, SummaryCopy>();
  private readonly spare: SummaryCopy = new Uint32Array(SUMMARY_WORDS);
  private summarised = 0;
  /** Whether a summary was written during all attempts to copy it. */
  private wasBusy = false;
  private sinceNs: number;

  constructor(
    private readonly buffer: ArrayBuffer,
    private readonly options: SummaryReaderOptions,
  ) {
    this.sinceNs = options.baseNs;
  }

  /** `nowNs`: the machine's monotonic clock, which the kernel programs read. */
  read(nowNs: () => number): CompletionSummary[] {
    const startedNs = nowNs();
    const summarised = this.options.counters.summarised();
    const isSame = summarised === this.summarised && !this.wasBusy;
    const found = isSame ? [] : this.readAll(nowNs);
    this.summarised = summarised;
    this.sinceNs = startedNs;
    this.options.devices.wereRead(startedNs);
    return found;
  }

  private readAll(nowNs: () => number): CompletionSummary[] {
    this.wasBusy = false;
    const grown = this.grownCells();
    const untilNs = nowNs();
    return grown.map(({ cell, totals }) => this.finish(cell, totals, untilNs));
  }

  private grownCells(): { cell: Cell; totals: SummaryTotals }[] {
    const found: { cell: Cell; totals: SummaryTotals }[] = [];
    const { stripes } = this.options.shape;
    const cells = summaryCount(this.options.shape) / stripes;
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

  /** Adds up the stripes of a cell; undefined when none has grown. */
  private readCell(firstStripe: number): SummaryTotals | undefined {
    let totals: SummaryTotals | undefined;
    for (let index = firstStripe; index < firstStripe + this.options.shape.stripes; index++) {
      const live = new Uint32Array(this.buffer, index * Summary.bytes, SUMMARY_WORDS);
      const before = this.copies.get(index);
      const count = word64(live, Summary.offsets.count);
      if (count === (before === undefined ? 0 : word64(before, Summary.offsets.count))) continue;
      if (copySummary(live, this.spare)) {
        totals ??= new SummaryTotals();
        this.accept(index, before, totals);
      } else this.wasBusy = true;
    }
    return totals;
  }

  private accept(index: number, before: SummaryCopy | undefined, totals: SummaryTotals): void {
    const known = before ?? new Uint32Array(SUMMARY_WORDS);
    totals.addGrowth(known, this.spare);
    known.set(this.spare);
    this.copies.set(index, known);
  }

  /** Undefined for disks, see `Identity.layer`. */
  private layerOf({ device }: Cell, dev: number): 'volumes' | 'calls' | undefined {
    const { shape, isVolume } = this.options;
    if (dev !== 0) return isVolume(dev) ? 'volumes' : undefined;
    const shared = SHARED_SUMMARIES[device - shape.devices];
    return shared === 'disks' ? undefined : shared;
  }

  private finish(cell: Cell, totals: SummaryTotals, untilNs: number): CompletionSummary {
    const span = epochSpan(cell.epoch, this.sinceNs, untilNs);
    const { dev, offsetShift } = this.options.devices.entry(cell.device);
    const layer = this.layerOf(cell, dev);
    const key = this.options.identities.intern({
      dev: dev === 0 ? SHARED_DEVICE[layer ?? 'disks'] : dev,
      cmdFlags: OP_OF_CLASS[cell.opClass]!,
      tgid: 0,
      tid: 0,
      comm: '',
      cgroup: 0,
      error: 0,
      marks: IdentityMark.noDetail | IdentityMark.ownerUnknown,
      layer,
    });
    return {
      startNs: span.startNs - this.options.baseNs,
      endNs: span.endNs - this.options.baseNs,
      identity: key,
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
