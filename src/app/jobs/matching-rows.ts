import { appendRows, createColumns } from '../../model/completion-columns.ts';
import type { CompletionColumns } from '../../model/completion-columns.ts';
import type { CompiledFilter } from '../../filter/match/match.ts';
import { Verdict } from '../../filter/verdict.ts';

/** Reduces batches to the rows that match a filter. */
export class MatchingRows {
  private matching = createColumns(0);

  constructor(private readonly filter: CompiledFilter) {}

  /** The rows that match: the given columns if all do, otherwise columns that the next call reuses. */
  of(rows: CompletionColumns): CompletionColumns {
    if (this.filter.passesAll) return rows;
    const verdicts = this.filter.judgeRows(rows, 0, rows.length);
    if (this.matching.identity.length < rows.length)
      this.matching = createColumns(rows.identity.length);
    const { matching } = this;
    matching.length = 0;
    let from = 0;
    for (let row = 0; row <= rows.length; row++) {
      if (row < rows.length && verdicts[row] === Verdict.yes) continue;
      if (row > from) appendRows(matching, rows, from, row);
      from = row + 1;
    }
    return matching;
  }
}
