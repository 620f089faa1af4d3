import { sanitizeText } from '../base/sanitize.ts';
import type { EventSource } from '../source/event-source.ts';

/** What `--verbose` prints at the end: every I/O accounted for, every way to lose one by name. */
export function farewell(
  source: Pick<EventSource, 'counters' | 'remarks' | 'audit'>,
  notes: readonly string[],
): string {
  source.audit?.();
  const { delivered, summarised, lost, losses } = source.counters();
  const lines = [
    ...notes.map(sanitizeText),
    `delivered ${delivered}, counted without detail ${summarised}, lost ${lost}`,
    ...Object.entries(losses).map(([name, count]) => `  ${name} ${count}`),
    ...Object.entries(source.remarks?.() ?? {}).map(([name, count]) => `${name} ${count}`),
  ];
  return `${lines.join('\n')}\n`;
}
