import type { Result } from '../../base/result.ts';
import { err, ok } from '../../base/result.ts';
import type { ExportFormat } from '../../export/formats.ts';
import { formatOfName, FORMATS } from '../../export/formats.ts';

/** What `export` and `report` alone are told. */
export interface ExportOptions {
  /** The trace: a path, or `-`. */
  readonly file: string;
  readonly format: ExportFormat;
  /** A path, or `-`. */
  readonly output: string;
  readonly from: string | undefined;
  readonly to: string | undefined;
  /** An existing file gives way. */
  readonly force: boolean;
}

/** Words as the parser took them: names and choices are checked. */
export function checkExport(
  word: (name: string) => string | undefined,
  force: boolean,
): Result<ExportOptions, string> {
  const output = word('output') ?? '-';
  const format = FORMATS.find((one) => one === word('format')) ?? formatOfName(output);
  if (format === undefined) {
    const why = output === '-' ? '' : `; the name ${output} does not tell it`;
    return err(`say with --format what to export: ${FORMATS.join(', ')}${why}`);
  }
  return ok({
    file: word('file') ?? '-',
    format,
    output,
    from: word('from'),
    to: word('to'),
    force,
  });
}
