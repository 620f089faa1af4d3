import { sanitizeText } from '../../base/sanitize.ts';
import type { EventSource } from '../../trace/event-source.ts';

/** What `--verbose` prints at the end: every I/O accounted for, every kind of loss by name. */
export function lossSummary(
  source: Pick<EventSource, 'counters' | 'remarks' | 'audit'>,
  notes: readonly string[],
): string {
  source.audit?.();
  const { delivered, summarised, lost, losses } = source.counters();
  const lines = [
    ...notes.map(sanitizeText),
    `delivered ${delivered}, aggregated ${summarised}, lost ${lost}`,
    ...Object.entries(losses).map(([name, count]) => `  ${name} ${count}`),
    ...Object.entries(source.remarks?.() ?? {}).map(([name, count]) => `${name} ${count}`),
  ];
  return `${lines.join('\n')}\n`;
}
