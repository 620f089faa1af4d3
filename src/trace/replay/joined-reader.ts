import { createColumns } from '../../model/completion-columns.ts';
import type { CgroupNames } from '../../model/cgroup-names.ts';
import { NO_CGROUP_NAMES } from '../../model/cgroup-names.ts';
import type { KnownProcesses } from '../../model/known-processes.ts';
import type { KnownInFlight } from '../../model/in-flight.ts';
import type { KnownNotes } from '../../model/notes.ts';
import type { KnownPressure } from '../../model/pressure.ts';
import type { DeviceInfo } from '../../model/device.ts';
import type {
  Stretch,
  TraceChunk,
  TraceExtent,
  TraceHeader,
  TraceProblem,
  TraceReader,
} from '../trace-reader.ts';
import { originOf } from './join-traces.ts';
import type { JoinOptions, NamedTrace } from './join-traces.ts';
import { ReplaySource } from './replay-source.ts';
import type { Gap } from './trace-feed.ts';

const NO_ROWS = createColumns(0);

/** A clock that lets the source read as fast as it can. */
const ALL_AT_ONCE = { untilNs: () => Infinity };

/**
 * Several traces read as one, in order of completion, as a replay joins them. The gaps between them are
 * known at the end, and come last, one per chunk.
 */
export class JoinedReader implements TraceReader {
  readonly header: TraceHeader;
  private readonly source: ReplaySource;
  private gaps: readonly Gap[] | undefined;
  private gapsGiven = 0;

  constructor(traces: readonly NamedTrace[], options: JoinOptions) {
    this.source = new ReplaySource(traces, ALL_AT_ONCE, options);
    this.header = joinedHeader(traces, this.source);
  }

  next(): TraceChunk | 'waiting' | 'ended' {
    const { source } = this;
    const rows = source.read();
    const summaries = source.readSummaries();
    const busy = source.readBusy();
    if (rows.length === 0 && summaries.length === 0 && busy.length === 0) {
      if (source.isEnded) return this.nextGap();
      if (source.isCaughtUp) return 'waiting';
    }
    return { rows, summaries, ...(busy.length > 0 && { busy }), counters: this.counters() };
  }

  get recorded(): Stretch | undefined {
    return this.source.recorded;
  }

  get silences(): readonly Stretch[] {
    return this.source.silences();
  }

  get cgroups(): CgroupNames {
    return this.source.info.cgroups ?? NO_CGROUP_NAMES;
  }

  get processes(): KnownProcesses | undefined {
    return this.source.info.processes;
  }

  get notes(): KnownNotes | undefined {
    return this.source.info.notes;
  }

  get inFlight(): KnownInFlight | undefined {
    return this.source.info.inFlight;
  }

  get pressure(): KnownPressure | undefined {
    return this.source.info.pressure;
  }

  devices(): readonly DeviceInfo[] {
    return this.source.info.devices();
  }

  device(dev: number): DeviceInfo | undefined {
    return this.source.info.device(dev);
  }

  problems(): readonly TraceProblem[] {
    return this.source.problems();
  }

  dispose(): void {
    this.source.dispose();
  }

  private counters(): TraceChunk['counters'] {
    return { ...this.source.counters(), lostOn: this.source.lostOn() };
  }

  private nextGap(): TraceChunk | 'ended' {
    this.gaps ??= this.source.gaps();
    const gap = this.gaps[this.gapsGiven++];
    if (gap === undefined) return 'ended';
    return { rows: NO_ROWS, summaries: [], counters: this.counters(), gap };
  }
}

/** A field that is unknown in one of the traces is unknown in all: a column means the same in every row. */
function joinedHeader(traces: readonly NamedTrace[], source: ReplaySource): TraceHeader {
  const headers = traces.map(({ reader }) => reader.header);
  const origin = originOf(headers);
  const { kind, clockBase } = source.info;
  const { host, kernel, hasWallClock, latency } = origin;
  const extent = joinedExtent(headers, source);
  return {
    kind: kind === 'import' ? 'import' : 'recording',
    writer: [...new Set(headers.map(({ writer }) => writer))].join(', '),
    ...{ host, kernel, clockBase, hasWallClock },
    recordedOnly: recordedOnly(headers),
    ...(headers.some(isWhole) && headers.some((one) => !isWhole(one)) && { hasWholeTraces: true }),
    get unknown() {
      return origin.unknown;
    },
    ...(latency && { latency }),
    ...(extent && { extent }),
  };
}

/** The extent on the common time axis; undefined if one of them does not know its own. */
function joinedExtent(
  headers: readonly TraceHeader[],
  { startNs, claimedEndNs: endNs }: ReplaySource,
): TraceExtent | undefined {
  if (endNs === undefined) return undefined;
  const rows = headers.reduce((sum, { extent }) => sum + (extent?.rows ?? 0), 0);
  return { startNs, endNs, rows };
}

function isWhole({ recordedOnly: filter }: TraceHeader): boolean {
  return filter === '';
}

/** The filters of the traces that did not record everything; empty if all did. */
export function recordedOnly(headers: readonly TraceHeader[]): string {
  const parts = new Set(headers.map((header) => header.recordedOnly));
  return [...parts].filter((part) => part !== '').join(' or ');
}
