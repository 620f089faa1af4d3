/** A y axis with labels at whole numbers; values are converted to it. */
export interface ValueAxis {
  readonly low: number;
  readonly high: number;
  /** The position of a value on the axis; NaN for NaN. */
  placeOf(value: number): number;
  /** The label at a position from `low` to `high`. */
  labelAt(place: number): string;
}

type Format = (value: number) => string;

/** An axis from 0 to a round number that is at least every value, in at most this many round steps. */
export function linearAxis(
  series: readonly Float64Array[],
  mostSteps: number,
  format: Format,
): ValueAxis {
  const most = Math.max(1, mostSteps);
  const step = readableStep(roundStep(largestOf(series) / most), most, format);
  const high = Math.max(1, Math.ceil(largestOf(series) / step - 1e-9));
  return {
    low: 0,
    high,
    placeOf: (value) => value / step,
    labelAt: (place) => format(place * step),
  };
}

/** An axis of whole powers of ten that contains every value above 0; one step is one or more of them. */
export function logAxis(
  series: readonly Float64Array[],
  mostSteps: number,
  format: Format,
): ValueAxis {
  const [least, most] = extentOf(series);
  const first = Math.floor(Math.log10(least));
  const last = Math.max(first + 1, Math.ceil(Math.log10(most) - 1e-9));
  const decades = Math.ceil((last - first) / Math.max(1, mostSteps));
  const high = Math.ceil((last - first) / decades);
  return {
    low: 0,
    high,
    placeOf: (value) =>
      value > 0 ? Math.max(0, (Math.log10(value) - first) / decades) : value === 0 ? 0 : NaN,
    labelAt: (place) => format(10 ** (first + place * decades)),
  };
}

/** The step, or the next round one whose labels differ: of `0.05`, `0.1` and 0.15, the last would be `0.1`, too. */
function readableStep(step: number, most: number, format: Format): number {
  const labels = Array.from({ length: most }, (_, i) => format((i + 1) * step));
  const differ = new Set(labels).size === labels.length && labels[0]?.startsWith('<') !== true;
  return differ ? step : readableStep(roundStep(step * 1.5), most, format);
}

function largestOf(series: readonly Float64Array[]): number {
  let largest = 0;
  for (const values of series) for (const value of values) if (value > largest) largest = value;
  return largest;
}

/** The smallest and the largest value above 0. */
function extentOf(series: readonly Float64Array[]): [number, number] {
  let [least, most] = [Infinity, 0];
  for (const values of series) {
    for (const value of values) {
      if (value > most) most = value;
      if (value > 0 && value < least) least = value;
    }
  }
  return most > 0 ? [least, most] : [1e3, 1e6];
}

/** 1, 2 or 5 times a power of ten, at least `value`. */
function roundStep(value: number): number {
  if (!(value > 0)) return 1;
  const power = 10 ** Math.floor(Math.log10(value));
  const factor = [1, 2, 5, 10].find((one) => one * power >= value * (1 - 1e-9)) ?? 10;
  return factor * power;
}
