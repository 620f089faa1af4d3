import { describe, expect, it } from 'vitest';
import { glyphColumns } from '../../src/paint/font.ts';
import { paint } from '../../src/paint/painter.ts';
import type { PaintClock } from '../../src/paint/painter.ts';
import {
  latencyBands,
  latencyPalette,
  offsetPalette,
  STROKES_PER_PIXEL,
} from '../../src/paint/plan.ts';

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
      return Number(strokeNs);
    },
    clock,
    () => undefined,
  );
  return { report, starts };
}

describe('painting', () => {
  it('painting issues the I/Os of a column in one go, one column per interval', async () => {
    const { report, starts } = await run(new ManualClock(), 10_000n);
    expect(report).toEqual({ columns: 3, strokes: PAINTED, missed: 0, skipped: 0, illegible: 0 });
    const columns = starts.map((ns) => Math.floor(ns / 1e9));
    expect([...new Set(columns)]).toEqual([1, 2, 3]);
    for (const ns of starts) expect(ns % 1e9).toBeLessThan(0.01e9);
  });

  it('painting on a slow disk keeps the pace, and counts the I/Os it leaves out', async () => {
    const { report, starts } = await run(new ManualClock(), 100_000_000n);
    expect(report.columns).toBe(3);
    expect(report.strokes + report.skipped).toBe(PAINTED);
    expect(report.strokes).toBe(3 * 8);
    expect(Math.max(...starts.map((ns) => ns % 1e9))).toBeLessThan(0.8e9);
  });

  describe('by latency', () => {
    const SIZES = [512, 1024, 2048, 4096, 8192];
    const bands = latencyBands(SIZES.map((bytes) => ({ bytes, ns: bytes * 10 })))!;

    async function runLatency(timeOf: (bytes: number, tries: number, atNs: number) => number) {
      const clock = new ManualClock();
      const inked = SIZES.map(() => 0);
      let tries = 0;
      const report = await paint(
        {
          columns: COLUMNS,
          palette: latencyPalette(SIZES),
          latencies: { bands, blockBytes: 512 },
          intervalNs: 1e9,
        },
        ({ bytes }) => {
          const ns = timeOf(bytes, tries++, Number(clock.ns % 1_000_000_000n));
          const row = bands.findIndex(({ lowNs, highNs }) => ns >= lowNs && ns < highNs);
          if (row >= 0 && nearest(bytes) === row) inked[row]!++;
          clock.ns += BigInt(ns);
          return ns;
        },
        clock,
        () => undefined,
      );
      return { report, inked };
    }

    /** The row that a size was chosen for. */
    function nearest(bytes: number): number {
      const far = SIZES.map((size) => Math.abs(Math.log(size / bytes)));
      return far.indexOf(Math.min(...far));
    }

    const wanted = SIZES.map(
      (_, row) => COLUMNS.filter((column) => column[row]).length * STROKES_PER_PIXEL,
    );

    it('painting latencies repeats I/Os that took another time, until every pixel is drawn', async () => {
      const late = (bytes: number, tries: number): number => bytes * (tries % 5 < 2 ? 10 : 400);
      const { report, inked } = await runLatency(late);
      expect(inked).toEqual(wanted);
      expect(report).toMatchObject({ columns: 3, skipped: 0, strokes: PAINTED + report.missed });
      expect(report.missed).toBeGreaterThan(PAINTED);
    });

    it('painting latencies pauses while the machine is busy', async () => {
      const busyMs = 200;
      const { report, inked } = await runLatency(
        (bytes, _, atNs) => bytes * (atNs < busyMs * 1e6 ? 4000 : 10),
      );
      expect(inked).toEqual(wanted);
      expect(report.missed).toBeGreaterThan(0);
      const rows = COLUMNS.flat().filter(Boolean).length;
      expect(report.missed).toBeLessThan((rows * busyMs) / 10);
    });

    it('painting latencies outweighs stray I/O in rows that must stay empty', async () => {
      // Every third I/O of the lowest row takes the time of the third.
      const blots = (bytes: number, tries: number): number => bytes * (tries % 3 ? 10 : 40);
      const { report, inked } = await runLatency((bytes, tries) =>
        bytes === SIZES[0] ? blots(bytes, tries) : bytes * 10,
      );
      expect(report.missed).toBeGreaterThan(0);
      for (const [row, ink] of inked.entries()) expect(ink).toBeGreaterThanOrEqual(wanted[row]!);
      expect(inked[4]).toBeGreaterThan(wanted[4]!);
    });

    it('painting latencies takes smaller I/Os where all became slower', async () => {
      const { report, inked } = await runLatency((bytes) => bytes * 14);
      expect(inked.slice(1)).toEqual(wanted.slice(1));
      expect(report.skipped).toBe(0);
    });

    it('painting latencies stops and counts pixels where no I/O takes the wanted time', async () => {
      const { report, inked } = await runLatency((bytes) => bytes * 1000);
      expect(inked).toEqual(SIZES.map(() => 0));
      expect(report).toMatchObject({ columns: 3, skipped: PAINTED, illegible: 3 });
      expect(report.missed).toBe(report.strokes);
    });
  });

  it('painting ends when asked to', async () => {
    const clock = new ManualClock();
    clock.columnsLeft = 1;
    expect((await run(clock, 10_000n)).report.columns).toBe(1);
  });
});
