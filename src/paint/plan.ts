import { FONT_ROWS } from './font.ts';

/** One I/O to do; `bytes` is a multiple of the logical block and so is `offset`. */
export interface Stroke {
  readonly offset: number;
  readonly bytes: number;
}

/** What the strokes must keep to. */
export interface Canvas {
  /** Size of the target. */
  readonly bytes: number;
  /** Smallest I/O, and what all are multiples of. */
  readonly blockBytes: number;
  /** Largest I/O that the kernel does not split. */
  readonly maxBytes: number;
}

/** The strokes of a row, from the bottom; the same for every column. */
export type Palette = readonly (readonly Stroke[])[];

/** I/Os per painted pixel: enough to fill a band however finely the picture is drawn. */
export const STROKES_PER_PIXEL = 48;

/** Letters leave a band free above and below, so that the disk's edges stay visible. */
const MARGIN_ROWS = 0.5;
const OFFSET_BYTES = 4096;

/** Each row is a band of the disk; its strokes lie evenly in it. */
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

/** Sizes of the lowest and the highest row; between them rows are even on a logarithmic axis. */
export function sizeRange({ blockBytes, maxBytes }: Canvas): { low: number; high: number } {
  const low = Math.max(OFFSET_BYTES, blockBytes);
  return { low, high: Math.max(low * 2 ** FONT_ROWS, Math.min(maxBytes, 256 * 1024)) };
}

/** Each row is a range of sizes; its strokes take sizes all over it. */
export function sizePalette(canvas: Canvas): Palette {
  const { low, high } = sizeRange(canvas);
  const ratio = (high / low) ** (1 / FONT_ROWS);
  return rows((row) =>
    strokes((part) => {
      const bytes = roundDown(low * ratio ** (row + part), canvas.blockBytes);
      return { offset: 0, bytes: Math.max(low, Math.min(high, bytes)) };
    }),
  );
}

/** What a size costs on this target, as calibrated. */
export interface SizeCost {
  readonly bytes: number;
  /** Usual time of one I/O of that size, in ns. */
  readonly ns: number;
}

/** A target whose slowest I/O is less than so many times slower than its fastest has no room for rows. */
export const NEEDED_LATENCY_RATIO = 4;

/**
 * The lowest row has more room above than the others: its I/Os are hardly more than what one costs at all,
 * and that may double from one second to the next.
 */
const LOWEST_SLACK = 2;

/** What a row's I/Os are to take, in ns, without the way into the kernel and back. */
export interface LatencyBand {
  readonly lowNs: number;
  readonly usualNs: number;
  readonly highNs: number;
}

/** The size of each row, so that latencies are even on a logarithmic axis; undefined without room. */
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

/** Rows nearer to each other than this run into one another. */
const NEEDED_ROW_RATIO = 1.25;

/**
 * From halfway to the row below to halfway to the row above, on a logarithmic axis; undefined where two
 * rows are too close. `costs` are those of the rows' sizes, from the bottom.
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

/** Measured medians may dip; what is asked for must not. */
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
