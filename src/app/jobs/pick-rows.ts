import { appendRows, createColumns } from '../../model/completion-columns.ts';
import type { CompletionColumns } from '../../model/completion-columns.ts';
import type { CompiledFilter } from '../../filter/match/match.ts';
import { Verdict } from '../../filter/verdict.ts';

/** Keeps the rows that match a filter. */
export class RowPicker {
  private picked = createColumns(0);

  constructor(private readonly filter: CompiledFilter) {}

  /** Matching rows; the same columns where all match, else columns that the next call reuses. */
  pick(rows: CompletionColumns): CompletionColumns {
    if (this.filter.passesAll) return rows;
    const verdicts = this.filter.judgeRows(rows, 0, rows.length);
    if (this.picked.identity.length < rows.length)
      this.picked = createColumns(rows.identity.length);
    const { picked } = this;
    picked.length = 0;
    let from = 0;
    for (let row = 0; row <= rows.length; row++) {
      if (row < rows.length && verdicts[row] === Verdict.yes) continue;
      if (row > from) appendRows(picked, rows, from, row);
      from = row + 1;
    }
    return picked;
  }
}
