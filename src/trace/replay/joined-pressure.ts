import type {
  KnownPressure,
  PressureHistory,
  PressureSample,
  StalledTime,
} from '../../model/pressure.ts';
import type { TraceReader } from '../trace-reader.ts';
import type { TraceHost } from './joined-hosts.ts';

interface Placed {
  readonly reader: Pick<TraceReader, 'pressure'>;
  /** Is added to the times of the trace. */
  readonly offsetNs: number;
  /** Undefined when there is only one host. */
  readonly host?: Pick<TraceHost, 'cgroupOf'> | undefined;
}

interface Part<History extends PressureHistory> {
  readonly history: History;
  readonly offsetNs: number;
}

/** How long the tasks of one machine, and of its cgroups, waited, by several traces of it that follow each other. */
export function joinedPressure(traces: readonly Placed[]): KnownPressure | undefined {
  const parts = traces.flatMap(({ reader: { pressure }, offsetNs, host }) =>
    pressure === undefined ? [] : [{ history: pressure, offsetNs, host }],
  );
  return parts.length === 0
    ? undefined
    : {
        ...joined(parts),
        get cgroups() {
          return cgroupsOf(parts);
        },
      };
}

function cgroupsOf(
  machines: readonly (Part<KnownPressure> & Pick<Placed, 'host'>)[],
): ReadonlyMap<number, PressureHistory> {
  const parts = new Map<number, Part<PressureHistory>[]>();
  for (const {
    history: { cgroups },
    offsetNs,
    host,
  } of machines)
    for (const [own, history] of cgroups) {
      const id = host?.cgroupOf(own) ?? own;
      parts.set(id, [...(parts.get(id) ?? []), { history, offsetNs }]);
    }
  return new Map([...parts].map(([id, own]) => [id, joined(own)]));
}

function joined(parts: readonly Part<PressureHistory>[]): PressureHistory {
  return {
    during: (startNs, endNs) =>
      parts
        .map(({ history, offsetNs }) => history.during(startNs - offsetNs, endNs - offsetNs))
        .reduce(sumOf),
    samplesAfter: (atNs) =>
      parts
        .flatMap(({ history, offsetNs }) =>
          history.samplesAfter(atNs - offsetNs).map((sample) => moved(sample, offsetNs)),
        )
        .sort((a, b) => a.atNs - b.atNs),
  };
}

function sumOf(a: StalledTime, b: StalledTime): StalledTime {
  return {
    someNs: a.someNs + b.someNs,
    fullNs: a.fullNs + b.fullNs,
    knownNs: a.knownNs + b.knownNs,
  };
}

function moved(sample: PressureSample, offsetNs: number): PressureSample {
  return { ...sample, atNs: sample.atNs + offsetNs };
}
