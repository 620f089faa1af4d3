import { basename } from 'node:path';
import type { Result } from '../../base/result.ts';
import { err, ok } from '../../base/result.ts';
import { NO_CGROUP_NAMES } from '../../model/cgroup-names.ts';
import { IdentityTable } from '../../model/identity-table.ts';
import type { NamedTrace } from '../../replay/join-traces.ts';
import { ReplayClock } from '../../replay/replay-clock.ts';
import { ReplaySource } from '../../replay/replay-source.ts';
import { Transport } from '../../replay/transport.ts';
import type { TraceReader } from '../../source/trace-reader.ts';
import { filterFromOptions } from '../filter-from-options.ts';
import type { Opened } from '../opened.ts';
import { STDIN_FILE, usageError } from '../options.ts';
import type { Options } from '../options.ts';
import { openTrace } from '../trace/open-trace.ts';
import { PlaybackControl } from './playback-control.ts';
import type { StartAt } from './playback-control.ts';
import { problemLines } from './playback-texts.ts';
import { parseStartAt } from './start-at.ts';

/** The traces of `ioheat replay`, as a source that can be played. */
export async function openReplay(options: Options): Promise<Result<Opened>> {
  const { files } = options;
  if (files.includes(STDIN_FILE) && files.length > 1)
    return err(usageError('a stream ("-") is replayed alone'));
  if (files.length === 0) return err(usageError('there is no file to replay'));
  const keys = new IdentityTable();
  const traces = await openAll(files, keys);
  if (!traces.ok) return traces;
  const clock = new ReplayClock(() => Number(process.hrtime.bigint()));
  const source = new ReplaySource(traces.value, clock, { keys, oneHost: options.merge });
  const transport = new Transport(clock, source);
  if (files.includes(STDIN_FILE)) clock.follow();
  clock.setSpeed(options.speed);
  const startAt = placeOf(options, transport);
  // Disks of a log are known when they have been read.
  const filter = filterFromOptions(options, undefined);
  if (!startAt.ok || !filter.ok) {
    source.dispose();
    return startAt.ok ? (filter as Result<never>) : startAt;
  }
  const readers = traces.value.map(({ reader }) => reader);
  const unknown = readers.flatMap(({ header }) => header.unknown);
  return ok({
    source,
    clock,
    filter: filter.value,
    playback: new PlaybackControl(transport, { startAt: startAt.value, unknown }),
    kernel: kernelOf(readers),
    recordedOnly: recordedOnly(readers),
    // Ids of several hosts may be the same.
    cgroups: (readers.length === 1 ? readers[0]!.cgroups : undefined) ?? NO_CGROUP_NAMES,
    notes: traces.value.map(describe),
    lastWords: (verbose) => problemLines(source.problems(), verbose),
  });
}

async function openAll(
  files: readonly string[],
  keys: IdentityTable,
): Promise<Result<NamedTrace[]>> {
  const traces: NamedTrace[] = [];
  for (const file of files) {
    const own = files.length === 1 ? keys : new IdentityTable();
    const opened = await openTrace(file, own);
    if (!opened.ok) {
      for (const { reader } of traces) reader.dispose();
      return opened;
    }
    traces.push({ name: basename(file), reader: opened.value, keys: own });
  }
  return ok(traces);
}

function placeOf({ at, once }: Options, { source, endNs }: Transport): Result<StartAt> {
  const { startNs } = source;
  if (at !== undefined) return parseStartAt(at, source.info.clockBase, { startNs, endNs });
  return ok(once ? { kind: 'share', share: 1 } : { kind: 'first-screen' });
}

function kernelOf(readers: readonly TraceReader[]): string | undefined {
  const kernels = new Set(readers.map(({ header }) => header.kernel));
  const [kernel = ''] = kernels;
  return kernels.size === 1 && kernel !== '' ? kernel : undefined;
}

function recordedOnly(readers: readonly TraceReader[]): string {
  const parts = new Set(readers.map((reader) => reader.header.recordedOnly));
  return [...parts].filter((part) => part !== '').join(' or ');
}

function describe({ name, reader }: NamedTrace): string {
  const { writer, host, kernel, unknown } = reader.header;
  const lacks = unknown.length === 0 ? '' : `; unknown there: ${unknown.join(', ')}`;
  return `${name}: ${writer}, host ${host || 'unknown'}, kernel ${kernel || 'unknown'}${lacks}`;
}
