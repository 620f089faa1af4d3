/**
 * Figures for people. Every function returns `UNKNOWN` for what is absent or not a number, and keeps
 * to a largest width, so that columns of figures do not move about.
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
/** From here on seconds become unreadable. */
const LONG_DURATION_NS = 1000e9;

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

/** A number of things: `812`, `1.2k`, `12.4k`, `124k`, `1.2M`: at most 5 columns. */
export function formatCount(count: number | undefined): string {
  if (!isFigure(count)) return UNKNOWN;
  return inUnits(count, COUNT_UNITS, (value, unit) =>
    unit.size === 1 ? String(Math.round(value)) : oneDecimalBelow(value, 100),
  );
}

/** Things per second, where a few per minute matter too: `0.02`, `0.4`, `3.1`, `41`, `9.8k`, `124k`. */
export function formatRate(perSecond: number | undefined): string {
  if (!isFigure(perSecond)) return UNKNOWN;
  if (perSecond > 0 && perSecond < 0.005) return '<0.01';
  if (perSecond > 0 && perSecond < 0.095) return perSecond.toFixed(2);
  return inUnits(perSecond, COUNT_UNITS, twoDigits);
}

/** A size, in powers of 1024 as storage people write them: `512B`, `4K`, `1.5M`, `1020G`. */
export function formatBytes(bytes: number | undefined): string {
  if (!isFigure(bytes)) return UNKNOWN;
  return inUnits(bytes, BYTE_UNITS, (value, unit) =>
    unit.size === 1 ? String(Math.round(value)) : twoDigits(value),
  );
}

/** Throughput, in powers of 1000 as disks and networks are sold: `84 kB/s`, `512 MB/s`, `1.2 GB/s`. */
export function formatByteRate(bytesPerSecond: number | undefined): string {
  if (!isFigure(bytesPerSecond)) return UNKNOWN;
  return inUnits(bytesPerSecond, RATE_UNITS, (value) => `${twoDigits(value)} `);
}

/**
 * A share, 0 to 1. Neither 0 nor 100 is ever the result of rounding: 99.996 % complete is not
 * complete, and one in a million is not none.
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

/** The word for `count` things: `I/O` for exactly one, else `I/Os`, or `many` where an s will not do. */
export function plural(count: number, one: string, many = `${one}s`): string {
  return count === 1 ? one : many;
}

/** Right-aligned in `width` columns; what is wider stays whole, as a cut figure is a wrong one. */
export function alignRight(text: string, width: number): string {
  return text.padStart(width);
}

/** Left-aligned in exactly `width` columns; what is wider is cut. */
export function alignLeft(text: string, width: number): string {
  return text.length > width ? text.slice(0, width) : text.padEnd(width);
}

function isFigure(value: number | undefined): value is number {
  return value !== undefined && Number.isFinite(value);
}

/** The largest unit that leaves at least 1, judged after rounding: 999.7 µs is 1 ms, not 1000 µs. */
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

/** Share of `larger` within which a value in `smaller` would be rounded up to a whole `larger`. */
function carry(smaller: Unit, larger: Unit): number {
  return smaller === larger ? 0 : (0.5 * smaller.size) / larger.size;
}

/** `0`, `1.2`, `9.9`, `10`, `840`; a whole number has no decimals. */
function twoDigits(value: number): string {
  return oneDecimalBelow(value, 9.95);
}

function oneDecimalBelow(value: number, limit: number): string {
  if (Math.abs(value) >= limit) return String(Math.round(value));
  const text = value.toFixed(1);
  return text.endsWith('.0') ? String(Math.round(value)) : text;
}
