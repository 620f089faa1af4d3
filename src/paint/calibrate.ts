import type { PaintTarget } from './target.ts';
import type { SizeCost } from './plan.ts';

const TRIES = 48;
/** The first I/Os of a size warm caches up. */
const WARM_UP = 8;

/** Median time of an I/O of each size between a block and the largest, in ns. */
export function calibrate(target: PaintTarget, nowNs: () => bigint): SizeCost[] {
  const { blockBytes, maxBytes } = target.canvas;
  const costs: SizeCost[] = [];
  for (let bytes = Math.max(4096, blockBytes); bytes <= maxBytes; bytes *= 2)
    costs.push({ bytes, ns: medianCost(target, bytes, nowNs) });
  return costs;
}

function medianCost(target: PaintTarget, bytes: number, nowNs: () => bigint): number {
  const times: number[] = [];
  for (let index = 0; index < WARM_UP + TRIES; index++) {
    const startNs = nowNs();
    target.stroke({ offset: 0, bytes });
    if (index >= WARM_UP) times.push(Number(nowNs() - startNs));
  }
  times.sort((a, b) => a - b);
  return times[times.length >> 1]!;
}
