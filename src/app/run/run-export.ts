import { statSync } from 'node:fs';
import type { Stats } from 'node:fs';
import { entryAt } from '../../base/create-file.ts';
import type { IoheatError, Result } from '../../base/result.ts';
import { err, ExitCode, ok } from '../../base/result.ts';
import { END_SIGNALS, signalExitCode } from '../../base/end-signals.ts';
import type { EndSignal } from '../../base/end-signals.ts';
import { sanitizeText } from '../../base/sanitize.ts';
import { isBinary, isRowFormat } from '../../export/formats.ts';
import { isRowMetric, rowMetricsInWords } from '../../export/rows/trace2heatmap.ts';
import type { Metric } from '../../model/metric.ts';
import { knownMetric } from '../../trace/known-metrics.ts';
import { detectCapabilities } from '../../terminal/capabilities.ts';
import { DEFAULT_VIEW } from '../../view/state.ts';
import { STDIN_FILE } from '../options/options.ts';
import type { Options } from '../options/options.ts';
import { tell } from '../process/print.ts';
import type { ExportOptions } from '../options/trace-command.ts';
import { fontFiles } from '../jobs/fonts.ts';
import { openSink, STDOUT } from '../jobs/sink.ts';
import type { Sink } from '../jobs/sink.ts';
import { inputName, nothingRead } from '../open/nothing-read.ts';
import type { TraceInput } from '../open/trace-input.ts';
import { openInput } from '../open/trace-input.ts';

/** `ioheat export`: rows or a picture of a trace, to a file or standard output. */
export async function runExport(options: Options, asked: ExportOptions): Promise<Result<ExitCode>> {
  const sensible = checkRequest(options, asked);
  if (!sensible.ok) return sensible;
  const { from, to } = asked;
  const { files, merge: oneHost, filter, view } = options;
  const input = await openInput({ files, oneHost, from, to, filter, layer: view.layer });
  if (!input.ok) return input;
  // Loaded before there is a file: the program ends within the signal, before a write to the closed file can fail.
  const { exitNow } = await import('../../kernel/native/exit-now.ts');
  const opened: { sink?: Sink } = {};
  // Before there is a file: a signal that comes while it is created is received afterwards.
  const stopAbandoning = asked.output === STDOUT ? undefined : abandonOnSignal(opened, exitNow);
  try {
    return await exportFrom(input.value, options, asked, opened);
  } finally {
    stopAbandoning?.();
  }
}

async function exportFrom(
  input: TraceInput,
  options: Options,
  asked: ExportOptions,
  opened: { sink?: Sink },
): Promise<Result<ExitCode>> {
  const sink = sinkBeside(options.files, asked);
  if (!sink.ok) return sink;
  opened.sink = sink.value;
  const warnings = await orAbandon(sink.value, () => write(input, options, asked, sink.value));
  input.reader.dispose();
  if (!warnings.ok) return warnings;
  const finished = sink.value.finish();
  if (!finished.ok) return finished;
  for (const warning of warnings.value) tell(`ioheat: ${sanitizeText(warning)}\n`);
  return ok(ExitCode.fine);
}

/** By default, a signal would end the program at once and leave the partial file. Returns what undoes it. */
function abandonOnSignal(
  opened: { readonly sink?: Sink },
  exitNow: (code: number) => never,
): () => void {
  const abandon = (signal: EndSignal): void => {
    opened.sink?.abandon();
    exitNow(signalExitCode(signal));
  };
  for (const signal of END_SIGNALS) process.once(signal, abandon);
  return () => {
    for (const signal of END_SIGNALS) process.off(signal, abandon);
  };
}

/** Also if it throws, as where the trace cannot be read any more: a partial file would refuse the next export. */
async function orAbandon<T>(sink: Sink, run: () => Promise<Result<T>>): Promise<Result<T>> {
  let done: Result<T> | undefined;
  try {
    return (done = await run());
  } finally {
    if (done?.ok !== true) sink.abandon();
  }
}

/** Replacing a trace that is exported would remove it with the first byte. */
function sinkBeside(files: readonly string[], { output, force }: ExportOptions): Result<Sink> {
  const found = output === STDOUT ? ok(undefined) : entryAt(output);
  if (!found.ok) return found;
  const isExported = files.some((file) => file !== STDIN_FILE && isSame(file, found.value));
  if (!isExported || !force) return openSink(output, { force });
  const why = 'it is a trace that is exported';
  const remedy = 'name another file';
  return err({ exitCode: ExitCode.failed, what: `cannot replace ${output}`, why, remedy });
}

function isSame(file: string, other: Stats | undefined): boolean {
  const { dev, ino } = statSync(file);
  return other?.dev === dev && other.ino === ino;
}

function checkRequest({ view }: Options, { format, output }: ExportOptions): Result<undefined> {
  const { metric = DEFAULT_VIEW.metric } = view;
  if (format === 'trace2heatmap' && !isRowMetric(metric)) {
    const why = 'it is not a figure per I/O';
    const remedy = `use --metric ${rowMetricsInWords()}`;
    return err({
      exitCode: ExitCode.usage,
      what: `trace2heatmap cannot show ${metric}`,
      why,
      remedy,
    });
  }
  if (!isBinary(format) || output !== STDOUT || !process.stdout.isTTY) return ok(undefined);
  const remedy = `use --output NAME.${format}`;
  return err({ exitCode: ExitCode.usage, what: `cannot write ${format} to a terminal`, remedy });
}

/** A picture of it would be empty. */
function onlyTotal(metric: Metric): IoheatError {
  const what = `--metric ${metric}: the trace has total latencies alone`;
  return { exitCode: ExitCode.usage, what, remedy: 'choose total' };
}

/** No I/O could be read, which a report says in the same words. */
function nothingReadOf({ reader }: TraceInput, { files }: Options): IoheatError | undefined {
  return nothingRead(files.map(inputName), reader.header.kind, reader.problems());
}

/** Returns warnings. */
async function write(
  input: TraceInput,
  options: Options,
  { format }: ExportOptions,
  sink: Sink,
): Promise<Result<readonly string[]>> {
  const { view, columns, rows, historyBytes } = options;
  if (isRowFormat(format)) {
    const { exportRows } = await import('./export-rows.ts');
    const metric = view.metric ?? knownMetric(DEFAULT_VIEW.metric, input.reader.header);
    const exported = await exportRows(input, format, metric, sink);
    if (!exported.ok) return exported;
    const failure = exported.value.isEmpty ? nothingReadOf(input, options) : undefined;
    return failure === undefined ? ok(exported.value.warnings) : err(failure);
  }
  const isPart = view.metric === 'queue' || view.metric === 'device';
  if (isPart && input.reader.header.latency === 'total') return err(onlyTotal(view.metric));
  const { readFigure } = await import('./export-picture.ts');
  const { renderPicture } = await import('../../export/picture/render-picture.ts');
  const request = { format, view, columns, rows, historyBytes };
  const { figure, isEmpty, notices } = await readFigure(input, request);
  const failure = isEmpty ? nothingReadOf(input, options) : undefined;
  if (failure !== undefined) return err(failure);
  const { unicode } = detectCapabilities(process.env, process.stdout);
  const fonts = format === 'png' ? fontFiles() : [];
  const written = await sink.write(
    await renderPicture(format, figure, { unicode, fontFiles: fonts }),
  );
  return written.ok ? ok([...notices, ...figure.facts.warnings]) : written;
}
