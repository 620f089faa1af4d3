import { assertUnreachable } from '../base/assert.ts';
import { formatBytes, formatDuration, formatPercent } from '../base/format.ts';
import type { AxisValues } from '../model/metric.ts';

/** A value of an axis as text, with two digits. */
export function formatValue(metric: AxisValues, value: number): string {
  if (value === 0) return '0';
  switch (metric) {
    case 'device':
    case 'queue':
    case 'total':
      return formatDuration(value);
    case 'offset':
    case 'file-offset':
    case 'size':
      return formatBytes(value);
    case 'utilization':
    case 'diskShare':
      return formatPercent(value);
    default:
      return assertUnreachable(metric);
  }
}

/** Suffix and size of each unit, the largest first. */
type Units = readonly (readonly [suffix: string, size: number])[];

const TIMES: Units = [
  ['s', 1e9],
  ['ms', 1e6],
  ['µs', 1e3],
  ['ns', 1],
];
const BYTES: Units = ['T', 'G', 'M', 'K', 'B'].map((suffix, i) => [suffix, 1024 ** (4 - i)]);
const SHARES: Units = [['%', 0.01]];

const UNITS: Readonly<Record<AxisValues, Units>> = {
  device: TIMES,
  queue: TIMES,
  total: TIMES,
  offset: BYTES,
  'file-offset': BYTES,
  size: BYTES,
  utilization: SHARES,
  diskShare: SHARES,
};

const MOST_DECIMALS = 3;
/** A label may be wrong by this share of the distance between two values without misleading. */
const TOLERANCE = 0.05;

/**
 * Labels of ascending values, each at most `width` columns wide, with enough digits to differ. If there is no room
 * for the digits, labels are relative to the first value: `+64K`. If there is none for those either, labels may be
 * equal.
 */
export function distinctLabels(
  metric: AxisValues,
  values: readonly number[],
  width: number,
): string[] {
  const step = Math.min(...values.slice(1).map((value, i) => value - values[i]!));
  if (step === Infinity) return values.map((value) => formatValue(metric, value));
  const tolerance = step * TOLERANCE;
  const texts = inOneForm(metric, values, tolerance, width);
  if (texts !== undefined) return texts;
  const [first = 0, ...others] = values;
  const beyond = others.map((value) => value - first);
  const relative =
    inOneForm(metric, beyond, tolerance, width - 1) ??
    beyond.map((value) => formatValue(metric, value));
  return [mostDigits(metric, first, width), ...relative.map((text) => `+${text}`)];
}

/**
 * A value with as many digits as there is room for, in the unit of its shortest form. Rounded down: what is added to it
 * must not seem to end beyond the value.
 */
function mostDigits(metric: AxisValues, value: number, width: number): string {
  const plain = formatValue(metric, value);
  const shortest = UNITS[metric].find(([name]) => name === suffixOf(plain));
  if (shortest === undefined) return plain;
  const [suffix, size] = shortest;
  for (let decimals = MOST_DECIMALS; decimals >= 0; decimals--) {
    const unit = 10 ** decimals;
    const text = fitted(`${Math.floor((value / size) * unit + ROUNDING) / unit}${suffix}`, width);
    if (text.length <= width) return text;
  }
  return plain;
}

/** For values that are only just below a number because they cannot be represented. */
const ROUNDING = 1e-6;

function suffixOf(text: string): string {
  return text.replace(/^[<>]?[\d.]+/, '');
}

function inOneForm(
  metric: AxisValues,
  values: readonly number[],
  tolerance: number,
  width: number,
): string[] | undefined {
  const plain = values.map((value) => formatValue(metric, value));
  const isExact = values.every((value, i) => {
    const digits = Number.parseFloat(plain[i]!);
    const size = UNITS[metric].find(([name]) => name === suffixOf(plain[i]!))?.[1] ?? 1;
    return off(value, digits * size) <= tolerance;
  });
  if (isExact) return plain;
  for (const [suffix, size] of UNITS[metric]) {
    for (let decimals = 0; decimals <= MOST_DECIMALS; decimals++) {
      const numbers = values.map((value) => (value / size).toFixed(decimals));
      const isTelling = numbers.every(
        (text, i) => off(values[i]!, Number(text) * size) <= tolerance,
      );
      const texts = numbers.map((text) => fitted(text + suffix, width));
      if (isTelling && texts.every(({ length }) => length <= width)) return texts;
    }
  }
  return undefined;
}

/** Without the zero before the point if there is no room for it: `.005%`. */
function fitted(text: string, width: number): string {
  return text.length <= width ? text : text.replace(/^0\./, '.');
}

function off(value: number, shown: number): number {
  return Math.abs(value - shown);
}
