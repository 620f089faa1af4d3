import type { TraceHeader } from '../trace/trace-reader.ts';

/** `recorded with filter disk=sda`; empty if everything was. Of several traces, some may contain everything. */
export function recordedText({
  recordedOnly,
  hasWholeTraces,
}: Pick<TraceHeader, 'recordedOnly' | 'hasWholeTraces'>): string {
  if (recordedOnly === '') return '';
  return `${hasWholeTraces ? 'some traces were ' : ''}recorded with filter ${recordedOnly}`;
}
