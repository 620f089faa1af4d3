import type { Filter } from '../../filter/filter.ts';
import { completeFilter } from '../../filter/language/complete.ts';
import type { KnownTexts } from '../../filter/language/complete.ts';
import type { Choice } from '../../filter/fields.ts';
import { formatFilter } from '../../filter/language/format.ts';
import type { ViewState } from '../../view/state.ts';

/** Completions of the word under the cursor of the filter prompt; none while it is closed. */
export function candidatesOf(
  { mode, prompt }: Pick<ViewState, 'mode' | 'prompt'>,
  known: KnownTexts,
): readonly Choice[] {
  if (mode !== 'filter' || prompt === undefined) return [];
  const { text, cursor } = prompt.line;
  return completeFilter(text, cursor, known).candidates;
}

/** The filter as text, and the one that tracing itself applies; empty when everything is shown. */
export function filterText(shown: Filter, recordedOnly: string): string {
  const filter = formatFilter(shown);
  if (recordedOnly === '') return filter;
  if (filter === recordedOnly) return `${filter} (set at start)`;
  return `${filter} (set at start: ${recordedOnly})`.trim();
}
