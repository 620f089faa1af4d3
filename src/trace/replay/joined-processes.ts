import type { KnownProcesses } from '../../model/known-processes.ts';
import type { TraceReader } from '../trace-reader.ts';

interface Placed {
  readonly reader: Pick<TraceReader, 'processes'>;
  /** Undefined when there is only one host. */
  readonly host: { readonly name: string } | undefined;
}

/** Is appended to the names of processes if there are several hosts. */
export function hostSuffix({ name }: { readonly name: string }): string {
  return `@${name}`;
}

/** The facts of several traces about processes; undefined if none has any. */
export function joinedProcesses(traces: readonly Placed[]): KnownProcesses | undefined {
  if (traces.every(({ reader }) => reader.processes === undefined)) return undefined;
  return {
    facts: (tgid, comm) => {
      for (const { reader, host } of traces) {
        const suffix = host === undefined ? '' : hostSuffix(host);
        if (!comm.endsWith(suffix)) continue;
        const facts = reader.processes?.facts(tgid, comm.slice(0, comm.length - suffix.length));
        if (facts !== undefined) return facts;
      }
      return undefined;
    },
    get version() {
      return traces.reduce((sum, { reader }) => sum + (reader.processes?.version ?? 0), 0);
    },
  };
}
