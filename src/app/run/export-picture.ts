import type { TimeRange } from '../../base/time.ts';
import type { PictureFormat } from '../../export/formats.ts';
import { createFigure } from '../../export/picture/figure.ts';
import { spanText } from '../../export/picture/figure-texts.ts';
import type { Figure, FigureFacts } from '../../export/picture/figure.ts';
import { drawnBy, pictureWindow } from '../../export/picture/picture-window.ts';
import type { PictureWindow } from '../../export/picture/picture-window.ts';
import { pictureSize } from '../../export/picture/render-picture.ts';
import type { PictureSize } from '../../export/picture/render-picture.ts';
import { inFlightAtEnd, inFlightTexts } from '../../export/report/in-flight-texts.ts';
import { whyNone } from '../../export/report/no-rows-text.ts';
import { gapTexts } from '../../export/report/gap-texts.ts';
import { recordedWithin, withoutSilences } from '../../export/trace/rated-time.ts';
import { gapsWithin, readTrace } from '../../export/trace/read-trace.ts';
import type { TraceEnd } from '../../export/trace/read-trace.ts';
import { HistoryTaker } from '../../export/trace/trace-history.ts';
import { aggregatedLayers, isPartOfTrace, warningsOf } from '../../export/trace/trace-info.ts';
import type { History } from '../../history/history.ts';
import { knownMetric, lacksWeight } from '../../trace/known-metrics.ts';
import type { Stretch } from '../../trace/trace-reader.ts';
import type { Settings } from '../../view/settings.ts';
import { consistent } from '../../view/reduce/layout.ts';
import { DEFAULT_VIEW } from '../../view/state.ts';
import { figureStack } from '../jobs/figure-stack.ts';
import { VERSION } from '../process/version.ts';
import type { TraceInput } from '../open/trace-input.ts';
import { waitForMore } from '../open/trace-input.ts';

export interface PictureRequest {
  readonly format: PictureFormat;
  /** View options that were given. */
  readonly view: Settings;
  readonly columns: number | undefined;
  readonly rows: number | undefined;
  readonly historyBytes: number;
}

export interface ReadFigure {
  readonly figure: Figure;
  /** See `TraceEnd`. */
  readonly isEmpty: boolean;
  /** What to say next to the picture: it is not written in it. */
  readonly notices: readonly string[];
}

/** Reads the selected part of the trace and makes its heat map. */
export async function readFigure(input: TraceInput, request: PictureRequest): Promise<ReadFigure> {
  const { reader, info, filter, range } = input;
  const taker = new HistoryTaker(info, request.historyBytes, range);
  const end = await readTrace(reader, taker, waitForMore);
  const { history } = taker;
  const metric = knownMetric(DEFAULT_VIEW.metric, reader.header);
  const { layer = DEFAULT_VIEW.layer } = filter;
  const traceLatency = reader.header.latency;
  const chosen = { ...DEFAULT_VIEW, traceLatency, metric, ...request.view, layer };
  const view = chosen.layout === 'layers' ? consistent(chosen) : chosen;
  const size = pictureSize(request.format, request.columns, request.rows);
  const covered = coveredBy(taker, reader.recorded, range);
  const window = windowOf(covered, history.endNs, range, size, request.view.intervalNs);
  const { host, kernel, writer, clockBase, hasWallClock } = reader.header;
  const { recordedOnly, hasWholeTraces } = reader.header;
  const warnings = warningsOf(end.counters, reader.problems(), {
    aggregated: aggregatedLayers(info.identities),
    isPart: isPartOfTrace(filter.filter, range),
  });
  if (lacksWeight(view.weight, reader.header))
    warnings.push(
      `No I/O of this trace has a ${view.weight === 'bytes' ? 'size' : 'latency'} to weight it by`,
    );
  warnings.push(...gapTexts(gapsWithin(end.gaps, range), reader.header));
  const endNs = Math.min(range.toNs, Math.max(reader.recorded?.endNs ?? -Infinity, history.endNs));
  warnings.push(...inFlightTexts(inFlightAtEnd(info, filter.filter, endNs), layer));
  const facts: FigureFacts = {
    host,
    kernel,
    writer: writer.startsWith('ioheat') ? writer : `${writer}, drawn by ioheat ${VERSION}`,
    clockBase,
    hasWallClock,
    ...{ recordedOnly, hasWholeTraces },
    warnings: [...warnings, ...detailWarning(history, window.columnNs)],
    notes: info.notes.list(),
  };
  const stack = figureStack(view, filter.filter, info);
  const ratedNs = ratedNsOf(covered, window, end.silences);
  const spec = { ...view, ...window, ratedNs, bins: size.bins, stack };
  const figure = createFigure(history, info, filter, spec, facts);
  const isBlank = figure.maps.every(({ totals }) => totals.all + totals.undecided === 0);
  const notices = isBlank ? [`the picture is empty: ${whyNone(taker, filter, reader.header)}`] : [];
  return { figure, isEmpty: end.isEmpty, notices };
}

/** What was recorded of the range, with or without I/O; if the trace does not have it, from the first I/O to the last. */
function coveredBy(
  { history: { startNs, endNs }, all }: HistoryTaker,
  recorded: Stretch | undefined,
  range: TimeRange,
): Stretch {
  return recorded === undefined ? { startNs, endNs } : recordedWithin(recorded, all, range);
}

/** The time that rates are over, as in a report on what the picture shows. */
function ratedNsOf(
  covered: Stretch,
  window: PictureWindow,
  silences: TraceEnd['silences'],
): number {
  const { startNs, endNs } = drawnBy(window);
  const drawn = {
    startNs: Math.max(covered.startNs, startNs),
    endNs: Math.min(covered.endNs, endNs),
  };
  return withoutSilences(drawn, silences);
}

function windowOf(
  covered: Stretch,
  lastNs: number,
  { fromNs, toNs }: TimeRange,
  { columns }: PictureSize,
  columnNs: number | undefined,
): PictureWindow {
  const from = Number.isFinite(fromNs) ? fromNs : covered.startNs;
  const to = Number.isFinite(toNs) ? toNs : Math.max(lastNs + 1, covered.endNs);
  return pictureWindow({ fromNs: from, toNs: Math.max(from + 1, to), columnNs, columns });
}

/**
 * Older I/O is known only per slice of time, and columns that divide a slice share it evenly. Slices nest: columns that
 * do not divide the widest one divide none.
 */
function detailWarning(history: History, columnNs: number): string[] {
  const widestNs = widestSliceNs(history);
  if (columnNs % widestNs === 0) return [];
  const stretches = `stretches of up to ${spanText(widestNs)}`;
  return [`Too long to keep each I/O: the start is spread evenly over ${stretches}`];
}

/** Of the slices of I/O that has no rows any more; 1 if there are none. */
function widestSliceNs(history: History): number {
  const { startNs, detailStartNs } = history;
  let widestNs = 1;
  for (const slice of history.slices(startNs, detailStartNs))
    if (slice.endNs <= detailStartNs) widestNs = Math.max(widestNs, slice.endNs - slice.startNs);
  return widestNs;
}
