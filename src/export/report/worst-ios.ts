import { appendRows, createColumns } from '../../model/completion-columns.ts';
import type { CompletionColumns } from '../../model/completion-columns.ts';
import type { RowPlace } from '../../query/slowest/slowest.ts';

/** The slowest I/Os of a trace that is read once: each kept as a copy of its row. */
export class WorstIos {
  private readonly kept: { readonly ns: number; readonly rows: CompletionColumns }[] = [];
  private readonly most: number;

  constructor(most: number) {
    this.most = most;
  }

  /** By the time it waited in all; of equals the first stay. */
  offer(ns: number, rows: CompletionColumns, row: number): void {
    const { kept, most } = this;
    const least = kept.length < most ? -1 : kept.at(-1)!.ns;
    if (!(ns > least)) return;
    const copy = createColumns(1);
    appendRows(copy, rows, row, row + 1);
    const at = kept.findIndex((one) => one.ns < ns);
    kept.splice(at < 0 ? kept.length : at, 0, { ns, rows: copy });
    if (kept.length > most) kept.pop();
  }

  /** The slowest first. */
  places(): RowPlace[] {
    return this.kept.map(({ rows }) => ({ rows, row: 0 }));
  }
}
