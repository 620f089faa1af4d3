import { plural } from '../../base/format.ts';
import { sanitizeText } from '../../base/sanitize.ts';
import type { FieldName } from '../../filter/fields.ts';
import type { Term } from '../../filter/filter.ts';
import { exactCount } from './figures.ts';
import { truncatePath } from './span.ts';

/** Widths to which a single path is cut where there is less room. */
const PATH_WIDTHS = [40, 24, 16];

/** The nouns of the subjects of lanes, by the field of the filter. */
const NOUNS: Partial<Record<FieldName, readonly [one: string, many: string]>> = {
  disk: ['disk', 'disks'],
  file: ['file', 'files'],
  pid: ['process', 'processes'],
  cgroup: ['cgroup', 'cgroups'],
};

/** The subject of a box of lanes, in ever shorter forms. */
export function laneForms([only]: readonly Term[]): string[] {
  if (only === undefined) return ['all I/O'];
  if (only.operator === '!=') return ['others'];
  const { field, values } = only;
  const names = values.map((name) => sanitizeText(String(name)));
  if (field === 'pid') return [`pid ${names.join(', ')}`, amountOf(only)];
  if (field === 'disk' || names.length > 1) return [names.join(', '), amountOf(only)];
  return [names[0]!, ...PATH_WIDTHS.map((width) => truncatePath(names[0]!, width))];
}

function amountOf({ field, values }: Term): string {
  const [one, many] = NOUNS[field]!;
  return `${exactCount(values.length)} ${plural(values.length, one, many)}`;
}
