import type { InFlightSpan, KnownInFlight } from '../../model/in-flight.ts';
import type { TraceReader } from '../trace-reader.ts';
import type { TraceHost } from './joined-hosts.ts';

interface Placed {
  readonly reader: Pick<TraceReader, 'inFlight'>;
  /** Is added to the times of the trace. */
  readonly offsetNs: number;
  /** Undefined when there is only one host. */
  readonly host: Pick<TraceHost, 'identityOf'> | undefined;
  /** Nothing is known after this time; Infinity if it is unknown, or if no other trace follows. */
  readonly endNs: number;
  /** Maps its file numbers to those of the session; undefined if they are the same. */
  readonly fileOf: ((file: number) => number) | undefined;
}

/**
 * The I/O in flight of several traces, on one time axis. Which of them have it is known only after they have been read.
 */
export function joinedInFlight(traces: readonly Placed[]): KnownInFlight | undefined {
  const known = traces.filter(({ reader }) => reader.inFlight !== undefined);
  if (known.length === 0) return undefined;
  // A number stays with its I/O while further I/O of any of the traces becomes known.
  const spans = traces.flatMap((trace, index) =>
    (trace.reader.inFlight?.spans() ?? []).map((span) => ({
      ...placed(span, trace),
      number: span.number * traces.length + index,
    })),
  );
  return {
    spans: () => (known.length === 1 ? spans : withoutDoubles(spans)),
    version: known.reduce((sum, { reader }) => sum + (reader.inFlight?.version ?? 0), 0),
  };
}

/** A file of a series repeats what was in flight at its start: merges such spans with those of the file before. */
function withoutDoubles(spans: readonly InFlightSpan[]): readonly InFlightSpan[] {
  const found = new Map<string, InFlightSpan>();
  for (const span of spans) {
    const { sinceNs, identity, sector } = span;
    const id = `${identity.dev} ${sinceNs} ${identity.tid} ${identity.cmdFlags} ${sector}`;
    const other = found.get(id);
    if (other === undefined) found.set(id, span);
    else if (other.untilNs < span.untilNs) found.set(id, { ...span, number: other.number });
  }
  return [...found.values()];
}

function placed(span: InFlightSpan, trace: Placed): InFlightSpan {
  const { offsetNs, host, fileOf, endNs } = trace;
  const { identity, sinceNs, issueNs, untilNs, file } = span;
  return {
    ...span,
    sinceNs: sinceNs + offsetNs,
    issueNs: issueNs === undefined ? undefined : issueNs + offsetNs,
    untilNs: Math.min(untilNs, endNs) + offsetNs,
    identity: host?.identityOf(identity) ?? identity,
    file: file === undefined || fileOf === undefined ? file : fileOf(file),
  };
}
