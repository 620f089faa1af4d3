import type { KnownPressure, PressureSample, StalledTime } from '../../model/pressure.ts';
import type { TraceReader } from '../trace-reader.ts';

interface Placed {
  readonly reader: Pick<TraceReader, 'pressure'>;
  /** Added to the trace's times. */
  readonly offsetNs: number;
}

/** How long the tasks of one machine waited, by several traces of it that follow each other. */
export function joinedPressure(traces: readonly Placed[]): KnownPressure | undefined {
  const known = traces.flatMap(({ reader: { pressure }, offsetNs }) =>
    pressure === undefined ? [] : [{ pressure, offsetNs }],
  );
  if (known.length === 0) return undefined;
  return {
    during: (startNs, endNs) =>
      known
        .map(({ pressure, offsetNs }) => pressure.during(startNs - offsetNs, endNs - offsetNs))
        .reduce(sumOf),
    samplesAfter: (atNs) =>
      known
        .flatMap(({ pressure, offsetNs }) =>
          pressure.samplesAfter(atNs - offsetNs).map((sample) => moved(sample, offsetNs)),
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
