import { formatCount } from '../../base/format.ts';
import type { Result } from '../../base/result.ts';
import { formatError, ok } from '../../base/result.ts';
import type { PictureFormat, RowFormat } from '../../export/formats.ts';
import { isRowFormat } from '../../export/formats.ts';
import { FigureCount } from '../../export/picture/figure.ts';
import { pictureSize, renderPicture } from '../../export/picture/render-picture.ts';
import { createEncoder } from '../../export/rows/create-encoder.ts';
import type { RowEncoder } from '../../export/rows/row-encoder.ts';
import { RowPicker } from '../../export/rows/row-picker.ts';
import { isRowMetric, rowMetricsInWords } from '../../export/rows/trace2heatmap.ts';
import { inFlightTexts } from '../../export/report/in-flight-texts.ts';
import { aggregatedLayers, warningsOf } from '../../export/trace/trace-info.ts';
import { Verdict } from '../../filter/verdict.ts';
import type { HeldRows } from '../../history/event-ring.ts';
import { Field } from '../../history/slices/slice.ts';
import { appendRows, createColumns } from '../../model/completion-columns.ts';
import { compileInLayer } from '../../filter/match/match.ts';
import type { Monitor } from '../../monitor/monitor.ts';
import type { ViewState } from '../../view/state.ts';
import { CANCELLED, FileJob } from './file-job.ts';
import { VERSION } from '../process/version.ts';
import { figureStack, isExportedAsShown } from './figure-stack.ts';
import { fontFiles } from './fonts.ts';
import { formatToWrite } from './refused-name.ts';
import { openSink } from './sink.ts';
import type { Sink } from './sink.ts';

/** The picture on the screen. */
export interface ShownView {
  readonly monitor: Monitor;
  readonly view: ViewState;
  /** Columns of the map, and the trace time in the last of them. */
  readonly columns: number;
  readonly edgeNs: number;
  readonly recordedOnly: string;
  readonly unicode: boolean;
}

/** Encoded in one go: a few milliseconds. */
const ROWS_PER_BLOCK = 2048;

/** Encoding stays within the time of a frame; the file is a few percent larger for it. */
const PARQUET_GROUP = 8192;

type Written = Result<'open' | 'closed' | 'cancelled'>;

/**
 * Writes what the screen shows to a new file, in the format of its extension, while the screen continues.
 * The file gets its name when it is complete. Returns a notice.
 */
export async function exportView(
  shown: ShownView,
  path: string,
  job = new FileJob(),
): Promise<string> {
  const asked = formatToWrite(path);
  if (!asked.ok) return asked.error;
  const format = asked.value;
  const { metric } = shown.view;
  if (format === 'trace2heatmap' && !isRowMetric(metric))
    return `trace2heatmap cannot show ${metric}: not a figure per I/O; choose ${rowMetricsInWords()}`;
  const sink = openSink(path);
  if (!sink.ok) return formatError(sink.error);
  const rows = isRowFormat(format) ? new ShownRows(shown, format, sink.value, job) : undefined;
  const written =
    rows === undefined
      ? await writePicture(shown, format as PictureFormat, sink.value, job)
      : await rows.write();
  if (!written.ok || written.value === 'cancelled') {
    sink.value.abandon();
    return written.ok ? CANCELLED : formatError(written.error);
  }
  const finished = sink.value.finish();
  if (!finished.ok) return formatError(finished.error);
  const left = (rows?.leftOut ?? []).map((text) => `; ${text}`).join('');
  const isOther = rows === undefined && !isExportedAsShown(shown.view);
  return `${isOther ? 'one heat map ' : ''}written to ${path}${left}`;
}

async function writePicture(
  shown: ShownView,
  format: PictureFormat,
  sink: Sink,
  job: FileJob,
): Promise<Written> {
  const count = figureOf(shown);
  let figure = count.advance(job.shouldYield);
  while (figure === undefined) {
    if (!(await job.continues(count.share))) return ok('cancelled');
    figure = count.advance(job.shouldYield);
  }
  const options = { unicode: shown.unicode, fontFiles: fontFiles() };
  const picture = await renderPicture(format, figure, options);
  return job.isCancelled ? ok('cancelled') : sink.write(picture);
}

function figureOf(shown: ShownView): FigureCount {
  const { monitor, view, columns, edgeNs, recordedOnly } = shown;
  const { history, source } = monitor;
  const { info } = source;
  const filter = compileInLayer(view.filter, view.layer, info.identities, info);
  const { bins } = pictureSize('svg', columns, undefined);
  const stack = figureStack(view, view.filter, info);
  const spec = { ...view, columnNs: view.intervalNs, columns, bins, lastNs: edgeNs, stack };
  return new FigureCount(history, info, filter, spec, {
    host: info.host,
    kernel: info.kind === 'live' ? info.title : (info.origin?.kernel ?? ''),
    writer: `ioheat ${VERSION}`,
    clockBase: info.clockBase,
    hasWallClock: info.origin?.hasWallClock ?? true,
    recordedOnly,
    warnings: [
      // A screen rarely has all of a trace.
      ...warningsOf(source.counters(), [], {
        aggregated: aggregatedLayers(info.identities),
        isPart: true,
      }),
      ...inFlightTexts(monitor.outstanding.inFlightAt(edgeNs), view.layer),
    ],
    notes: monitor.notes.list(),
  });
}

/** The single I/Os of a view, as the history has them at the start, the oldest first. */
class ShownRows {
  /** I/Os that the history dropped for newer ones before they were written. */
  private forgotten = 0;
  /** I/Os of the view that are known only as counts. */
  private summarised = 0;
  private unwritten: RowEncoder['left'];
  private readonly held: readonly HeldRows[];
  private readonly picker: RowPicker;
  private readonly total: number;
  private done = 0;
  private readonly block = createColumns(ROWS_PER_BLOCK);

  constructor(
    private readonly shown: ShownView,
    private readonly format: RowFormat,
    private readonly sink: Sink,
    private readonly job: FileJob,
  ) {
    const { monitor, view, columns, edgeNs } = shown;
    const { identities } = monitor.source.info;
    const toNs = (Math.floor(edgeNs / view.intervalNs) + 1) * view.intervalNs;
    const fromNs = toNs - columns * view.intervalNs;
    const filter = compileInLayer(view.filter, view.layer, identities, monitor.source.info);
    this.picker = new RowPicker({ filter, fromNs, toNs });
    const { chunks, slices } = monitor.history.query(fromNs, toNs);
    this.held = [...chunks];
    this.total = this.held.reduce((sum, { from, to }) => sum + to - from, 0);
    for (const view of slices)
      view.forEachShown((slice, entry, key) => {
        if (filter.judge(key) !== Verdict.no) this.summarised += slice.field(entry, Field.count);
      });
  }

  /** What of the view is not in the file, and why. */
  get leftOut(): string[] {
    const { forgotten, summarised, unwritten } = this;
    const { undecided } = this.picker;
    return [
      ...(forgotten > 0
        ? [`${formatCount(forgotten)} dropped from memory before being written`]
        : []),
      ...(unwritten ? [`${formatCount(unwritten.count)} left out: ${unwritten.why}`] : []),
      ...(undecided > 0 ? [`${formatCount(undecided)} may match the filter or not`] : []),
      ...(summarised > 0 ? [`${formatCount(summarised)} aggregated left out`] : []),
    ];
  }

  async write(): Promise<Written> {
    const { sink } = this;
    const names = this.shown.monitor.source.info;
    const { identities, clockBase, origin } = names;
    const { hasWallClock = true, unknown = [], latency } = origin ?? {};
    const context = { identities, names, clockBase, hasWallClock, unknown, latency };
    const { metric } = this.shown.view;
    const encoder = await createEncoder(this.format, context, metric, PARQUET_GROUP);
    let state: Written = await sink.write(encoder.begin());
    for (const held of this.held) {
      if (state.ok && state.value === 'open') state = await this.writeHeld(held, encoder);
    }
    this.unwritten = encoder.left;
    return state.ok && state.value === 'open' ? sink.write(encoder.end()) : state;
  }

  private async writeHeld(held: HeldRows, encoder: RowEncoder): Promise<Written> {
    const { block, picker, sink, job } = this;
    let state: Written = ok('open');
    for (let from = held.from; from < held.to && state.ok; from += ROWS_PER_BLOCK) {
      if (held.isGone()) {
        this.forgotten += held.to - from;
        break;
      }
      const to = Math.min(held.to, from + ROWS_PER_BLOCK);
      block.length = 0;
      appendRows(block, held.rows, from, to);
      state = await sink.write(encoder.encode(block, picker));
      this.done += to - from;
      if (!(await job.continues(this.done / this.total))) return ok('cancelled');
    }
    return state;
  }
}
