/** The first and the last of some times, in ns of trace time; infinite if there was none. */
export class TimeExtent {
  firstNs = Infinity;
  lastNs = -Infinity;

  add(atNs: number): void {
    if (atNs < this.firstNs) this.firstNs = atNs;
    if (atNs > this.lastNs) this.lastNs = atNs;
  }
}
