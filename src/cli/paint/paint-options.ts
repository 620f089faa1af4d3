import type { Result } from '../../base/result.ts';
import { err, ok } from '../../base/result.ts';
import { PAINTABLE, textColumns } from '../../paint/font.ts';
import type { PaintedColumn } from '../../paint/font.ts';
import { quoted, size, time } from '../option-rules.ts';
import type { RawOptions } from '../options.ts';
import { usageError } from '../options.ts';

export const PAINT_METRICS = ['offset', 'size', 'latency'] as const;
export type PaintMetric = (typeof PAINT_METRICS)[number];

/** What `ioheat paint` is asked for, checked. */
export interface PaintOptions {
  readonly text: string;
  readonly columns: readonly PaintedColumn[];
  readonly metric: PaintMetric;
  readonly target: string;
  readonly intervalNs: number;
  readonly writes: boolean;
  readonly newBytes: number;
  readonly overwrite: boolean;
}

/** A picture that takes an hour to paint is a mistake. */
const MAX_LETTERS = 200;
const MIN_BYTES = 2 ** 20;

const HELP = 'see ioheat paint --help';
const LETTERS = `choose among ${PAINTABLE}`;

export const PAINT_INTERVAL = time('100ms', '1m');
export const PAINT_SIZE = size('1M', '1T');

export function checkPaintOptions(raw: RawOptions): Result<PaintOptions> {
  const word = (name: string): string | undefined => lastWord(raw[name]);
  const text = word('text') ?? '';
  const columns = textColumns(text);
  const interval = PAINT_INTERVAL.parse(word('interval') ?? '1s');
  const bytes = PAINT_SIZE.parse(word('size') ?? '64M');
  const target = word('target');
  if (text.trim() === '' || text.length > MAX_LETTERS)
    return err(
      usageError('TEXT', `${quoted(text)} is not a text of 1 to ${MAX_LETTERS} letters`, HELP),
    );
  if (columns === undefined)
    return err(usageError('TEXT', `${quoted(text)} has letters that cannot be painted`, LETTERS));
  if (target === undefined)
    return err(usageError('--target', 'it is missing, a disk or a file to do the I/O to', HELP));
  if (!interval.ok) return err(usageError('--interval', interval.error, HELP));
  if (!bytes.ok) return err(usageError('--size', bytes.error, HELP));
  return ok({
    text,
    columns,
    metric: (word('metric') ?? 'offset') as PaintMetric,
    target,
    intervalNs: interval.value,
    writes: word('op') === 'write',
    newBytes: Math.ceil(bytes.value / MIN_BYTES) * MIN_BYTES,
    overwrite: raw['overwrite'] === true,
  });
}

/** Of an option given twice the last one holds. */
function lastWord(given: unknown): string | undefined {
  const value: unknown = Array.isArray(given) ? given.at(-1) : given;
  return typeof value === 'string' ? value : undefined;
}
