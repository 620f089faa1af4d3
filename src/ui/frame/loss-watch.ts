const SPAN_NS = 60e9;
const SAMPLE_EVERY_NS = 1e9;

/** Cumulative counts at one moment. */
interface Sample {
  readonly atNs: number;
  readonly taken: number;
  readonly lost: number;
}

/** Watches recent losses, because a minute of losses would disappear in the total of a long trace. */
export class LossWatch {
  private samples: Sample[] = [];

  /** Records the counts at the trace time `atNs`; a replay that goes back resets them. */
  note(atNs: number, taken: number, lost: number): void {
    const last = this.samples.at(-1);
    if (last !== undefined && (atNs < last.atNs || taken + lost < last.taken + last.lost))
      this.samples = [];
    else if (last !== undefined && atNs - last.atNs < SAMPLE_EVERY_NS) return;
    this.samples.push({ atNs, taken, lost });
    while (this.samples.length > 2 && this.samples[1]!.atNs <= atNs - SPAN_NS) this.samples.shift();
  }

  /** The share of lost I/O in about the last minute, 0 to 1. */
  get share(): number {
    const [first, last] = [this.samples[0], this.samples.at(-1)];
    if (first === undefined || last === undefined) return 0;
    const lost = last.lost - first.lost;
    const all = last.taken - first.taken + lost;
    return all > 0 ? Math.max(0, lost / all) : 0;
  }
}
