import type { Result } from '../../base/result.ts';
import { err, ok } from '../../base/result.ts';
import type { ExportFormat } from '../../export/formats.ts';
import { formatOfName, FORMATS } from '../../export/formats.ts';
import type { Options, RawOptions } from '../options.ts';
import { checkOptions, usageError } from '../options.ts';

/** `ioheat export` and `ioheat report`, checked. */
export type TraceCommand =
  | { readonly command: 'export'; readonly options: Options; readonly asked: ExportOptions }
  | { readonly command: 'report'; readonly options: Options; readonly asked: ReportOptions };

export interface ReportOptions {
  /** The trace: a path, or `-`. */
  readonly file: string;
  readonly from: string | undefined;
  readonly to: string | undefined;
}

export interface ExportOptions extends ReportOptions {
  readonly format: ExportFormat;
  /** A path, or `-`. */
  readonly output: string;
  /** An existing file gives way. */
  readonly force: boolean;
}

/** Words as the parser took them: names and choices are checked. */
export function checkTraceCommand(
  command: TraceCommand['command'],
  raw: RawOptions,
): Result<TraceCommand> {
  const options = checkOptions(command, raw);
  if (!options.ok) return options;
  const part = { file: fileOf(raw), from: word(raw, 'from'), to: word(raw, 'to') };
  if (command === 'report') return ok({ command, options: options.value, asked: part });
  const output = word(raw, 'output') ?? '-';
  const format = FORMATS.find((one) => one === word(raw, 'format')) ?? formatOfName(output);
  if (format === undefined) {
    const why = output === '-' ? 'the format is missing' : `${output} has none of the extensions`;
    const remedy = `choose a format with --format: ${FORMATS.join(', ')}`;
    return err(usageError('cannot export', why, remedy));
  }
  const asked = { ...part, format, output, force: raw['force'] === true };
  return ok({ command, options: options.value, asked });
}

/** The parser makes an empty word of a lone `-`. */
function fileOf(raw: RawOptions): string {
  const file = word(raw, 'file') ?? '';
  return file === '' ? '-' : file;
}

/** Of an option given twice the last one holds. */
function word(raw: RawOptions, name: string): string | undefined {
  const given = raw[name];
  const value: unknown = Array.isArray(given) ? given.at(-1) : given;
  return typeof value === 'string' ? value : undefined;
}
