import { plural } from '../base/format.ts';
import type { DeviceInfo, DeviceNames } from '../model/device.ts';
import type { IdentityTable } from '../model/identity-table.ts';
import type { RowContext } from './rows/event-row.ts';
import type { SourceCounters } from '../source/completion-summary.ts';
import type { TraceHeader, TraceProblem, TraceReader } from '../source/trace-reader.ts';

/** The names behind a trace's numbers: disks of text logs become known while they are read. */
export class TraceInfo implements DeviceNames {
  readonly keys: IdentityTable;
  private readonly reader: TraceReader;
  private byNumber = new Map<number, DeviceInfo>();
  private known = -1;

  constructor(reader: TraceReader, keys: IdentityTable) {
    this.reader = reader;
    this.keys = keys;
  }

  get host(): string {
    return this.reader.header.host;
  }

  device(dev: number): DeviceInfo | undefined {
    const devices = this.reader.devices();
    if (devices.length !== this.known) {
      this.byNumber = new Map(devices.map((one) => [one.dev, one]));
      this.known = devices.length;
    }
    return this.byNumber.get(dev);
  }

  devices(): readonly DeviceInfo[] {
    return this.reader.devices();
  }
}

/** What rows of a trace are written with; what a log does not tell grows less while it is read. */
export function rowContextOf(header: TraceHeader, info: TraceInfo): RowContext {
  const { clockBase, hasWallClock, latency } = header;
  return {
    keys: info.keys,
    names: info,
    clockBase,
    hasWallClock,
    latency,
    get unknown() {
      return header.unknown;
    },
  };
}

/** Sentences about what a trace lacks: what was lost when it was made, and what is damaged now. */
export function warningsOf(
  counters: SourceCounters | undefined,
  problems: readonly TraceProblem[],
): string[] {
  return [...(counters === undefined ? [] : lossWarnings(counters)), ...problems.map(problemText)];
}

function lossWarnings({ summarised, lost, losses }: SourceCounters): string[] {
  const ways = Object.entries(losses)
    .filter(([, count]) => count > 0)
    .map(([name, count]) => `${name} ${count}`);
  const detail = ways.length === 0 ? '' : ` (${ways.join(', ')})`;
  return [
    ...(lost > 0
      ? [
          `Lost: ${lost} ${plural(lost, 'I/O was', 'I/Os were')} seen in part and in no figure${detail}`,
        ]
      : []),
    ...(summarised > 0
      ? [
          `Only counted: ${summarised} ${plural(summarised, 'I/O is', 'I/Os are')} known in sum, not one by one`,
        ]
      : []),
  ];
}

/** `3 lines make no sense (first: line 12, "…")`. */
export function problemText({ what, where, count, quote }: TraceProblem): string {
  const often = count > 1 ? `, ${count} times` : '';
  const place = [where, quote === undefined ? '' : `"${quote}"`].filter((one) => one !== '');
  return `${what}${often}${place.length === 0 ? '' : ` (${place.join(', ')})`}`;
}
