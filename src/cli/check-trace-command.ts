import type { TraceCommand } from '../app/options/trace-command.ts';
import type { Result } from '../base/result.ts';
import { err, ok } from '../base/result.ts';
import { formatOfName, FORMATS, isRowFormat } from '../export/formats.ts';
import type { ExportFormat } from '../export/formats.ts';
import type { RawOptions } from './raw-options.ts';
import { checkOptions } from './check-options.ts';
import { text } from './raw-options.ts';
import { usageError } from '../app/options/usage-error.ts';

const PICTURE_OPTIONS = [
  'metric',
  'layout',
  'scale',
  'weight',
  'outliers',
  'palette',
  'interval',
  'columns',
  'rows',
  'history',
] as const;

function isUsed(name: (typeof PICTURE_OPTIONS)[number], format: ExportFormat): boolean {
  return !isRowFormat(format) || (name === 'metric' && format === 'trace2heatmap');
}

export function checkTraceCommand(
  command: TraceCommand['command'],
  raw: RawOptions,
): Result<TraceCommand> {
  const options = checkOptions(command, raw);
  if (!options.ok) return options;
  const part = {
    from: text(raw, 'from'),
    to: text(raw, 'to'),
  };
  if (command === 'report') return ok({ command, options: options.value, asked: part });
  const output = text(raw, 'output') ?? '-';
  const format = FORMATS.find((one) => one === text(raw, 'format')) ?? formatOfName(output);
  if (format === undefined) {
    const why = output === '-' ? 'no format given' : `${output} has no known extension`;
    const remedy = `choose a format with --format: ${FORMATS.join(', ')}`;
    return err(usageError('cannot export', why, remedy));
  }
  const idle = PICTURE_OPTIONS.find((name) => raw[name] !== undefined && !isUsed(name, format));
  if (idle !== undefined) {
    const remedy = `drop --${idle}, or choose the format of a picture`;
    return err(usageError(`--${idle}`, `no effect on rows (${format})`, remedy));
  }
  const asked = { ...part, format, output, force: raw['force'] === true };
  return ok({ command, options: options.value, asked });
}
