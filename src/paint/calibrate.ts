import type { PaintTarget } from './target.ts';
import type { SizeCost } from './plan.ts';

const TRIES = 48;
/** The first I/Os of a size warm caches up. */
const WARM_UP = 8;

/**
 * What an I/O of each size costs between a block and the largest, in ns, without the way into the kernel
 * and back. The quickest eighth counts: the rest waited for a busy machine, not for its bytes.
 */
export function calibrate(target: PaintTarget, nowNs: () => bigint): SizeCost[] {
  const { blockBytes, maxBytes } = target.canvas;
  const callNs = usualCost(target, 0, nowNs);
  const costs: SizeCost[] = [];
  for (let bytes = blockBytes; bytes <= maxBytes; bytes *= 2)
    costs.push({ bytes, ns: Math.max(1, usualCost(target, bytes, nowNs) - callNs) });
  return costs;
}

function usualCost(target: PaintTarget, bytes: number, nowNs: () => bigint): number {
  const times: number[] = [];
  for (let index = 0; index < WARM_UP + TRIES; index++) {
    const startNs = nowNs();
    target.stroke({ offset: 0, bytes });
    if (index >= WARM_UP) times.push(Number(nowNs() - startNs));
  }
  times.sort((a, b) => a - b);
  return times[times.length >> 3]!;
}
