import { FINE_BINS, OFFSET_BINS } from '../../../model/fine-bins.ts';
import type { CompletionSummary } from '../../completion-summary.ts';
import { DamagedError } from '../arrow/flat-reader.ts';

/**
 * A summary as bytes: its numbers as doubles, then five histograms. Each is the number of non-empty bins, then pairs
 * of (distance to the previous non-empty bin, count) as base-128 digits, low digit first. Where the count is an
 * estimate, its variance follows as a double.
 */
const NUMBERS = [
  'startNs',
  'endNs',
  'count',
  'bytes',
  'errors',
  'deviceNsSum',
  'queueNsSum',
  'maxDeviceNs',
  'maxQueueNs',
  'offsetShift',
] as const satisfies (keyof CompletionSummary)[];

const HISTOGRAMS = ['device', 'queue', 'total', 'size', 'offset'] as const;

/** Disks of 2^63 sectors do not need wider bins. */
const MAX_OFFSET_SHIFT = 63;

export function summaryBytes(summary: CompletionSummary): Buffer {
  const bytes: number[] = [];
  for (const name of HISTOGRAMS) writeHistogram(bytes, summary[name]);
  const { countVariance } = summary;
  const end = NUMBERS.length * 8 + bytes.length;
  const out = Buffer.allocUnsafe(countVariance === undefined ? end : end + 8);
  NUMBERS.forEach((name, index) => {
    out.writeDoubleLE(summary[name] ?? NaN, index * 8);
  });
  out.set(bytes, NUMBERS.length * 8);
  if (countVariance !== undefined) out.writeDoubleLE(countVariance, end);
  return out;
}

function writeHistogram(into: number[], bins: Uint32Array): void {
  writeNumber(
    into,
    bins.reduce((filled, count) => filled + (count > 0 ? 1 : 0), 0),
  );
  let last = -1;
  bins.forEach((count, bin) => {
    if (count === 0) return;
    writeNumber(into, bin - last);
    writeNumber(into, count);
    last = bin;
  });
}

function writeNumber(into: number[], value: number): void {
  let rest = value;
  while (rest > 127) {
    into.push((rest % 128) + 128);
    rest = Math.floor(rest / 128);
  }
  into.push(rest);
}

/** Throws a `DamagedError` for bytes that are not a possible summary. `key`: in the reader's table. */
export function parseSummary(bytes: Buffer, key: number): CompletionSummary {
  if (bytes.length < NUMBERS.length * 8) throw new DamagedError('a truncated summary');
  const number = (name: (typeof NUMBERS)[number]) => bytes.readDoubleLE(NUMBERS.indexOf(name) * 8);
  const count = (name: (typeof NUMBERS)[number]) => atLeastZero(number(name));
  const reader = new DigitReader(bytes, NUMBERS.length * 8);
  const errors = number('errors');
  const histograms = {
    device: reader.histogram(FINE_BINS),
    queue: reader.histogram(FINE_BINS),
    total: reader.histogram(FINE_BINS),
    size: reader.histogram(FINE_BINS),
    offset: reader.histogram(OFFSET_BINS),
  };
  const countVariance = reader.last();
  return {
    startNs: finite(number('startNs')),
    endNs: finite(number('endNs')),
    identity: key,
    count: count('count'),
    bytes: count('bytes'),
    ...(!Number.isNaN(errors) && { errors: atLeastZero(errors) }),
    deviceNsSum: count('deviceNsSum'),
    queueNsSum: count('queueNsSum'),
    maxDeviceNs: count('maxDeviceNs'),
    maxQueueNs: count('maxQueueNs'),
    offsetShift: Math.min(count('offsetShift'), MAX_OFFSET_SHIFT),
    ...histograms,
    ...(countVariance !== undefined && { countVariance: atLeastZero(countVariance) }),
  };
}

function finite(value: number): number {
  if (!Number.isFinite(value)) throw new DamagedError('an impossible number in a summary');
  return value;
}

function atLeastZero(value: number): number {
  if (value < 0) throw new DamagedError('an impossible number in a summary');
  return finite(value);
}

class DigitReader {
  constructor(
    private readonly bytes: Buffer,
    private at: number,
  ) {}

  histogram(size: number): Uint32Array {
    const bins = new Uint32Array(size);
    const filled = this.number();
    if (filled > size) throw new DamagedError('too many bins in a summary');
    let bin = -1;
    for (let i = 0; i < filled; i++) {
      bin += this.number();
      if (bin < 0 || bin >= size) throw new DamagedError('a bin beyond the last');
      bins[bin] = this.number();
    }
    return bins;
  }

  /** A double at the end, if there is one. */
  last(): number | undefined {
    return this.bytes.length < this.at + 8 ? undefined : this.bytes.readDoubleLE(this.at);
  }

  private number(): number {
    let value = 0;
    for (let weight = 1; weight <= 2 ** 32; weight *= 128) {
      const digit = this.bytes[this.at++];
      if (digit === undefined) throw new DamagedError('a truncated summary');
      value += (digit & 127) * weight;
      if (digit < 128) return value;
    }
    throw new DamagedError('an endless number in a summary');
  }
}
