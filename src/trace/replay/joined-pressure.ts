import type {
  KnownPressure,
  PressureHistory,
  PressureSample,
  StalledTime,
} from '../../model/pressure.ts';
import type { TraceReader } from '../trace-reader.ts';

interface Placed {
  readonly reader: Pick<TraceReader, 'pressure'>;
  /** Is added to the times of the trace. */
  readonly offsetNs: number;
}

interface Part<History extends PressureHistory> {
  readonly history: History;
  readonly offsetNs: number;
}

/** How long the tasks of one machine, and of its cgroups, waited, by several traces of it that follow each other. */
export function joinedPressure(traces: readonly Placed[]): KnownPressure | undefined {
  const parts = traces.flatMap(({ reader: { pressure }, offsetNs }) =>
    pressure === undefined ? [] : [{ history: pressure, offsetNs }],
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

function cgroupsOf(parts: readonly Part<KnownPressure>[]): ReadonlyMap<number, PressureHistory> {
  const ids = new Set(parts.flatMap(({ history }) => [...history.cgroups.keys()]));
  return new Map(
    [...ids].map((id) => {
      const own = parts.flatMap(({ history: { cgroups }, offsetNs }) => {
        const history = cgroups.get(id);
        return history === undefined ? [] : [{ history, offsetNs }];
      });
      return [id, joined(own)];
    }),
  );
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
