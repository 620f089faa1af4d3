import type { CompletionColumns } from '../../model/completion-columns.ts';
import type { CompiledFilter } from '../../filter/match/match.ts';
import { Verdict } from '../../filter/verdict.ts';

/** The rows to export: those that match the filter and completed in [fromNs, toNs) of trace time. */
export interface RowSelection {
  readonly filter: CompiledFilter;
  readonly fromNs: number;
  readonly toNs: number;
}

/** Finds the selected rows of a block. */
export class RowPicker {
  /** Indexes of the rows that the last `pick` found. */
  picked = new Uint32Array(1 << 16);
  /** How many have been picked so far. */
  count = 0;
  /** I/Os that may or may not match the filter: they are not exported. */
  undecided = 0;
  private readonly selection: RowSelection;

  constructor(selection: RowSelection) {
    this.selection = selection;
  }

  /** Whether a moment is in the selected time. */
  covers(atNs: number): boolean {
    const { fromNs, toNs } = this.selection;
    return atNs >= fromNs && atNs < toNs;
  }

  /** Finds the selected rows; returns their number. */
  pick(rows: CompletionColumns): number {
    const { filter } = this.selection;
    const { length, completeNs } = rows;
    if (this.picked.length < length) this.picked = new Uint32Array(length);
    const verdicts = filter.passesAll ? undefined : filter.judgeRows(rows, 0, length);
    let found = 0;
    for (let row = 0; row < length; row++) {
      if (!this.covers(completeNs[row]!)) continue;
      const verdict = verdicts?.[row] ?? Verdict.yes;
      if (verdict === Verdict.yes) this.picked[found++] = row;
      else if (verdict === Verdict.maybe) this.undecided++;
    }
    this.count += found;
    return found;
  }
}
