import type { TimeRange } from '../../base/time.ts';
import { plural } from '../../base/format.ts';
import type { CgroupNames } from '../../model/cgroup-names.ts';
import type { DeviceInfo } from '../../model/device.ts';
import type { IdentityNames } from '../../model/identity-names.ts';
import type { KnownInFlight } from '../../model/in-flight.ts';
import type { KnownProcesses } from '../../model/known-processes.ts';
import { NO_NOTES } from '../../model/notes.ts';
import type { KnownPressure } from '../../model/pressure.ts';
import type { KnownNotes } from '../../model/notes.ts';
import { IdentityMark } from '../../model/identity.ts';
import type { IdentityTable } from '../../model/identity-table.ts';
import { layerOf, LAYERS, nounFor } from '../../model/layer.ts';
import type { Layer } from '../../model/layer.ts';
import type { Filter } from '../../filter/filter.ts';
import type { RowContext } from '../rows/event-row.ts';
import type { SourceCounters } from '../../trace/completion-summary.ts';
import type { TraceHeader, TraceProblem, TraceReader } from '../../trace/trace-reader.ts';

/** The names behind a trace's numbers; those of disks in text logs appear while the log is read. */
export class TraceInfo implements IdentityNames {
  readonly identities: IdentityTable;
  private readonly reader: TraceReader;
  private byNumber = new Map<number, DeviceInfo>();
  private described: readonly DeviceInfo[] = [];

  constructor(reader: TraceReader, identities: IdentityTable) {
    this.reader = reader;
    this.identities = identities;
  }

  get origin(): Pick<TraceHeader, 'latency'> {
    return this.reader.header;
  }

  get host(): string {
    return this.reader.header.host;
  }

  /** Names that batches contain, available as they are read. */
  readonly cgroups: CgroupNames = { name: (id) => this.reader.cgroups?.name(id) };

  /** Facts about processes, available as they are read. */
  readonly processes: KnownProcesses = knownBy(() => this.reader.processes);

  /** The notes, as they are read. */
  get notes(): KnownNotes {
    return this.reader.notes ?? NO_NOTES;
  }

  /** I/O in flight for long, as it is read; undefined if the trace does not have it. */
  get inFlight(): KnownInFlight | undefined {
    return this.reader.inFlight;
  }

  /** How long tasks waited for storage, as it is read; undefined if the trace does not have it. */
  get pressure(): KnownPressure | undefined {
    return this.reader.pressure;
  }

  device(dev: number): DeviceInfo | undefined {
    const devices = this.reader.devices();
    if (devices !== this.described) {
      this.byNumber = new Map(devices.map((one) => [one.dev, one]));
      this.described = devices;
    }
    return this.byNumber.get(dev) ?? this.reader.device?.(dev);
  }

  devices(): readonly DeviceInfo[] {
    return this.reader.devices();
  }
}

function knownBy(processes: () => KnownProcesses | undefined): KnownProcesses {
  return {
    facts: (tgid, comm) => processes()?.facts(tgid, comm),
    get version() {
      return processes()?.version ?? 0;
    },
  };
}

/** The context of the rows of a trace; `unknown` gets shorter while a log is read. */
export function rowContextOf(header: TraceHeader, info: TraceInfo): RowContext {
  const { clockBase, hasWallClock, latency } = header;
  return {
    identities: info.identities,
    names: info,
    clockBase,
    hasWallClock,
    latency,
    get unknown() {
      return header.unknown;
    },
  };
}

/** What the counters of a trace are of. */
export interface Counted {
  /** The layers of what is aggregated. */
  readonly aggregated: readonly Layer[];
  /** Only a part of the trace is shown; the counters are of all of it. */
  readonly isPart: boolean;
}

/** The layers with aggregates, in the order of the stack. */
export function aggregatedLayers(identities: IdentityTable): readonly Layer[] {
  const found = new Set<Layer>();
  for (let identity = 0; identity < identities.size; identity++) {
    const known = identities.get(identity);
    if ((known.marks & IdentityMark.noDetail) !== 0) found.add(layerOf(known));
  }
  return LAYERS.filter((layer) => found.has(layer));
}

/** Whether a filter or times leave out some of a trace. */
export function isPartOfTrace({ kind }: Filter, { fromNs, toNs }: TimeRange): boolean {
  return kind !== 'everything' || fromNs !== -Infinity || toNs !== Infinity;
}

/** ` in the whole trace`, where only a part of it is shown. */
export function inWholeTrace({ isPart }: Pick<Counted, 'isPart'>): string {
  return isPart ? ' in the whole trace' : '';
}

/** Sentences about what a trace lacks: what was lost while tracing, and what is damaged now. */
export function warningsOf(
  counters: SourceCounters | undefined,
  problems: readonly TraceProblem[],
  counted: Counted,
): string[] {
  const losses = counters === undefined ? [] : lossWarnings(counters, counted);
  return [...losses, ...problems.map(problemText)];
}

function lossWarnings({ summarised, lost, losses }: SourceCounters, counted: Counted): string[] {
  const where = inWholeTrace(counted);
  const ways = Object.entries(losses)
    .filter(([, count]) => count > 0)
    .map(([name, count]) => `${name} ${count}`);
  const detail = ways.length === 0 ? '' : ` (${ways.join(', ')})`;
  return [
    ...(lost > 0
      ? [`Lost${where}: ${lostText(lost, losses)} missing from all figures${detail}`]
      : []),
    ...(summarised > 0
      ? [
          `Aggregated${where}: ${summarised} ${aggregatedText(summarised, counted.aggregated)} known only as counts`,
        ]
      : []),
  ];
}

/** `I/Os are`, `I/Os and calls are`: their counts by layer are not known. */
function aggregatedText(count: number, layers: readonly Layer[]): string {
  return `${nounFor(count, layers)} ${plural(count, 'is', 'are')}`;
}

/** `2 I/Os and 1 wait are`: waits and calls of programs are no I/O. */
function lostText(lost: number, { waits = 0, calls = 0 }: SourceCounters['losses']): string {
  const kinds = [
    [lost - waits - calls, 'I/O'],
    [waits, 'wait'],
    [calls, 'call'],
  ] as const;
  const texts = kinds
    .filter(([count]) => count > 0)
    .map(([count, noun]) => `${count} ${plural(count, noun)}`);
  return `${texts.join(' and ')} ${plural(lost, 'is', 'are')}`;
}

/** `lines that could not be read: 3 (line 12, "…")`. The quoted text is not sanitized. */
export function problemText({ what, where, count, quote }: TraceProblem): string {
  const often = count > 1 ? `: ${count}` : '';
  const place = [where, quote === undefined ? '' : `"${quote}"`].filter((one) => one !== '');
  return `${what}${often}${place.length === 0 ? '' : ` (${place.join(', ')})`}`;
}
