import type { CompletionColumns } from '../../model/completion-columns.ts';
import type { IdentityTable } from '../../model/identity-table.ts';
import type { CompletionSummary } from '../../trace/completion-summary.ts';
import { OwnerSamples } from './owner-samples.ts';
import { splitBySample } from './split-by-sample.ts';

const GOLDEN_RATIO = 0.6180339887;

/** Divides what the kernel counted among the owners of what was drawn at random from the same I/O at the same time, or shortly before. */
export class SummaryDivider {
  private readonly samples: OwnerSamples;
  private round = 0.5;

  /** `shiftOf`: sectors per offset bin of a device, as the exponent of a power of two. */
  constructor(
    private readonly identities: IdentityTable,
    shiftOf: (dev: number) => number,
  ) {
    this.samples = new OwnerSamples(identities, shiftOf);
  }

  /** `drawn`: the rows that were drawn at random. */
  tookRows(rows: CompletionColumns, drawn: readonly number[]): void {
    this.samples.add(rows, drawn);
  }

  /**
   * Of all that was counted since the last call. Where nothing was drawn since then or in the second before it, the owner
   * stays unknown. `nowNs`: since the start of the trace.
   */
  divide(summaries: readonly CompletionSummary[], nowNs: number): CompletionSummary[] {
    const parts = summaries.flatMap((summary) => {
      this.round = (this.round + GOLDEN_RATIO) % 1;
      const identity = this.identities.get(summary.identity);
      const sample = this.samples.spend(identity, summary.count);
      return splitBySample(summary, sample, this.round);
    });
    this.samples.endPass(nowNs);
    return parts;
  }
}
