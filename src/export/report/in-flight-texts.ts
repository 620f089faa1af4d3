import { formatDuration, plural } from '../../base/format.ts';
import type { Filter } from '../../filter/filter.ts';
import { inOneLayer } from '../../model/in-flight.ts';
import type { InFlightRow } from '../../model/in-flight.ts';
import { isOfPrograms, nounOf } from '../../model/layer.ts';
import type { Layer } from '../../model/layer.ts';
import { inFlightAt } from '../../model/in-flight-book.ts';
import { inFlightRows } from '../../query/in-flight/in-flight-rows.ts';
import type { TraceInfo } from '../trace/trace-info.ts';

/** I/O that had been in flight for long at the end of a trace; undefined if the trace does not have it. */
export function inFlightAtEnd(
  info: TraceInfo,
  filter: Filter,
  endNs: number,
): readonly InFlightRow[] | undefined {
  const { inFlight } = info;
  return inFlight && inFlightRows(inFlightAt(inFlight, endNs), filter, info);
}

/**
 * `2 I/Os had not completed at the end: the oldest for 20s on sda`; none if all had. Only I/O of devices is known before
 * it ends.
 */
export function inFlightTexts(
  rows: readonly InFlightRow[] | undefined,
  shown: Layer | undefined,
): string[] {
  const held = inOneLayer(rows ?? [], ({ layer }) => layer, shown);
  const [oldest] = held;
  if (oldest === undefined) return [];
  const { length: count } = held;
  const { ageNs, disk } = oldest;
  const others =
    shown !== undefined && isOfPrograms(shown)
      ? `; ${nounOf(shown)}s are known only once they end`
      : '';
  return [
    `${count} ${plural(count, 'I/O', 'I/Os')} had not completed at the end: the oldest for ${formatDuration(ageNs)} on ${disk}${others}`,
  ];
}
