import type { IoheatError, Result } from '../../base/result.ts';
import { err, ok } from '../../base/result.ts';
import { IdentityTable } from '../../model/identity-table.ts';
import type { NamedTrace } from '../../trace/replay/join-traces.ts';
import { recordedOnly } from '../../trace/replay/joined-reader.ts';
import { ReplayClock } from '../../trace/replay/replay-clock.ts';
import { ReplaySource } from '../../trace/replay/replay-source.ts';
import { Transport } from '../../trace/replay/transport.ts';
import type { TraceReader } from '../../trace/trace-reader.ts';
import { filterFromOptions } from './filter-from-options.ts';
import { inputName, nothingRead } from './nothing-read.ts';
import type { OpenedSource } from './opened-source.ts';
import { STDIN_FILE } from '../options/options.ts';
import type { Options } from '../options/options.ts';
import { mixedLatencies } from './mixed-traces.ts';
import { openTraces } from './open-traces.ts';
import { PlaybackControl } from '../playback/playback-control.ts';
import type { StartAt } from '../playback/playback-control.ts';
import { problemLines } from '../playback/playback-texts.ts';
import { parseStartAt } from './start-at.ts';

/** The traces of `ioheat replay`, as a source that can be played. */
export async function openReplay(options: Options): Promise<Result<OpenedSource>> {
  const { files } = options;
  const identities = new IdentityTable();
  const traces = await openTraces(files, identities);
  if (!traces.ok) return traces;
  const refused = mixedLatencies(traces.value);
  if (refused !== undefined) {
    for (const { reader } of traces.value) reader.dispose();
    return err(refused);
  }
  const clock = new ReplayClock(() => Number(process.hrtime.bigint()));
  const source = new ReplaySource(traces.value, clock, { identities, oneHost: options.merge });
  const transport = new Transport(clock, source);
  if (files.includes(STDIN_FILE)) clock.follow();
  clock.setSpeed(options.speed);
  const startAt = placeOf(options, transport);
  // The disks of a log are known once it has been read.
  const filter = filterFromOptions(options, undefined);
  if (!startAt.ok || !filter.ok) {
    source.dispose();
    return startAt.ok ? (filter as Result<never>) : startAt;
  }
  const readers = traces.value.map(({ reader }) => reader);
  return ok({
    source,
    clock,
    filter: filter.value,
    playback: new PlaybackControl(transport, startAt.value),
    kernel: kernelOf(readers),
    recordedOnly: recordedOnly(readers.map(({ header }) => header)),
    notes: traces.value.map(describe),
    nothingRead: () => nothingReadOf(source, files),
    lastWords: (verbose) => problemLines(source.problems(), verbose),
  });
}

/** Undefined also while more may come. */
function nothingReadOf(source: ReplaySource, files: readonly string[]): IoheatError | undefined {
  const { delivered, summarised } = source.counters();
  if (!source.isEnded || delivered + summarised > 0) return undefined;
  const kind = source.info.kind === 'import' ? 'import' : 'recording';
  return nothingRead(files.map(inputName), kind, source.problems());
}

function placeOf({ at, once }: Options, { source, endNs }: Transport): Result<StartAt> {
  const { startNs } = source;
  const { clockBase, origin } = source.info;
  const span = { startNs, endNs, hasDates: origin?.hasWallClock ?? true };
  if (at !== undefined) return parseStartAt(at, clockBase, span, once);
  return ok(once ? { kind: 'share', share: 1 } : { kind: 'first-screen' });
}

function kernelOf(readers: readonly TraceReader[]): string | undefined {
  const kernels = new Set(readers.map(({ header }) => header.kernel));
  const [kernel = ''] = kernels;
  return kernels.size === 1 && kernel !== '' ? kernel : undefined;
}

function describe({ name, reader }: NamedTrace): string {
  const { writer, host, kernel, unknown } = reader.header;
  const lacks = unknown.length === 0 ? '' : `; unknown there: ${unknown.join(', ')}`;
  return `${name}: ${writer}, host ${host || 'unknown'}, kernel ${kernel || 'unknown'}${lacks}`;
}
