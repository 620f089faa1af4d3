import { sanitizeText } from '../../base/sanitize.ts';
import type { Term } from '../../filter/filter.ts';
import { exactAmount } from './figures.ts';
import { truncatePath } from './span.ts';

/** Widths to which the path of a single file is cut where there is less room. */
const PATH_WIDTHS = [40, 24, 16];

/** The disks or files of a box of lanes, ever shorter. */
export function laneForms([only]: readonly Term[]): string[] {
  if (only === undefined) return ['all I/O'];
  if (only.operator === '!=') return ['others'];
  const names = only.values.map((name) => sanitizeText(String(name)));
  const amount = exactAmount(names.length, only.field === 'file' ? 'file' : 'disk');
  if (only.field !== 'file' || names.length > 1) return [names.join(', '), amount];
  return [names[0]!, ...PATH_WIDTHS.map((width) => truncatePath(names[0]!, width))];
}
