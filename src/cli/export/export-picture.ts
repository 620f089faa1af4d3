import type { PictureFormat } from '../../export/formats.ts';
import { createFigure } from '../../export/picture/figure.ts';
import type { Figure, FigureFacts } from '../../export/picture/figure.ts';
import { pictureWindow } from '../../export/picture/picture-window.ts';
import { pictureSize } from '../../export/picture/render-picture.ts';
import type { PictureSize } from '../../export/picture/render-picture.ts';
import { readTrace } from '../../export/read-trace.ts';
import { HistoryTaker } from '../../export/trace-history.ts';
import { warningsOf } from '../../export/trace-info.ts';
import type { History } from '../../history/history.ts';
import type { Settings } from '../../view/settings.ts';
import { DEFAULT_VIEW } from '../../view/state.ts';
import { VERSION } from '../version.ts';
import type { TraceInput } from './trace-input.ts';
import { waitForMore } from './trace-input.ts';
import type { TimeRange } from './trace-times.ts';

export interface PictureRequest {
  readonly format: PictureFormat;
  /** What was said of the view. */
  readonly view: Settings;
  readonly columns: number | undefined;
  readonly rows: number | undefined;
  readonly historyBytes: number;
}

/** Reads the part of the trace that is meant, and makes the heat map of it. */
export async function readFigure(input: TraceInput, request: PictureRequest): Promise<Figure> {
  const { reader, info, filter, range } = input;
  const taker = new HistoryTaker(info, request.historyBytes, range);
  const end = await readTrace(reader, taker, waitForMore);
  const { history } = taker;
  const view = { ...DEFAULT_VIEW, ...request.view };
  const size = pictureSize(request.format, request.columns, request.rows);
  const window = windowOf(history, range, size, request.view.intervalNs);
  const { host, kernel, writer, clockBase, hasWallClock, recordedOnly } = reader.header;
  const warnings = warningsOf(end.counters, reader.problems());
  if (end.gaps.length > 0) warnings.push(`${end.gaps.length} stretches without a recording`);
  const facts: FigureFacts = {
    host,
    kernel,
    writer: writer.startsWith('ioheat') ? writer : `${writer}, drawn by ioheat ${VERSION}`,
    clockBase,
    hasWallClock,
    recordedOnly,
    warnings: [...warnings, ...detailWarning(history, window.columnNs)],
  };
  return createFigure(history, info, filter, { ...view, ...window, bins: size.bins }, facts);
}

function windowOf(
  history: History,
  { fromNs, toNs }: TimeRange,
  { columns }: PictureSize,
  columnNs: number | undefined,
) {
  const from = Number.isFinite(fromNs) ? fromNs : history.startNs;
  const to = Number.isFinite(toNs) ? toNs : history.endNs + 1;
  return pictureWindow({ fromNs: from, toNs: Math.max(from + 1, to), columnNs, columns });
}

/** Older I/O is known by slices of time only: where columns are narrower, it is spread out evenly. */
function detailWarning(history: History, columnNs: number): string[] {
  const isSpread = history.detailStartNs > history.startNs && columnNs < history.sliceNs;
  return isSpread
    ? ['Too long to be held I/O by I/O: the beginning is spread evenly over its seconds']
    : [];
}
