import { parseBytes, parseDuration } from '../../base/parse.ts';
import type { Result } from '../../base/result.ts';
import { err, ok } from '../../base/result.ts';
import { PAINTABLE, textColumns } from '../../paint/font.ts';
import type { PaintedColumn } from '../../paint/font.ts';
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
const MAX_BYTES = 2 ** 40;

export function checkPaintOptions(raw: RawOptions): Result<PaintOptions> {
  const word = (name: string): string | undefined =>
    typeof raw[name] === 'string' ? raw[name] : undefined;
  const text = word('text') ?? '';
  const columns = textColumns(text);
  const interval = parseDuration(word('interval') ?? '1s');
  const size = parseBytes(word('size') ?? '64M');
  const target = word('target');
  if (text.trim() === '' || text.length > MAX_LETTERS)
    return err(usageError(`a text of 1 to ${MAX_LETTERS} letters is needed`));
  if (columns === undefined)
    return err(usageError(`"${text}" has letters that cannot be painted; there are ${PAINTABLE}`));
  if (target === undefined) return err(usageError('--target must name a disk or a file'));
  if (!interval.ok) return err(usageError(`--interval: ${interval.error}`));
  if (interval.value < 100e6 || interval.value > 60e9)
    return err(usageError('--interval must lie between 100ms and 1m'));
  if (!size.ok) return err(usageError(`--size: ${size.error}`));
  if (size.value < MIN_BYTES || size.value > MAX_BYTES)
    return err(usageError('--size must lie between 1M and 1T'));
  return ok({
    text,
    columns,
    metric: (word('metric') ?? 'offset') as PaintMetric,
    target,
    intervalNs: interval.value,
    writes: word('op') === 'write',
    newBytes: Math.ceil(size.value / MIN_BYTES) * MIN_BYTES,
    overwrite: raw['overwrite'] === true,
  });
}
