/**
 * Figures for people. Every function returns `UNKNOWN` for an absent value or NaN, and has a maximum width, so that
 * columns of figures stay aligned.
 */
export const UNKNOWN = '-';

interface Unit {
  readonly size: number;
  readonly suffix: string;
}

const DURATION_UNITS: readonly Unit[] = [
  { size: 1, suffix: 'ns' },
  { size: 1e3, suffix: 'µs' },
  { size: 1e6, suffix: 'ms' },
  { size: 1e9, suffix: 's' },
];
const LONG_UNITS: readonly Unit[] = [
  { size: 60e9, suffix: 'min' },
  { size: 3600e9, suffix: 'h' },
];
/** Longer durations, which would be rounded to 1000 s or more, are shown in minutes and hours. */
const LONG_DURATION_NS = 999.5e9;

const COUNT_UNITS = decimalUnits(['', 'k', 'M', 'G', 'T', 'P']);
const RATE_UNITS = decimalUnits(['B/s', 'kB/s', 'MB/s', 'GB/s', 'TB/s']);
const BYTE_UNITS = ['B', 'K', 'M', 'G', 'T', 'P'].map((suffix, i) => ({
  size: 1024 ** i,
  suffix,
}));

function decimalUnits(suffixes: readonly string[]): Unit[] {
  return suffixes.map((suffix, i) => ({ size: 1000 ** i, suffix }));
}

/** `840ns`, `84µs`, `1.2ms`, `120ms`, `1.1s`, `17min`: at most 5 columns below 1000 s. */
export function formatDuration(ns: number | undefined): string {
  if (!isFigure(ns)) return UNKNOWN;
  const units = Math.abs(ns) < LONG_DURATION_NS ? DURATION_UNITS : LONG_UNITS;
  return inUnits(ns, units, twoDigits);
}

/**
 * A part of a duration and the rest, such as `['240', '23']` for 263 ms: in the unit of the whole, so that the two add
 * up to what `formatDuration` prints. Below 10 they have a decimal, like the whole, even if it happens to be round: the
 * parts of 2 ms are 0.3 and 1.7, not 0 and 2.
 */
export function formatDurationParts(wholeNs: number, partNs: number): readonly [string, string] {
  const text = formatDuration(wholeNs);
  const figure = Number.parseFloat(text);
  const unitNs =
    figure === 0
      ? 1
      : [...DURATION_UNITS, ...LONG_UNITS].find(({ suffix }) => text === `${figure}${suffix}`)!
          .size;
  const decimals = /\.\d/.test(text) || (figure < 10 && unitNs > 1) ? 1 : 0;
  const part = Math.min(figure, Number((partNs / unitNs).toFixed(decimals)));
  return [plain(part, decimals), plain(figure - part, decimals)];
}

function plain(figure: number, decimals: number): string {
  return String(Number(figure.toFixed(decimals)));
}

/** A count: `812`, `1.2k`, `12.4k`, `124k`, `1.2M`: at most 5 columns. */
export function formatCount(count: number | undefined): string {
  if (!isFigure(count)) return UNKNOWN;
  return inUnits(count, COUNT_UNITS, (value, unit) =>
    unit.size === 1 ? String(Math.round(value)) : oneDecimalBelow(value, 100),
  );
}

/** A rate per second, including a few per minute: `0.02`, `0.4`, `3.1`, `41`, `9.8k`, `124k`. */
export function formatRate(perSecond: number | undefined): string {
  if (!isFigure(perSecond)) return UNKNOWN;
  if (perSecond > 0 && perSecond < 0.005) return '<0.01';
  if (perSecond > 0 && perSecond < 0.095) return perSecond.toFixed(2);
  return inUnits(perSecond, COUNT_UNITS, twoDigits);
}

/** The size or offset of one I/O, in powers of 1024, as is usual in storage: `512B`, `4K`, `1.5M`, `0 B`. */
export function formatBytes(bytes: number | undefined): string {
  if (!isFigure(bytes)) return UNKNOWN;
  if (bytes === 0) return '0 B';
  return inUnits(bytes, BYTE_UNITS, (value, unit) =>
    unit.size === 1 ? String(Math.round(value)) : twoDigits(value),
  );
}

/** Throughput, in powers of 1000 as for disks and networks: `84 kB/s`, `512 MB/s`, `0 B/s`. */
export function formatByteRate(bytesPerSecond: number | undefined): string {
  if (!isFigure(bytesPerSecond)) return UNKNOWN;
  return inUnits(bytesPerSecond, RATE_UNITS, (value) => `${twoDigits(value)} `);
}

/** An amount of data, in the units of throughput: `148 kB`, `72 MB`, `0 B`. */
export function formatByteSum(bytes: number | undefined): string {
  return formatByteRate(bytes).replace('/s', '');
}

/**
 * A share, 0 to 1. 0 and 100 are never the result of rounding: 99.996 % is not complete, and one in a million is not
 * zero.
 */
export function formatPercent(share: number | undefined): string {
  if (!isFigure(share)) return UNKNOWN;
  const percent = share * 100;
  if (percent > 0 && percent < 0.01) return '<0.01%';
  if (percent > 99.9 && percent < 100) return percent <= 99.99 ? '99.9%' : '>99.99%';
  if (percent < 0.095) return `${percent === 0 ? '0' : percent.toFixed(2)}%`;
  if (percent > 99 && percent < 100) return `${(Math.floor(percent * 10) / 10).toFixed(1)}%`;
  return `${twoDigits(percent)}%`;
}

/** The noun for `count`: `I/O` for exactly one, else `I/Os`, or `many` for an irregular plural. */
export function plural(count: number, one: string, many = `${one}s`): string {
  return count === 1 ? one : many;
}

/** Right-aligned in `width` columns; wider text is not truncated, because a truncated figure would be wrong. */
export function alignRight(text: string, width: number): string {
  return text.padStart(width);
}

function isFigure(value: number | undefined): value is number {
  return value !== undefined && Number.isFinite(value);
}

/** The largest unit with a value of at least 1 after rounding: 999.7 µs is 1 ms, not 1000 µs. */
function inUnits(
  value: number,
  units: readonly Unit[],
  format: (value: number, unit: Unit) => string,
): string {
  const magnitude = Math.abs(value);
  let chosen = units[0]!;
  for (const unit of units) {
    if (magnitude >= unit.size * (1 - carry(chosen, unit))) chosen = unit;
  }
  return `${format(value / chosen.size, chosen)}${chosen.suffix}`;
}

/** Share of `larger` within which a value in `smaller` would be rounded up to one `larger`. */
function carry(smaller: Unit, larger: Unit): number {
  return smaller === larger ? 0 : (0.5 * smaller.size) / larger.size;
}

/** `0`, `1.2`, `9.9`, `10`, `840`; integers have no decimals. */
function twoDigits(value: number): string {
  return oneDecimalBelow(value, 9.95);
}

function oneDecimalBelow(value: number, limit: number): string {
  if (Math.abs(value) >= limit) return String(Math.round(value));
  const text = value.toFixed(1);
  return text.endsWith('.0') ? String(Math.round(value)) : text;
}
