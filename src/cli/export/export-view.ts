import { setImmediate as turn } from 'node:timers/promises';
import type { Result } from '../../base/result.ts';
import { err, ExitCode, formatError, ok } from '../../base/result.ts';
import type { RowFormat } from '../../export/formats.ts';
import { formatOfName, isRowFormat } from '../../export/formats.ts';
import { createFigure } from '../../export/picture/figure.ts';
import type { Figure } from '../../export/picture/figure.ts';
import { pictureSize, renderPicture } from '../../export/picture/render-picture.ts';
import { createEncoder } from '../../export/rows/create-encoder.ts';
import { RowPicker } from '../../export/rows/row-picker.ts';
import { isRowMetric } from '../../export/rows/trace2heatmap.ts';
import { warningsOf } from '../../export/trace-info.ts';
import { appendRows, createColumns } from '../../model/completion-columns.ts';
import type { CompletionColumns } from '../../model/completion-columns.ts';
import { compileFilter } from '../../model/filter-compile.ts';
import type { Monitor } from '../../monitor/monitor.ts';
import type { ViewState } from '../../view/view-state.ts';
import { VERSION } from '../version.ts';
import { fontFiles } from './fonts.ts';
import { openSink } from './sink.ts';
import type { Sink } from './sink.ts';

/** What is on the screen. */
export interface ShownView {
  readonly monitor: Monitor;
  readonly view: ViewState;
  /** Columns of the map, and the trace time in the last of them. */
  readonly columns: number;
  readonly edgeNs: number;
  readonly recordedOnly: string;
  readonly unicode: boolean;
}

/** 64 MB while they are written; a recording has no such limit. */
const MOST_ROWS = 2_000_000;
/** Written between two frames. */
const ROWS_PER_TURN = 8192;

/**
 * Writes what the screen shows to a new file, whose name tells the format, while the screen goes on.
 * Returns what to tell.
 */
export async function exportView(shown: ShownView, path: string): Promise<string> {
  const format = formatOfName(path);
  if (format === undefined)
    return 'the name must end in .png, .svg, .html, .txt, .csv, .ndjson, .parquet or .biosnoop';
  const { metric } = shown.view;
  if (format === 'trace2heatmap' && !isRowMetric(metric))
    return `trace2heatmap cannot show ${metric}: single I/Os have none`;
  const made = isRowFormat(format) ? rowsOf(shown) : ok(figureOf(shown));
  if (!made.ok) return formatError(made.error);
  const sink = openSink(path, false);
  if (!sink.ok) return formatError(sink.error);
  const written = isFigure(made.value)
    ? await sink.value.write(
        await renderPicture(format as Exclude<typeof format, RowFormat>, made.value, {
          unicode: shown.unicode,
          fontFiles: fontFiles(),
        }),
      )
    : await writeRows(shown, format as RowFormat, made.value, sink.value);
  if (!written.ok) {
    sink.value.abandon();
    return formatError(written.error);
  }
  const finished = sink.value.finish();
  return finished.ok ? `written to ${path}` : formatError(finished.error);
}

function isFigure(made: Figure | CompletionColumns): made is Figure {
  return 'live' in made;
}

function figureOf(shown: ShownView): Figure {
  const { monitor, view, columns, edgeNs, recordedOnly } = shown;
  const { history, source } = monitor;
  const { info } = source;
  const filter = compileFilter(view.filter, info.keys, info);
  const { bins } = pictureSize('svg', columns, undefined);
  const spec = { ...view, columnNs: view.intervalNs, columns, bins, lastNs: edgeNs };
  return createFigure(history, info, filter, spec, {
    host: info.host,
    kernel: info.kind === 'live' ? info.title : (info.origin?.kernel ?? ''),
    writer: `ioheat ${VERSION}`,
    clockBase: info.clockBase,
    hasWallClock: info.origin?.hasWallClock ?? true,
    recordedOnly,
    warnings: warningsOf(source.counters(), []),
  });
}

/** Copies: the history forgets its own while the file is written. */
function rowsOf({ monitor, view, columns, edgeNs }: ShownView): Result<CompletionColumns> {
  const endNs = (Math.floor(edgeNs / view.intervalNs) + 1) * view.intervalNs;
  const startNs = endNs - columns * view.intervalNs;
  const chunks = [...monitor.history.query(startNs, endNs).chunks];
  const count = chunks.reduce((sum, { from, to }) => sum + to - from, 0);
  if (count > MOST_ROWS) {
    const what = `this view has more than ${MOST_ROWS} I/Os`;
    return err({
      exitCode: ExitCode.failed,
      what,
      remedy: 'make a recording and export from that',
    });
  }
  const rows = createColumns(count);
  for (const chunk of chunks) appendRows(rows, chunk.rows, chunk.from, chunk.to);
  return ok(rows);
}

async function writeRows(
  { monitor, view, columns, edgeNs }: ShownView,
  format: RowFormat,
  rows: CompletionColumns,
  sink: Sink,
): Promise<Result<'open' | 'closed'>> {
  const names = monitor.source.info;
  const { keys, clockBase, origin } = names;
  const { hasWallClock = true, unknown = [] } = origin ?? {};
  const context = { keys, names, clockBase, hasWallClock, unknown };
  const encoder = await createEncoder(format, context, view.metric);
  const toNs = (Math.floor(edgeNs / view.intervalNs) + 1) * view.intervalNs;
  const filter = compileFilter(view.filter, keys, names);
  const picker = new RowPicker({ filter, fromNs: toNs - columns * view.intervalNs, toNs });
  const block = createColumns(ROWS_PER_TURN);
  let state = await sink.write(encoder.begin());
  for (let from = 0; from < rows.length && state.ok; from += ROWS_PER_TURN) {
    block.length = 0;
    appendRows(block, rows, from, Math.min(rows.length, from + ROWS_PER_TURN));
    state = await sink.write(encoder.encode(block, picker));
    await turn();
  }
  return state.ok ? sink.write(encoder.end()) : state;
}
