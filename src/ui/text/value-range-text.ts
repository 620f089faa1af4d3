import { axisValuesOf } from '../../filter/box.ts';
import type { ValuesInBox } from '../../filter/box.ts';
import { formatValue } from '../../raster/distinct-labels.ts';

/** The values of the suffixes of `formatValue`, in the unit of the metric. */
const UNIT_SIZES: Readonly<Record<string, number>> = {
  ns: 1,
  µs: 1e3,
  ms: 1e6,
  s: 1e9,
  min: 60e9,
  h: 3600e9,
  B: 1,
  K: 1024,
  M: 1024 ** 2,
  G: 1024 ** 3,
  T: 1024 ** 4,
  P: 1024 ** 5,
  '%': 0.01,
};
/** From this ratio of its ends on, two digits tell them apart. */
const WIDE = 10;
/** Maximum number of decimals; bins of a large disk are narrow. */
const MAX_DECIMALS = 4;

/** `1.2–1.4ms`, `above 100ms`: an interval of values, with enough digits to distinguish its ends, and the lower one from 0. */
export function valueRangeText(values: ValuesInBox): string {
  const { low, high } = values;
  const metric = axisValuesOf(values);
  if (high === Infinity) return `above ${formatValue(metric, low)}`;
  if (high >= WIDE * low) return wideRange(formatValue(metric, low), formatValue(metric, high));
  const suffix = suffixOf(formatValue(metric, high));
  const unit = UNIT_SIZES[suffix] ?? 1;
  const decimals = decimalsFor(Math.min(low, high - low) / unit);
  return `${rounded(low / unit, decimals)}–${rounded(high / unit, decimals)}${suffix}`;
}

/** The same from the fullest wording to the shortest: `40–42% of each disk`. */
export function valueRangeForms(values: ValuesInBox): string[] {
  const text = valueRangeText(values);
  return values.disks === undefined ? [text] : [`${text} of each disk`, text];
}

/** A wide range has a unit for each end: in one unit, the lower end would lose its digits. */
function wideRange(low: string, high: string): string {
  const suffix = suffixOf(high);
  return `${suffixOf(low) === suffix ? low.slice(0, low.length - suffix.length) : low}–${high}`;
}

function suffixOf(text: string): string {
  return /[^\d.<>-]*$/.exec(text)?.[0] ?? '';
}

/** The decimals with which a value, or a difference of values, is not rounded away. */
function decimalsFor(value: number): number {
  if (value <= 0) return 0;
  return Math.max(0, Math.min(MAX_DECIMALS, Math.ceil(-Math.log10(value / 2))));
}

/** Without trailing zeros. */
function rounded(value: number, decimals: number): string {
  return String(Number(value.toFixed(decimals)));
}
