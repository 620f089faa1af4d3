import { Counters, IoCompletion, Summary } from '../../../src/kernel/abi/layout.ts';
import { planSizes, summaryCount } from '../../../src/kernel/attach/trace-sizes.ts';
import type { TraceSizes } from '../../../src/kernel/attach/trace-sizes.ts';
import { LEAST_ROWS } from '../../../src/kernel/live/detail-rate.ts';
import { SLOW_SHARE } from '../../../src/kernel/counts/slow-limit.ts';
import type { Disk } from '../../../src/kernel/machine/disks.ts';

/** A machine and its load. */
export interface Scale {
  readonly cpus: number;
  readonly disks: number;
  readonly perSecond: number;
}

/** What was measured in the same run. Processor time of the reader in µs. */
export interface Parameters {
  /** For a row, from the ring to history and picture. */
  readonly rowUs: number;
  /** For looking at the ring, whatever is in it, as a share of a core. */
  readonly passes: number;
  /** A look at what was counted: whatever there is, by disk, and by summary with I/O. */
  readonly takeUs: number;
  readonly takeDiskUs: number;
  readonly takeSummaryUs: number;
  /** Everything else (picture, tables, timers), as a share of a core: whatever there is, and by disk. */
  readonly rest: number;
  readonly restDisk: number;
  /** An atomic addition to memory that another processor has just changed, in ns. */
  readonly sharedNs: number;
}

export interface Modelled {
  readonly sizes: TraceSizes;
  readonly summaryBytes: number;
  readonly counterBytes: number;
  readonly oneIn: number;
  readonly rowsPerSecond: number;
  readonly takeUs: number;
  readonly takesPerSecond: number;
  /** Of one core. */
  readonly share: number;
  /** How long the ring takes all I/O, and what is delivered. */
  readonly allSeconds: number;
  readonly detailSeconds: number;
  /** Share of the time in which the busiest summary is being added to. */
  readonly busiest: number;
}

/** Reads and writes; one of both makes this share. */
const CLASSES = 2;
const CLASS_SHARE = 0.7;
const HEADER_BYTES = 8;
const RECORD_BYTES = IoCompletion.bytes + HEADER_BYTES;
/** `begun`, `count`, `bytes` and the sums of both times lie next to each other. */
const SHARED_ADDITIONS = 5;
/** As in src/kernel/live/detail-rate.ts: what rows may cost, however much the rest takes. */
const LEAST_PART = 0.2;
/** `SlowLimit` adds up about half a second, and takes at most so many of it. */
const SLOW_SECONDS = 0.5;
const MOST_SLOW = 1000;
/** As in src/app/session/frame-budget.ts: how often it looks above the budget, and from which part of the budget on once. */
const TAKES_PER_SECOND = 2;
const MOST_OF_TWO = 1.2;

export function sizesOf(cpus: number, disks: number): TraceSizes {
  const disk = { requestBased: true, sizeBytes: 2 ** 40, requestLimit: 1023 } as Disk;
  return planSizes(Array<Disk>(disks).fill(disk), cpus);
}

/**
 * The reader in the budgeted mode, on a machine of any size, where each disk has I/O of two dozen owners:
 *
 *     slow  = min(0.2 % of the I/Os, 2000) a second
 *     rows  = perSecond / oneIn + slow     with the smallest power of two as oneIn for which
 *             passes + rows · rowUs ≤ budget − takes · take − others, at least a fifth of the budget,
 *             or perSecond / oneIn ≤ 1000, which is drawn whatever it costs
 *     take  = takeUs + disks · (takeDiskUs + classes · stripes · takeSummaryUs)
 *     others = rest + disks · restDisk
 *     share = passes + rows · rowUs + takes · take + others
 *     takes = 2 a second, or 1 where share would be more than 1.2 of the budget
 *
 * The processors do not occur in `share` but by the stripes, of which there are at most four: what each processor has
 * alone is only its counters. In the kernel the stripes limit: I/Os of one disk, class and stripe add to the same memory,
 *
 *     busiest = perSecond · 0.7 / disks / stripes · 5 · sharedNs
 */
export function modelled(scale: Scale, budget: number, known: Parameters): Modelled {
  const twice = modelledAt(TAKES_PER_SECOND, scale, budget, known);
  return twice.share <= MOST_OF_TWO * budget ? twice : modelledAt(1, scale, budget, known);
}

function modelledAt(
  takesPerSecond: number,
  scale: Scale,
  budget: number,
  known: Parameters,
): Modelled {
  const { cpus, disks, perSecond } = scale;
  const sizes = sizesOf(cpus, disks);
  const { stripes } = sizes;
  const { rowUs, passes, rest, restDisk } = known;
  const takeUs =
    known.takeUs + disks * (known.takeDiskUs + CLASSES * stripes * known.takeSummaryUs);
  const others = rest + disks * restDisk + (takesPerSecond * takeUs) / 1e6;
  const room = Math.max(budget - others, LEAST_PART * budget);
  const slow = Math.min(SLOW_SHARE * perSecond, MOST_SLOW / SLOW_SECONDS);
  const rowsAt = (oneIn: number): number => perSecond / oneIn + (oneIn > 1 ? slow : 0);
  let oneIn = 1;
  const spent = (): number => passes + (rowsAt(oneIn) * rowUs) / 1e6;
  while (spent() > room && perSecond / oneIn > LEAST_ROWS) oneIn *= 2;
  const rowsPerSecond = rowsAt(oneIn);
  return {
    ...{ sizes, takeUs, takesPerSecond, oneIn, rowsPerSecond },
    summaryBytes: summaryCount(sizes) * Summary.bytes,
    counterBytes: cpus * Counters.bytes,
    share: others + spent(),
    allSeconds: sizes.ringBytes / RECORD_BYTES / perSecond,
    detailSeconds: sizes.ringBytes / RECORD_BYTES / rowsPerSecond,
    busiest: (perSecond * CLASS_SHARE * SHARED_ADDITIONS * known.sharedNs) / 1e9 / disks / stripes,
  };
}
