import { describe, expect, it } from 'vitest';
import { glyphColumns } from '../../src/paint/font.ts';
import { paint } from '../../src/paint/painter.ts';
import type { PaintClock } from '../../src/paint/painter.ts';
import { offsetPalette } from '../../src/paint/plan.ts';

const PALETTE = offsetPalette({ bytes: 64 << 20, blockBytes: 512, maxBytes: 512 << 10 });
const COLUMNS = glyphColumns('I')!;
const PAINTED = COLUMNS.flat().filter(Boolean).length * PALETTE[0]!.length;

/** Time stands still but for what waits and what an I/O takes. */
class ManualClock implements PaintClock {
  ns = 5_000_000_000n;
  columnsLeft = Infinity;

  nowNs(): bigint {
    return this.ns;
  }

  waitUntil(atNs: bigint): Promise<boolean> {
    if (atNs > this.ns) this.ns = atNs;
    return Promise.resolve(this.columnsLeft-- > 0);
  }
}

async function run(clock: ManualClock, strokeNs: bigint) {
  const starts: number[] = [];
  const report = await paint(
    { columns: COLUMNS, palette: PALETTE, intervalNs: 1e9 },
    () => {
      starts.push(Number(clock.ns - 5_000_000_000n));
      clock.ns += strokeNs;
    },
    clock,
    () => undefined,
  );
  return { report, starts };
}

describe('painting', () => {
  it('does the I/Os of each column in one go, one interval after the other', async () => {
    const { report, starts } = await run(new ManualClock(), 10_000n);
    expect(report).toEqual({ columns: 3, strokes: PAINTED, skipped: 0 });
    const columns = starts.map((ns) => Math.floor(ns / 1e9));
    expect([...new Set(columns)]).toEqual([1, 2, 3]);
    for (const ns of starts) expect(ns % 1e9).toBeLessThan(0.01e9);
  });

  it('leaves out and counts what a slow disk has no time for, and keeps the pace', async () => {
    const { report, starts } = await run(new ManualClock(), 100_000_000n);
    expect(report.columns).toBe(3);
    expect(report.strokes + report.skipped).toBe(PAINTED);
    expect(report.strokes).toBe(3 * 8);
    expect(Math.max(...starts.map((ns) => ns % 1e9))).toBeLessThan(0.8e9);
  });

  it('ends where it is asked to', async () => {
    const clock = new ManualClock();
    clock.columnsLeft = 1;
    expect((await run(clock, 10_000n)).report.columns).toBe(1);
  });
});
