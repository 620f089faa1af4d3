import { growth, readKernelStats, type DiskStats } from '../machine/diskstats.ts';
import type { Disk } from '../machine/disks.ts';
import type { KernelFilter } from './kernel-filter.ts';
import { isSummarised } from './trace-sizes.ts';

/** Which I/Os the programs deliver individually until the reader has measured how many it can afford. */
export interface StartDetail {
  /** See `DetailControl`. */
  readonly oneIn: number;
  readonly slowNs: number;
}

/**
 * Processor time per I/O before the reader's code is compiled: 50,000 I/Os that were waiting at its start took it 780
 * ms. Compiled code takes less than a twentieth of that.
 */
const COLD_ROW_NS = 15e3;
/** The highest limit for slow I/O, in mean latencies; see `slowMeans`. */
const MOST_SLOW_MEANS = 16;

const ALL: StartDetail = { oneIn: 1, slowNs: 0 };

export interface StartOptions {
  /** Processor time that the reader may take, as a share of one core. */
  readonly budget: number;
  readonly disks: readonly Disk[];
  readonly filter?: KernelFilter | undefined;
  readonly readStats?: () => ReadonlyMap<number, DiskStats>;
  readonly nowMs?: () => number;
}

/**
 * On a busy machine, tens of thousands of I/Os would come before the reader's code is compiled, and delay the first
 * frame by as many microseconds times `COLD_ROW_NS`. So the sample starts at the rate at which the kernel counts I/O
 * between this call and that of the function it returns, which is while the programs are loaded.
 */
export function watchStart(options: StartOptions): () => StartDetail {
  const { budget, disks, filter = {}, readStats = readKernelStats } = options;
  const { nowMs = () => performance.now() } = options;
  // The kernel does not count the I/O of processes, so the share of these is unknown, and all of theirs is delivered.
  if ((filter.tgids ?? []).length > 0) return () => ALL;
  const { excludedDevs = [] } = filter;
  const all = disks.filter(isSummarised).map(({ dev }) => dev);
  const devs = filter.devs ?? all.filter((dev) => !excludedDevs.includes(dev));
  const [before, startedMs] = [readStats(), nowMs()];
  return () => {
    const grown = growthOf(devs, before, readStats());
    const seconds = (nowMs() - startedMs) / 1000;
    const coldShare = ((grown.ios / seconds) * COLD_ROW_NS) / 1e9;
    if (!(coldShare > budget)) return ALL;
    const oneIn = 2 ** Math.ceil(Math.log2(coldShare / budget));
    return { oneIn, slowNs: Math.ceil((slowMeans(oneIn) * grown.ms * 1e6) / grown.ios) };
  };
}

/**
 * At most one in n I/Os takes n times as long as the mean (Markov's inequality), so no more slow ones are delivered
 * than ones drawn at random. Few I/Os take 16 times as long in practice, so the limit does not rise above that.
 */
function slowMeans(oneIn: number): number {
  return Math.min(oneIn, MOST_SLOW_MEANS);
}

function growthOf(
  devs: readonly number[],
  before: ReadonlyMap<number, DiskStats>,
  after: ReadonlyMap<number, DiskStats>,
): { readonly ios: number; readonly ms: number } {
  const sum = { ios: 0, ms: 0 };
  for (const dev of devs) {
    const [from, to] = [before.get(dev), after.get(dev)];
    if (from === undefined || to === undefined) continue;
    for (const field of ['reads', 'writes', 'discards', 'flushes'] as const)
      sum.ios += growth(from[field], to[field]);
    for (const field of ['readMs', 'writeMs', 'discardMs', 'flushMs'] as const)
      sum.ms += growth(from[field], to[field]);
  }
  return sum;
}
