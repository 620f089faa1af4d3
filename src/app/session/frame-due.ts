import { NS_PER_SECOND } from '../../base/time.ts';

/** How often the picture shows I/O while it comes, where its columns are wider than that. */
const FRESH_NS = 250e6;

/** All times are trace time. */
export interface FrameFacts {
  readonly paintedAtNs: number;
  readonly nowNs: number;
  /** Whether I/O or a note has come since the last frame. */
  readonly hasNews: boolean;
  /** Width of a column; undefined while the picture is frozen. */
  readonly columnNs: number | undefined;
}

/**
 * Whether the picture or the figures have changed since the last frame: figures are counted once a second, the picture
 * moves when a column has passed. I/O is shown at once after a pause, then a few times a second.
 */
export function isFrameDue({ paintedAtNs, nowNs, hasNews, columnNs }: FrameFacts): boolean {
  const steps = columnNs === undefined ? [NS_PER_SECOND] : [NS_PER_SECOND, columnNs];
  if (steps.some((ns) => Math.floor(nowNs / ns) !== Math.floor(paintedAtNs / ns))) return true;
  return hasNews && columnNs !== undefined && nowNs - paintedAtNs >= Math.min(columnNs, FRESH_NS);
}
