import type { Rect } from '../layout-screen.ts';

/** The charts and their places; each has a title above and times below. */
export interface TrendLayout {
  readonly iops: Rect;
  readonly throughput: Rect | undefined;
  readonly latency: Rect;
  readonly inFlight: Rect | undefined;
  readonly disks: Rect;
}

const LEAST_WIDTH = 60;
/** The smallest size of the charts, without header and status line. */
const LEAST_HEIGHT = 13;
/** Below this two rows of lines would be too flat to read. */
const TWO_ROWS_HEIGHT = 18;
/** From this width on there is room for bars next to the disks. */
const BARS_WIDTH = 100;
const BARS_HEIGHT = 28;
const GAP = 2;
const DISKS_SHARE = 0.3;
const MOST_DISK_ROWS = 14;

/** The layout of the charts; undefined if there is too little room to read anything. */
export function layoutTrend(width: number, height: number): TrendLayout | undefined {
  if (width < LEAST_WIDTH || height < LEAST_HEIGHT) return undefined;
  const hasBars = width >= BARS_WIDTH && height >= BARS_HEIGHT;
  const wanted = Math.min(MOST_DISK_ROWS, Math.round(height * DISKS_SHARE));
  const bottom = hasBars ? wanted : Math.min(6, Math.max(3, Math.round(height / 4)));
  const rest = height - bottom;
  const isLow = height < TWO_ROWS_HEIGHT;
  const top = isLow ? rest : Math.floor(rest / 2);
  const [left, right] = halves(width, 0, top);
  const [bars, disks] = halves(width, rest, bottom);
  return {
    iops: left,
    throughput: isLow ? undefined : right,
    latency: isLow ? right : { x: 0, y: top, width, height: rest - top },
    inFlight: hasBars ? bars : undefined,
    disks: hasBars ? disks : { x: 0, y: rest, width, height: bottom },
  };
}

function halves(width: number, y: number, height: number): [Rect, Rect] {
  const left = Math.floor((width - GAP) / 2);
  const x = left + GAP;
  return [
    { x: 0, y, width: left, height },
    { x, y, width: width - x, height },
  ];
}
