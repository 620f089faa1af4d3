import { assertUnreachable } from '../../base/assert.ts';
import type { ValueRange } from '../../filter/box.ts';
import type { AxisValues, ScaleKind } from '../../model/metric.ts';
import { createLinearScale, roundStep } from './linear-scale.ts';
import { createLogScale } from './log-scale.ts';
import type { Interval, Roundness, Scale } from './scale.ts';

/** How the y axis of a metric chooses its domain. */
export interface Axis {
  readonly kind: ScaleKind;
  readonly roundness: Roundness;
  /** The domain while there is nothing to show. */
  readonly initial: Interval;
  /** The smallest round domain that holds `extent`. */
  fit(extent: Interval): Interval;
  /** The domain for a finite range that a person chose, or the nearest one that can be shown. */
  zoom(range: ValueRange): Interval;
}

/** `kind` decides for latencies and sizes only: offsets, shares and utilization are always linear. */
export function axisOf(values: AxisValues, kind: ScaleKind): Axis {
  switch (values) {
    case 'device':
    case 'queue':
    case 'total':
      return kind === 'log' ? LOG_LATENCY : LINEAR_LATENCY;
    case 'size':
      return kind === 'log' ? LOG_SIZE : LINEAR_SIZE;
    case 'offset':
      return OFFSET;
    case 'file-offset':
      return FILE_OFFSET;
    case 'diskShare':
      return DISK_SHARE;
    case 'utilization':
      return UTILIZATION;
    default:
      return assertUnreachable(values);
  }
}

export function createScale(axis: Axis, domain: Interval, bins: number): Scale {
  const create = axis.kind === 'log' ? createLogScale : createLinearScale;
  return create(domain, bins, axis.roundness);
}

/** No I/O at the block layer is faster; smaller values are counted below the axis. */
const LEAST_LATENCY_NS = 100;

/**
 * Two decades over 60 bins make bins of 8 %, a little more than a fine bin. Narrower bins would draw aggregated I/O
 * as stripes with gaps.
 */
const LEAST_LOG_STEPS = 4;

const LOG_LATENCY: Axis = {
  kind: 'log',
  roundness: 'decimal',
  initial: { low: 10e3, high: 100e6 },
  fit({ low, high }) {
    let from = stepBelow(Math.max(low, LEAST_LATENCY_NS));
    let to = stepAbove(Math.max(high, LEAST_LATENCY_NS));
    const least = stepBelow(LEAST_LATENCY_NS);
    while (to - from < LEAST_LOG_STEPS) {
      to++;
      if (to - from < LEAST_LOG_STEPS && from > least) from--;
    }
    return { low: stepValue(from), high: stepValue(to) };
  },
  zoom: (range) => zoomLog(LEAST_LATENCY_NS, range),
};

/** Steps of about half a decade, 1, 3, 10, 30 …: whole decades would leave more of the height empty. */
function stepValue(step: number): number {
  const odd = step % 2 !== 0;
  return (odd ? 3 : 1) * 10 ** ((odd ? step - 1 : step) / 2);
}

function stepBelow(value: number): number {
  let step = Math.floor(2 * Math.log10(value)) + 1;
  while (stepValue(step) > value) step--;
  return step;
}

function stepAbove(value: number): number {
  const step = stepBelow(value);
  return stepValue(step) === value ? step : step + 1;
}

/** Rows store latencies as floats, which are exact to about one part in ten million. */
const LEAST_LATENCY_SHARE = 0.001;

const LINEAR_LATENCY: Axis = {
  kind: 'linear',
  roundness: 'decimal',
  initial: { low: 0, high: 10e6 },
  fit: ({ high }) => ({ low: 0, high: roundStep(Math.max(high, 1000), 'decimal') }),
  zoom: (range) => zoomLinear(1000, range, LEAST_LATENCY_SHARE),
};

/** Most systems send no larger I/O, so that the axis rarely changes. */
const USUAL_LARGEST_BYTES = 2 ** 20;

const LOG_SIZE: Axis = {
  kind: 'log',
  roundness: 'binary',
  initial: { low: 512, high: USUAL_LARGEST_BYTES },
  fit: ({ high }) => ({ low: 512, high: binaryCeiling(Math.max(high, USUAL_LARGEST_BYTES)) }),
  zoom: (range) => zoomLog(512, range),
};

const LINEAR_SIZE: Axis = {
  kind: 'linear',
  roundness: 'binary',
  initial: { low: 0, high: 128 * 1024 },
  fit: ({ high }) => ({ low: 0, high: binaryCeiling(Math.max(high, 16 * 1024)) }),
  zoom: (range) => zoomLinear(512, range),
};

/** The domain is the disk; `fit` is only used when its size is unknown. */
const OFFSET: Axis = {
  kind: 'linear',
  roundness: 'binary',
  initial: { low: 0, high: 2 ** 30 },
  fit: ({ high }) => ({ low: 0, high: binaryCeiling(Math.max(high, 2 ** 20)) }),
  zoom: (range) => zoomLinear(2 ** 16, range),
};

/** The length of a file is not known, so the domain is where its I/O is. */
const FILE_OFFSET: Axis = { ...OFFSET, zoom: (range) => zoomLinear(2 ** 12, range) };

/** The domain is always the whole disk, from start to end. */
const DISK_SHARE: Axis = {
  kind: 'linear',
  roundness: 'decimal',
  initial: { low: 0, high: 1 },
  fit: () => ({ low: 0, high: 1 }),
  zoom: ({ low, high }) =>
    zoomLinear(LEAST_DISK_SHARE, { low: Math.min(low, 1), high: Math.min(high, 1) }),
};

/** With narrower shares, neighbouring labels would be equal. */
const LEAST_DISK_SHARE = 1e-4;

const UTILIZATION: Axis = {
  kind: 'linear',
  roundness: 'decimal',
  initial: { low: 0, high: 1 },
  fit: () => ({ low: 0, high: 1 }),
  zoom: ({ low, high }) => zoomLinear(0.01, { low: Math.min(low, 0.99), high: Math.min(high, 1) }),
};

function binaryCeiling(value: number): number {
  return roundStep(value, 'binary');
}

/** With a smaller ratio, neighbouring labels of a log axis would be equal. */
const LEAST_RATIO = 1.05;

/** For a log axis that starts at `least`: the chosen range, or the nearest that can be shown. */
function zoomLog(least: number, range: ValueRange): Interval {
  const low = Math.max(least, range.low);
  const high = Math.max(low, range.high);
  if (high >= low * LEAST_RATIO) return { low, high };
  const middle = Math.sqrt(low * high);
  const from = Math.max(least, middle / Math.sqrt(LEAST_RATIO));
  return { low: from, high: from * LEAST_RATIO };
}

/**
 * For a linear axis that starts at 0: the result is at least `leastWidth` wide, and at least `leastShare` of its
 * end.
 */
function zoomLinear(leastWidth: number, range: ValueRange, leastShare = 0): Interval {
  const low = Math.max(0, range.low);
  const high = Math.max(low, range.high);
  const width = Math.max(leastWidth, high * leastShare);
  if (high - low >= width) return { low, high };
  const from = Math.max(0, (low + high - width) / 2);
  return { low: from, high: from + width };
}
