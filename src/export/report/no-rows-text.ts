import { noMatchHint } from '../../filter/language/no-match-hint.ts';
import { formatFilter } from '../../filter/language/format.ts';
import type { CompiledFilter } from '../../filter/match/match.ts';
import { DEFAULT_LAYER, isOfPrograms, matchText, noneOf } from '../../model/layer.ts';
import type { CompletionColumns } from '../../model/completion-columns.ts';
import type { TraceHeader } from '../../trace/trace-reader.ts';
import { LocalTime } from '../picture/local-time.ts';
import type { RowSelection } from '../rows/row-picker.ts';
import { TimeExtent } from '../trace/time-extent.ts';

/** Which I/O a trace has, for an export that has none of it. */
export class RowsSeen {
  private readonly all = new TimeExtent();
  private inRange = 0;

  constructor(private readonly selection: RowSelection) {}

  add({ length, completeNs }: CompletionColumns): void {
    const { fromNs, toNs } = this.selection;
    for (let row = 0; row < length; row++) {
      const at = completeNs[row]!;
      this.all.add(at);
      if (at >= fromNs && at < toNs) this.inRange++;
    }
  }

  /** Why no row is written, and what to do. */
  text(header: TraceHeader): string {
    const { all, inRange, selection } = this;
    return `no rows written: ${whyNone({ all, hasInside: inRange > 0 }, selection.filter, header)}`;
  }
}

/** Why none of the I/O of a trace is exported, and what to do. `hasInside`: some is in the selected time. */
export function whyNone(
  { all, hasInside }: { readonly all: TimeExtent; readonly hasInside: boolean },
  filter: CompiledFilter,
  header: TraceHeader,
): string {
  if (all.lastNs === -Infinity) return 'the trace has no I/O';
  if (hasInside) return whatIsMissing(filter, header);
  return `all I/O of the trace is ${timeText(all, header)}; change --from or --to`;
}

function timeText(
  { firstNs, lastNs }: TimeExtent,
  { clockBase, hasWallClock }: TraceHeader,
): string {
  const time = new LocalTime(clockBase, hasWallClock);
  const [from, to] = [time.clock(firstNs), time.clock(lastNs)];
  const zone = time.zones(firstNs, lastNs);
  return [`from ${time.date(firstNs)}`.trim(), `${from} to ${to} (${zone})`].join(' ');
}

function whatIsMissing(
  { filter, layer }: CompiledFilter,
  { latency }: Pick<TraceHeader, 'latency'>,
): string {
  const text = formatFilter(filter);
  const remedy = noMatchHint(filter, layer, latency) ?? 'ioheat report shows what there is';
  if (text !== '') return `${noneOf(layer)} ${matchText(layer)} ${text}; ${remedy}`;
  const none = `the trace has ${noneOf(layer)}`;
  if (layer === undefined) return `${none}; ${remedy}`;
  if (isOfPrograms(layer)) return `${none}; record with --${layer}`;
  return layer === DEFAULT_LAYER ? `${none}; ${remedy}` : `${none} of ${layer}; ${remedy}`;
}
