import type { CompletionColumns } from '../../model/completion-columns.ts';
import type { RowPicker } from './row-picker.ts';

/** Writes rows in one format, a block at a time, so that memory does not grow with the length of a trace. */
export interface RowEncoder {
  begin(): string | Uint8Array;
  /** Encodes the rows that are picked. The result is valid until the next call. */
  encode(rows: CompletionColumns, picker: RowPicker): string | Uint8Array;
  end(): string | Uint8Array;
  /** The number of I/Os that the format cannot represent, and the reason. */
  readonly left: { readonly count: number; readonly why: string } | undefined;
}

/** An encoder for a format with one line per I/O. */
export function linesOf(
  rows: CompletionColumns,
  picker: RowPicker,
  line: (row: number) => string,
): string {
  const count = picker.pick(rows);
  const { picked } = picker;
  const lines: string[] = [];
  for (let i = 0; i < count; i++) lines.push(line(picked[i]!));
  return lines.join('');
}
