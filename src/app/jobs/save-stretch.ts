import { formatByteSum, formatCount } from '../../base/format.ts';
import { partOf, publishPart, removePart } from '../../base/partial-file.ts';
import { formatError } from '../../base/result.ts';
import { formatFilter } from '../../filter/language/format.ts';
import { diskFilter } from '../../filter/match/disk-filter.ts';
import { inFlightPassing } from '../../filter/match/in-flight-filter.ts';
import { compileFilter } from '../../filter/match/match.ts';
import type { KnownInFlight } from '../../model/in-flight.ts';
import { MachinePressure } from '../../model/machine-pressure.ts';
import { presentNotes } from '../../model/notes.ts';
import type { KnownNotes } from '../../model/notes.ts';
import type { KnownPressure, PressureHistory, PressureSample } from '../../model/pressure.ts';
import type { Monitor } from '../../monitor/monitor.ts';
import { singleFile } from '../../trace/recording/writing/recording-files.ts';
import { RecordingWriter } from '../../trace/recording/writing/recording-writer.ts';
import { countedText } from './counted-text.ts';
import { CANCELLED, FileJob } from './file-job.ts';
import { headerOf, namesOf } from './recorder.ts';
import { saveHistory } from './save-history.ts';
import type { SavedStretch } from './saved-stretch.ts';

interface SavingHost {
  readonly monitor: Monitor;
  /** The filter that the source itself applies, as text. */
  readonly recordedOnly: string;
}

/** Writes a part of the history to a file that gets its name when complete; resolves with a notice. */
export async function saveStretch(
  host: SavingHost,
  path: string,
  stretch: SavedStretch,
  job = new FileJob(),
): Promise<string> {
  const { monitor } = host;
  const { source, history } = monitor;
  const { info } = source;
  const { startNs, endNs, filter } = stretch;
  const recordedOnly = bothOf(formatFilter(filter), host.recordedOnly);
  const part = partOf(path);
  if (!part.ok) return formatError(part.error);
  const writer = RecordingWriter.start({
    header: headerOf(source, recordedOnly),
    identities: info.identities,
    names: namesOf(info),
    target: singleFile(part.value),
    nowMs: () => performance.now(),
    recorded: () => ({ startNs, endNs }),
    // If the history is saved up to the last I/O, notes after it are saved, too.
    notes: notesUntil(monitor.notes, endNs > history.endNs ? Infinity : endNs),
    inFlight: inFlightUntil(inFlightPassing(info.inFlight, filter, info), endNs),
    pressure: pressureWithin(info.pressure, stretch),
  });
  if (!writer.ok) return formatError(writer.error);
  const wanted = { startNs, endNs, filter: compileFilter(filter, info.identities, info) };
  const undecided = await saveHistory(history, wanted, info.identities, writer.value, job);
  const takesAllOf = diskFilter(filter, info);
  for (const busy of history.countedBusy(startNs, endNs))
    if (takesAllOf(busy.dev)) writer.value.appendBusy(busy);
  await writer.value.end(source.counters());
  if (undecided === undefined) {
    removePart(part.value);
    return CANCELLED;
  }
  const { bytes, rows, summarised, failure } = writer.value.state;
  if (failure !== undefined) {
    removePart(part.value);
    return formatError({ ...failure, what: `cannot save ${path}`, remedy: undefined });
  }
  const published = publishPart(part.value, path);
  if (!published.ok) return formatError(published.error);
  const sums = summarised > 0 ? ` and ${formatCount(summarised)} aggregated` : '';
  const left = undecided > 0 ? `; ${formatCount(undecided)} aggregated left out` : '';
  return `saved ${countedText(rows, info.identities.layers)}${sums}, ${formatByteSum(bytes)}, to ${path}${left}`;
}

/** Two filters as one text; `or` binds less tightly than the space between them. */
function bothOf(...texts: readonly string[]): string {
  const [first = '', ...others] = texts.filter((text) => text !== '');
  if (others.length === 0) return first;
  return [first, ...others].map((text) => (/ or /.test(text) ? `(${text})` : text)).join(' ');
}

function notesUntil(notes: KnownNotes, untilNs: number): KnownNotes {
  const all = notes.all().filter(({ atNs }) => atNs < untilNs);
  return { all: () => all, list: () => presentNotes(all), version: notes.version };
}

/** The I/O in flight up to the end of the part; what was in flight at its end has no end in the file. */
function inFlightUntil(known: KnownInFlight | undefined, endNs: number): KnownInFlight | undefined {
  if (known === undefined) return undefined;
  const spans = known
    .spans()
    .filter(({ sinceNs }) => sinceNs < endNs)
    .map((span) => (span.untilNs < endNs ? span : { ...span, untilNs: Infinity }));
  return { spans: () => spans, version: known.version };
}

/** The samples of the part, and those just before and after it, so that all of its time is known. */
function pressureWithin(
  known: KnownPressure | undefined,
  stretch: SavedStretch,
): KnownPressure | undefined {
  if (known === undefined) return undefined;
  const part = new MachinePressure();
  for (const sample of samplesWithin(known, stretch)) part.put(sample);
  for (const [cgroup, history] of known.cgroups)
    for (const sample of samplesWithin(history, stretch)) part.putCgroup({ cgroup, ...sample });
  return part;
}

function samplesWithin(
  history: PressureHistory,
  { startNs, endNs }: SavedStretch,
): readonly PressureSample[] {
  const all = history.samplesAfter(-Infinity);
  const first = all.findLastIndex(({ atNs }) => atNs <= startNs);
  const last = all.findIndex(({ atNs }) => atNs >= endNs);
  return all.slice(Math.max(0, first), last < 0 ? all.length : last + 1);
}
