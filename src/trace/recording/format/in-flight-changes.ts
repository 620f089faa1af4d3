import type { InFlightSpan, KnownInFlight } from '../../../model/in-flight.ts';
import type { FileBook } from './file-book.ts';

/** Determines which spans of I/O in flight a recording still lacks. */
export class InFlightChanges {
  /** The spans as they were written in this epoch, and the numbers of those that have ended. */
  private readonly written = new Map<number, InFlightSpan>();
  private version: number | undefined;

  constructor(
    private readonly known: KnownInFlight | undefined,
    /** Spans that ended before this time belong to an earlier recording. */
    private readonly startNs: number,
  ) {}

  startEpoch(): void {
    for (const [number, { untilNs }] of this.written)
      if (untilNs === Infinity) this.written.delete(number);
    this.version = undefined;
  }

  /** Whether some wait to be written. */
  get isDue(): boolean {
    return this.due().length > 0;
  }

  /**
   * The spans to write, with the numbers that their files have in the epoch; undefined if it is unknown what is in
   * flight.
   */
  take(files: FileBook): readonly InFlightSpan[] | undefined {
    if (this.known === undefined) return undefined;
    const found = this.due();
    this.version = this.known.version;
    for (const span of found) this.written.set(span.number, span);
    return found.map((span) => ({ ...span, file: span.file && files.number(span.file) }));
  }

  private due(): readonly InFlightSpan[] {
    const { known, written, version, startNs } = this;
    if (known === undefined || known.version === version) return [];
    const spans = known.spans().filter(({ untilNs }) => untilNs >= startNs);
    return spans.filter((span) => written.get(span.number) !== span);
  }
}
