import type { TimeRange } from '../../base/time.ts';

/** Stretches of time that have not been counted: disjoint, the oldest first. */
export class Gaps {
  private list: readonly TimeRange[] = [];

  get newest(): TimeRange | undefined {
    return this.list.at(-1);
  }

  get totalNs(): number {
    return this.list.reduce((sum, { fromNs, toNs }) => sum + toNs - fromNs, 0);
  }

  meets(fromNs: number, toNs: number): boolean {
    return this.list.some((gap) => gap.fromNs < toNs && gap.toNs > fromNs);
  }

  add(fromNs: number, toNs: number): void {
    if (!(fromNs < toNs)) return;
    const touching = this.list.filter((gap) => gap.fromNs <= toNs && gap.toNs >= fromNs);
    const united = {
      fromNs: Math.min(fromNs, ...touching.map((gap) => gap.fromNs)),
      toNs: Math.max(toNs, ...touching.map((gap) => gap.toNs)),
    };
    const others = this.list.filter((gap) => !touching.includes(gap));
    this.list = [...others, united].sort((a, b) => a.fromNs - b.fromNs);
  }

  remove(fromNs: number, toNs: number): void {
    this.list = this.list
      .flatMap((gap) => [
        { fromNs: gap.fromNs, toNs: Math.min(gap.toNs, fromNs) },
        { fromNs: Math.max(gap.fromNs, toNs), toNs: gap.toNs },
      ])
      .filter((gap) => gap.fromNs < gap.toNs);
  }

  /** Removes what is outside [fromNs, toNs). */
  cutTo(fromNs: number, toNs: number): void {
    this.list = this.list
      .map((gap) => ({ fromNs: Math.max(fromNs, gap.fromNs), toNs: Math.min(toNs, gap.toNs) }))
      .filter((gap) => gap.fromNs < gap.toNs);
  }

  /** The stretches within [fromNs, toNs) that are between the gaps, the newest first. */
  between(fromNs: number, toNs: number): TimeRange[] {
    const found: TimeRange[] = [];
    let end = toNs;
    for (let i = this.list.length - 1; i >= 0; i--) {
      const gap = this.list[i]!;
      if (gap.toNs < end) found.push({ fromNs: gap.toNs, toNs: end });
      end = gap.fromNs;
    }
    if (fromNs < end) found.push({ fromNs, toNs: end });
    return found;
  }
}
