/** A stretch of trace time. */
export interface Span {
  readonly startNs: number;
  readonly endNs: number;
}

/** The total time inside `within` that at least one of the spans covers, in ns. */
export function unionNs(spans: readonly Span[], within: Span): number {
  let [sum, untilNs] = [0, within.startNs];
  for (const { startNs, endNs } of spans.toSorted((a, b) => a.startNs - b.startNs)) {
    const end = Math.min(endNs, within.endNs);
    sum += Math.max(0, end - Math.max(startNs, untilNs));
    untilNs = Math.max(untilNs, end);
  }
  return sum;
}
