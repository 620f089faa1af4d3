import { plural } from '../../base/format.ts';
import type { Result } from '../../base/result.ts';
import { ok } from '../../base/result.ts';
import type { RowFormat } from '../../export/formats.ts';
import { inFlightAtEnd, inFlightTexts } from '../../export/report/in-flight-texts.ts';
import { gapTexts } from '../../export/report/gap-texts.ts';
import { gapsWithin, readTrace } from '../../export/trace/read-trace.ts';
import { createEncoder } from '../../export/rows/create-encoder.ts';
import { RowsSeen } from '../../export/report/no-rows-text.ts';
import { RowPicker } from '../../export/rows/row-picker.ts';
import { problemText, rowContextOf } from '../../export/trace/trace-info.ts';
import { Verdict } from '../../filter/verdict.ts';
import { nounOf } from '../../model/layer.ts';
import type { Metric } from '../../model/metric.ts';
import type { Sink } from '../jobs/sink.ts';
import type { Printed } from '../process/print.ts';
import type { TraceInput } from '../open/trace-input.ts';
import { waitForMore } from '../open/trace-input.ts';

/** What an export has read. */
export interface Exported {
  readonly warnings: readonly string[];
  /** See `TraceEnd`. */
  readonly isEmpty: boolean;
}

/** Writes the selected I/Os, block by block. */
export async function exportRows(
  input: TraceInput,
  format: RowFormat,
  metric: Metric,
  sink: Sink,
): Promise<Result<Exported>> {
  const { reader, info, filter, range } = input;
  const context = rowContextOf(reader.header, info);
  const encoder = await createEncoder(format, context, metric);
  const picker = new RowPicker({ filter, ...range });
  const seen = new RowsSeen({ filter, ...range });
  let state: Result<Printed> = await sink.write(encoder.begin());
  let summarised = 0;
  const { gaps, isEmpty } = await readTrace(
    reader,
    {
      async rows(rows) {
        if (picker.count === 0) seen.add(rows);
        const text = encoder.encode(rows, picker);
        if (text.length > 0) state = await sink.write(text);
      },
      summary({ identity, count, startNs, endNs }) {
        const isMeant = endNs > range.fromNs && startNs < range.toNs;
        if (isMeant && filter.judge(identity) !== Verdict.no) summarised += count;
      },
      get isDone() {
        return !state.ok || state.value === 'closed';
      },
    },
    waitForMore,
  );
  if (!state.ok) return state;
  // What is known of a part of the trace would be wrong about the rest.
  if (state.value === 'closed') return ok({ warnings: [], isEmpty: false });
  const ended = await sink.write(encoder.end());
  if (!ended.ok) return ended;
  const { left } = encoder;
  const endNs = Math.min(range.toNs, reader.recorded?.endNs ?? -Infinity);
  const many = (count: number): string => `${count} ${plural(count, nounOf(filter.layer))}`;
  const hasNone = picker.count === 0 && picker.undecided === 0 && summarised === 0;
  const warnings = [
    ...(hasNone ? [seen.text(reader.header)] : []),
    ...(left === undefined ? [] : [`${many(left.count)} left out: ${left.why}`]),
    ...(picker.undecided > 0
      ? [`${many(picker.undecided)} left out: may match the filter or not`]
      : []),
    ...(summarised > 0 ? [`${many(summarised)} left out: only aggregated`] : []),
    ...inFlightTexts(inFlightAtEnd(info, filter.filter, endNs), filter.layer),
    ...gapTexts(gapsWithin(gaps, range), reader.header),
    ...reader.problems().map(problemText),
  ];
  return ok({ warnings, isEmpty });
}
