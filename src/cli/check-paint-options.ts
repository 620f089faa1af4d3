import type { PaintMetric, PaintOptions } from '../app/options/paint-options.ts';
import type { Result } from '../base/result.ts';
import { err, ok } from '../base/result.ts';
import { PAINTABLE, textColumns } from '../paint/font.ts';
import { size, time } from './option-rules.ts';
import { quoted } from '../base/quote.ts';
import { text as wordOf } from './raw-options.ts';
import type { RawOptions } from './raw-options.ts';
import { usageError } from '../app/options/usage-error.ts';

/** Maximum length of a text: a longer one would take more than an hour to paint. */
const MAX_LETTERS = 200;
const MIN_BYTES = 2 ** 20;

const HELP = 'see ioheat paint --help';
const LETTERS = `use only ${PAINTABLE}`;

export const PAINT_INTERVAL = time('100ms', '1m');
export const PAINT_SIZE = size('1M', '1T');

export function checkPaintOptions(raw: RawOptions): Result<PaintOptions> {
  const word = (name: string): string | undefined => wordOf(raw, name);
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
    return err(
      usageError('TEXT', `${quoted(text)} contains letters that cannot be painted`, LETTERS),
    );
  if (target === undefined)
    return err(usageError('--target', 'no disk or file given to do the I/O on', HELP));
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
