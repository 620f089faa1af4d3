import type { KnownProcesses } from '../../model/known-processes.ts';
import type { TraceReader } from '../trace-reader.ts';
import type { TraceHost } from './joined-hosts.ts';

interface Placed {
  readonly reader: Pick<TraceReader, 'processes'>;
  /** Undefined when there is only one host. */
  readonly host: Pick<TraceHost, 'ownNames'> | undefined;
}

/** The facts of several traces about processes; undefined if none has any. */
export function joinedProcesses(traces: readonly Placed[]): KnownProcesses | undefined {
  if (traces.every(({ reader }) => reader.processes === undefined)) return undefined;
  return {
    facts: (tgid, comm) => {
      for (const { reader, host } of traces)
        for (const own of host?.ownNames(comm) ?? [comm]) {
          const facts = reader.processes?.facts(tgid, own);
          if (facts !== undefined) return facts;
        }
      return undefined;
    },
    get version() {
      return traces.reduce((sum, { reader }) => sum + (reader.processes?.version ?? 0), 0);
    },
  };
}
