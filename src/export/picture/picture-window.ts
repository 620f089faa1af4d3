/** The time that a picture shows: columns of `columnNs`, the last of which contains `lastNs`. */
export interface PictureWindow {
  readonly columnNs: number;
  readonly columns: number;
  readonly lastNs: number;
}

/** Trace time [startNs, endNs) of all columns. */
export function drawnBy({ columnNs, columns, lastNs }: PictureWindow): {
  readonly startNs: number;
  readonly endNs: number;
} {
  const endNs = (Math.floor(lastNs / columnNs) + 1) * columnNs;
  return { startNs: endNs - columns * columnNs, endNs };
}

export interface WindowRequest {
  /** Requested trace time [fromNs, toNs). */
  readonly fromNs: number;
  readonly toNs: number;
  /** Chosen by the user; by default the finest that fits. */
  readonly columnNs?: number | undefined;
  /** Maximum number of columns. */
  readonly columns: number;
}

const SECOND = 1e9;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

/** Round column widths. */
const LADDER = [
  ...[1, 2, 5, 10, 20, 50, 100, 200, 500].map((ms) => ms * 1e6),
  ...[1, 2, 5, 10, 15, 30].map((seconds) => seconds * SECOND),
  ...[1, 2, 5, 10, 15, 30].map((minutes) => minutes * MINUTE),
  ...[1, 2, 3, 6, 12].map((hours) => hours * HOUR),
  ...[1, 2, 7, 14, 28].map((days) => days * DAY),
];

/** A window of whole columns around the requested time. If they do not fit, the latest ones. */
export function pictureWindow(request: WindowRequest): PictureWindow {
  const { fromNs, toNs, columns } = request;
  const lastNs = Math.max(fromNs, toNs - 1);
  const needed = (columnNs: number): number =>
    Math.floor(lastNs / columnNs) - Math.floor(fromNs / columnNs) + 1;
  const columnNs =
    request.columnNs ?? LADDER.find((ns) => needed(ns) <= columns) ?? wideEnough(needed, columns);
  return {
    columnNs,
    columns: Math.max(1, Math.min(columns, needed(columnNs))),
    lastNs,
  };
}

function wideEnough(needed: (columnNs: number) => number, columns: number): number {
  let columnNs = LADDER.at(-1)!;
  while (needed(columnNs) > columns && columnNs < 2 ** 62) columnNs *= 2;
  return columnNs;
}
