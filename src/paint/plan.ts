import { FONT_ROWS } from './font.ts';

/** One I/O to do; `bytes` is a multiple of the logical block and so is `offset`. */
export interface Stroke {
  readonly offset: number;
  readonly bytes: number;
}

/** Limits for strokes. */
export interface Canvas {
  /** Size of the target. */
  readonly bytes: number;
  /** Smallest I/O; all sizes are multiples of it. */
  readonly blockBytes: number;
  /** Largest I/O that the kernel does not split. */
  readonly maxBytes: number;
}

/** The strokes of a row, from the bottom; the same for every column. */
export type Palette = readonly (readonly Stroke[])[];

/** I/Os per painted pixel: enough to fill a band at any resolution. */
export const STROKES_PER_PIXEL = 48;

/** A margin above and below the letters keeps the disk's edges visible. */
const MARGIN_ROWS = 0.5;
const OFFSET_BYTES = 4096;

/** Each row is a band of the disk, with evenly spaced strokes. */
export function offsetPalette(canvas: Canvas): Palette {
  const bytes = roundUp(OFFSET_BYTES, canvas.blockBytes);
  const rowBytes = canvas.bytes / (FONT_ROWS + 2 * MARGIN_ROWS);
  return rows((row) =>
    strokes((part) => {
      const place = (row + MARGIN_ROWS + part) * rowBytes;
      return { offset: roundDown(place, bytes), bytes };
    }),
  );
}

/** The sizes of the lowest and the highest row; between them, rows are evenly spaced on a logarithmic axis. */
export function sizeRange({ blockBytes, maxBytes }: Canvas): { low: number; high: number } {
  const low = Math.max(OFFSET_BYTES, blockBytes);
  return { low, high: Math.min(maxBytes, Math.max(low * 2 ** FONT_ROWS, 256 * 1024)) };
}

/** Each row is a range of sizes, with evenly spaced strokes. Large blocks must not round a size into the row below. */
export function sizePalette(canvas: Canvas): Palette {
  const { low, high } = sizeRange(canvas);
  const ratio = (high / low) ** (1 / FONT_ROWS);
  return rows((row) => {
    const lowest = roundUp(low * ratio ** row, canvas.blockBytes);
    return strokes((part) => {
      const bytes = roundDown(low * ratio ** (row + part), canvas.blockBytes);
      return { offset: 0, bytes: Math.min(high, Math.max(lowest, bytes)) };
    });
  });
}

/** Measured time of a size on this target. */
export interface SizeCost {
  readonly bytes: number;
  /** Time of one of the fastest I/Os of that size, in ns: what delays the others is not the size. */
  readonly ns: number;
}

/** With a smaller ratio between the slowest and the fastest I/O, there is no room for rows. */
const NEEDED_LATENCY_RATIO = 4;

/**
 * The lowest row has more room above it than the others: its I/Os take little more than the fixed time of an I/O,
 * which may double from one second to the next.
 */
const LOWEST_SLACK = 2;

/** The range of latencies of a row, in ns, without the time of the system call itself. */
export interface LatencyBand {
  readonly lowNs: number;
  readonly usualNs: number;
  readonly highNs: number;
}

/** A size for each row, with latencies evenly spaced on a logarithmic axis; undefined without room for them. */
export function latencySizes(costs: readonly SizeCost[], canvas: Canvas): number[] | undefined {
  const rising = monotone(costs);
  const fastest = rising[0]?.ns ?? Infinity;
  const slowest = rising.at(-1)?.ns ?? 0;
  if (!(slowest >= fastest * NEEDED_LATENCY_RATIO)) return undefined;
  const room = slowest / fastest;
  const low = fastest * Math.min(LOWEST_SLACK, room ** (1 / FONT_ROWS));
  const ratio = (slowest / low) ** (1 / (FONT_ROWS - 1));
  return rows((row) => {
    const ns = row === 0 ? fastest : low * ratio ** row;
    return Math.max(canvas.blockBytes, roundDown(bytesFor(rising, ns), canvas.blockBytes));
  });
}

/** Rows that are closer than this would merge. */
const NEEDED_ROW_RATIO = 1.25;

/**
 * The range of latencies of each row: from halfway to the row below to halfway to the row above, on a logarithmic axis;
 * undefined when two rows are too close. `costs` are those of the rows' sizes, from the bottom.
 */
export function latencyBands(costs: readonly SizeCost[]): LatencyBand[] | undefined {
  const ratios = costs.slice(1).map(({ ns }, below) => ns / costs[below]!.ns);
  if (ratios.some((ratio) => !(ratio >= NEEDED_ROW_RATIO))) return undefined;
  return costs.map(({ ns }, row) => ({
    lowNs: row === 0 ? 0 : ns / Math.sqrt(ratios[row - 1]!),
    usualNs: ns,
    highNs: ns * Math.sqrt(ratios[row] ?? ratios[row - 1] ?? NEEDED_LATENCY_RATIO),
  }));
}

/** Each row is one size. */
export function latencyPalette(sizes: readonly number[]): Palette {
  return sizes.map((bytes) => strokes(() => ({ offset: 0, bytes })));
}

/** Measured times may decrease with size; the ones used must not. */
function monotone(costs: readonly SizeCost[]): SizeCost[] {
  let highest = 0;
  return [...costs]
    .sort((a, b) => a.bytes - b.bytes)
    .map(({ bytes, ns }) => ({ bytes, ns: (highest = Math.max(highest, ns)) }));
}

function bytesFor(costs: readonly SizeCost[], ns: number): number {
  const at = costs.findIndex((cost) => cost.ns >= ns);
  const above = costs[at] ?? costs.at(-1)!;
  const below = costs[at - 1];
  if (below === undefined || above.ns === below.ns) return above.bytes;
  const part = (ns - below.ns) / (above.ns - below.ns);
  return below.bytes + part * (above.bytes - below.bytes);
}

function rows<T>(of: (row: number) => T): T[] {
  return Array.from({ length: FONT_ROWS }, (_, row) => of(row));
}

/** `part` runs from 0 to 1, both excluded. */
function strokes(of: (part: number) => Stroke): Stroke[] {
  return Array.from({ length: STROKES_PER_PIXEL }, (_, index) =>
    of((index + 0.5) / STROKES_PER_PIXEL),
  );
}

function roundDown(value: number, unit: number): number {
  return Math.floor(value / unit) * unit;
}

function roundUp(value: number, unit: number): number {
  return Math.ceil(value / unit) * unit;
}
