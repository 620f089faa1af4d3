import { expect, test } from 'vitest';
import { GroupTallies } from '../../../src/export/report/group-tally.ts';
import { FINE_BINS, fineBin, fineBinLow } from '../../../src/model/fine-bins.ts';
import { OP_CLASSES } from '../../../src/model/operation.ts';
import type { CompletionSummary } from '../../../src/trace/completion-summary.ts';

const MS = 1e6;

interface Wait {
  readonly queueNs: number;
  readonly deviceNs: number;
}

function binned(values: readonly number[]): Uint32Array {
  const bins = new Uint32Array(FINE_BINS);
  for (const value of values) bins[fineBin(value)]! += 1;
  return bins;
}

function aggregateOf(waits: readonly Wait[]): CompletionSummary {
  const queues = waits.map(({ queueNs }) => queueNs);
  const devices = waits.map(({ deviceNs }) => deviceNs);
  return {
    ...{ startNs: 0, endNs: 10e9, identity: 0, count: waits.length, bytes: 0, offsetShift: 0 },
    ...{ queueNsSum: 0, deviceNsSum: 0 },
    maxQueueNs: Math.max(...queues),
    maxDeviceNs: Math.max(...devices),
    queue: binned(queues),
    device: binned(devices),
    total: binned(waits.map(({ queueNs, deviceNs }) => queueNs + deviceNs)),
    ...{ size: new Uint32Array(FINE_BINS), offset: new Uint32Array(0) },
  };
}

function mostTotalNs(waits: readonly Wait[]): number | undefined {
  const group = new GroupTallies().claim();
  group.addAggregate(0, aggregateOf(waits), false);
  return group.total.maxNs;
}

test('the largest total of an aggregate is not the sum of the maxima of different I/Os', () => {
  // A flush that is slow at the device, and the write that waits for it in the queue.
  const flush = { queueNs: 0.01 * MS, deviceNs: 26 * MS };
  const write = { queueNs: 26 * MS, deviceNs: 0.7 * MS };
  const most = mostTotalNs([flush, write])!;
  expect(most).toBeGreaterThanOrEqual(26.7 * MS);
  expect(fineBin(most)).toBe(fineBin(26.7 * MS));
});

test('the largest total of an aggregate of one I/O is exact', () => {
  expect(mostTotalNs([{ queueNs: 3 * MS, deviceNs: 4 * MS }])).toBe(7 * MS);
});

test('the largest total of an aggregate may be beyond the last bin, as of a wait of two hours', () => {
  expect(mostTotalNs([{ queueNs: 0, deviceNs: 7200e9 }])).toBe(7200e9);
});

test('the largest total of a share whose maxima are rounded down is not below its bin', () => {
  // 0.9 and 1.2 bins above 2^21 ns: together 2.1 bins, rounded down 1.
  const [queueNs, deviceNs] = [2 ** 21 + 0.9 * 2 ** 17, 2 ** 21 + 1.2 * 2 ** 17];
  const share = {
    ...aggregateOf([{ queueNs, deviceNs }]),
    maxQueueNs: fineBinLow(fineBin(queueNs)),
    maxDeviceNs: fineBinLow(fineBin(deviceNs)),
  };
  const group = new GroupTallies().claim();
  group.addAggregate(0, share, false);
  expect(group.total.maxNs).toBe(fineBinLow(fineBin(queueNs + deviceNs)));
});

test('what is discarded was not moved', () => {
  const group = new GroupTallies().claim();
  for (const op of ['read', 'write', 'discard'] as const)
    group.add(OP_CLASSES.indexOf(op), 4096, false, 0, MS);
  expect(group.moved).toBe(2 * 4096);
});
