import { describe, expect, it } from 'vitest';
import { Summary } from '../../src/kernel/abi/layout.ts';
import {
  copySummary,
  SUMMARY_WORDS,
  SummaryTotals,
} from '../../src/kernel/counts/summary-block.ts';
import { fineBin, fineBinHigh, fineBinLow } from '../../src/model/fine-bins.ts';

const at = Summary.offsets;

/** As the kernel counts one completion. */
function count(words: Uint32Array, deviceNs: number, bytes: number): void {
  const add = (offset: number, value: number) => {
    words[offset / 4]! += value;
  };
  add(at.begun, 1);
  add(at.bytes, bytes);
  add(at.deviceNs, deviceNs);
  add(at.device + 4 * fineBin(deviceNs), 1);
  add(at.size + 4 * fineBin(bytes), 1);
  words[at.maxDeviceNs / 4] = Math.max(words[at.maxDeviceNs / 4]!, deviceNs);
  add(at.count, 1);
}

describe('a summary', () => {
  it('a summary is read as its growth since the last read', () => {
    const live = new Uint32Array(SUMMARY_WORDS);
    count(live, 5_000_000, 4096);
    const before = live.slice();
    count(live, 70_000, 8192);
    count(live, 90_000, 8192);
    const totals = new SummaryTotals();
    totals.addGrowth(before, live);
    expect(totals).toMatchObject({ count: 2, bytes: 16_384, errors: 0, deviceNsSum: 160_000 });
    expect(totals.device[fineBin(70_000)]).toBe(1);
    expect(totals.size[fineBin(8192)]).toBe(2);
    // The kernel's maximum is the first look's; what grew since bounds it.
    expect(totals.maxDeviceNs).toBe(fineBinHigh(fineBin(90_000)) - 1);
  });

  it('the largest latency of a summary may be beyond the last bin, as of a wait of two hours', () => {
    const live = new Uint32Array(SUMMARY_WORDS);
    count(live, 2 ** 42, 4096);
    new BigUint64Array(live.buffer)[at.maxDeviceNs / 8] = 7_200_000_000_000n;
    const totals = new SummaryTotals();
    totals.addGrowth(new Uint32Array(SUMMARY_WORDS), live);
    expect(totals.maxDeviceNs).toBe(7200e9);
  });

  it('the largest latency of a summary is in its last bin also where a later epoch has begun in the same place', () => {
    const live = new Uint32Array(SUMMARY_WORDS);
    count(live, 500e6, 4096);
    live[at.maxDeviceNs / 4] = 0;
    count(live, 3e6, 4096);
    const totals = new SummaryTotals();
    totals.addGrowth(new Uint32Array(SUMMARY_WORDS), live);
    expect(totals.maxDeviceNs).toBe(fineBinLow(fineBin(500e6)));
  });

  it('a summary is not read while the kernel is updating it', () => {
    const live = new Uint32Array(SUMMARY_WORDS);
    const copy = new Uint32Array(SUMMARY_WORDS);
    count(live, 70_000, 4096);
    expect(copySummary(live, copy)).toBe(true);
    live[at.begun / 4]! += 1;
    expect(copySummary(live, copy)).toBe(false);
  });

  it('a summary keeps counting when a bin wraps', () => {
    const before = new Uint32Array(SUMMARY_WORDS);
    before[at.device / 4 + 3] = 2 ** 32 - 1;
    const after = before.slice();
    after[at.device / 4 + 3] = 4;
    const totals = new SummaryTotals();
    totals.addGrowth(before, after);
    expect(totals.device[3]).toBe(5);
  });
});
