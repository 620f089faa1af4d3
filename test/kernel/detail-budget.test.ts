import { describe, expect, it } from 'vitest';
import { Control, Detail, Layer } from '../../src/kernel/abi/layout.ts';
import { DetailControl } from '../../src/kernel/attach/detail-control.ts';
import { LEAST_ROWS } from '../../src/kernel/live/detail-rate.ts';
import { DetailBudget } from '../../src/kernel/live/detail-budget.ts';
import { columnsOf, summaryOf } from '../history/fixtures.ts';

/** A process with a clock of its own, and the memory that the kernel programs would read. */
class Reader {
  readonly control = new ArrayBuffer(Control.bytes);
  private nowMs = 0;
  private usedUs = 0;
  private readonly view = new DataView(this.control, Control.offsets.detail);
  private readonly callView = new DataView(this.control, Control.offsets.callDetail);
  readonly budget = new DetailBudget(0.05, {
    devices: new DetailControl(this.control),
    calls: new DetailControl(this.control, 'calls'),
    nowMs: () => this.nowMs,
    processorUs: () => this.usedUs,
  });

  /** What the rest of the program takes, as a share of one core. */
  rest = 0;

  /** A pass over the ring that finds `rows` I/Os of `ns`, each of which takes `usPerRow`; one every 50 ms. */
  pass(rows: number, usPerRow: number, ns = 100_000, drawn = rows, calls = 0): void {
    this.budget.beginPass();
    const found = columnsOf(
      Array.from({ length: rows }, (_, row) => ({
        deviceNs: row < calls ? CALL_NS : ns,
        queueNs: 0,
      })),
    );
    const layers = Uint8Array.from(found.completeNs, (_, row) =>
      row < calls ? Layer.calls : Layer.disks,
    );
    const counts = Uint32Array.of(rows - calls, 0, 0, calls);
    const first = calls > 0 ? 0 : rows - drawn;
    const chosen = Array.from({ length: drawn }, (_, at) => first + at);
    this.budget.tookRows({ rows: found, layers, counts, drawn: chosen });
    this.usedUs += rows * usPerRow;
    this.budget.endPass();
    this.usedUs += this.rest * 50_000;
    this.nowMs += 50;
    this.budget.tookSummaries([summaryOf()], () => false);
  }

  seconds(count: number, rows: number, usPerRow: number): void {
    for (let pass = 0; pass < 20 * count; pass++) this.pass(rows, usPerRow);
  }

  /** As `seconds`, of `ios` I/Os of which the kernel programs deliver what they draw. */
  load(count: number, ios: number, usPerRow: number): void {
    for (let pass = 0; pass < 20 * count; pass++) this.pass(Math.round(ios / this.drawn), usPerRow);
  }

  /** As `load`, of calls next to `ios` I/Os, all of which come. */
  calls(count: number, calls: number, usPerRow: number, ios = 0): void {
    for (let pass = 0; pass < 20 * count; pass++) {
      const come = Math.round(calls / this.drawnCalls);
      this.pass(come + ios, usPerRow, 100_000, this.drawnCalls === 1 ? 0 : come, come);
    }
  }

  /** What the kernel programs draw of I/O: one in so many. */
  get drawn(): number {
    return oneIn(this.view);
  }

  get drawnCalls(): number {
    return oneIn(this.callView);
  }

  get slowCallNs(): number {
    return Number(this.callView.getBigUint64(Detail.offsets.slowNs, true));
  }

  get slowNs(): number {
    return Number(this.view.getBigUint64(Detail.offsets.slowNs, true));
  }
}

function oneIn(view: DataView): number {
  const chance = view.getUint32(Detail.offsets.chance, true);
  return chance === 0 ? 1 : 2 ** 32 / chance;
}

const CALL_NS = 1000;

describe('the budget of single I/Os', () => {
  it('leaves all of them while they and the rest of the program stay within it', () => {
    const reader = new Reader();
    reader.rest = 0.02;
    reader.load(10, 600, 2);
    expect(reader.drawn).toBe(1);
    expect(reader.budget.oneIn).toBe(1);
  });

  it('leaves them what the rest of the program does not take', () => {
    const reader = new Reader();
    reader.rest = 0.035;
    reader.load(10, 600, 2);
    expect(reader.drawn).toBe(2);
  });

  it('leaves I/O whole next to many calls of programs, of which fewer come', () => {
    const reader = new Reader();
    reader.calls(10, 5000, 2, 100);
    expect(reader.drawn).toBe(1);
    expect(reader.drawnCalls).toBe(8);
    expect(reader.budget.callsOneIn).toBe(8);
    reader.calls(10, 100, 2, 100);
    expect(reader.drawnCalls).toBe(1);
  });

  it('leaves calls what I/O does not take, and a fifth of it at least', () => {
    const reader = new Reader();
    reader.calls(10, 500, 2, 300);
    expect(reader.drawnCalls).toBe(1);
    reader.calls(10, 500, 2, 1100);
    expect(reader.drawn).toBe(1);
    expect(reader.drawnCalls).toBe(2);
  });

  it('tells slow calls from slow I/O', () => {
    const reader = new Reader();
    reader.calls(1, 2500, 2, 2500);
    expect(reader.slowNs).toBeGreaterThan(100_000);
    expect(reader.slowCallNs).toBeGreaterThan(CALL_NS);
    expect(reader.slowCallNs).toBeLessThan(2 * CALL_NS);
  });

  it('lets fewer come after a quarter of a second that cost several times as much', () => {
    const reader = new Reader();
    for (let pass = 0; pass < 6; pass++) reader.pass(7500, 2, 100_000);
    expect(reader.drawn).toBe(8);
    const slow = new Reader();
    for (let pass = 0; pass < 6; pass++) slow.pass(2500, 2, 100_000);
    expect(slow.drawn).toBe(1);
  });

  it('leaves them a fifth of it where the rest of the program takes all', () => {
    const reader = new Reader();
    reader.rest = 0.5;
    reader.load(10, 200, 2);
    expect(reader.drawn).toBe(1);
    reader.load(10, 450, 2);
    expect(reader.drawn).toBe(2);
  });

  it('ignores two seconds of other work, such as answers to keys', () => {
    const reader = new Reader();
    reader.load(7, 600, 2);
    reader.rest = 0.9;
    reader.load(2, 600, 2);
    reader.rest = 0;
    reader.load(7, 600, 2);
    expect(reader.drawn).toBe(1);
  });

  it('lets the kernel draw fewer while they cost more', () => {
    const reader = new Reader();
    reader.load(2, 3000, 2);
    expect(reader.drawn).toBe(4);
    expect(reader.budget.oneIn).toBe(4);
    reader.load(10, 5000, 2);
    expect(reader.drawn).toBe(4);
    reader.load(3, 400, 2);
    expect(reader.drawn).toBe(1);
  });

  it('draws about the least number that is always wanted at random, however much comes for other reasons', () => {
    const reader = new Reader();
    reader.rest = 0.5;
    const ios = 20e6 / 20;
    for (let pass = 0; pass < 20 * 30; pass++) {
      const drawn = Math.round(ios / reader.drawn);
      const others = reader.drawn === 1 ? 0 : 75;
      reader.pass(Math.min(5000, drawn) + others, 8, 100_000, drawn);
    }
    expect(20e6 / reader.drawn).toBeGreaterThan(LEAST_ROWS / 2);
    expect(20e6 / reader.drawn).toBeLessThan(LEAST_ROWS * 2);
  });

  it('knows what is slow before the first I/O is left out', () => {
    const reader = new Reader();
    for (let pass = 0; pass < 5; pass++) {
      expect(reader.drawn).toBe(1);
      reader.pass(5000, 2);
    }
    expect(reader.drawn).toBe(4);
    expect(reader.slowNs).toBeGreaterThan(100_000);
    expect(reader.slowNs).toBeLessThan(110_000);
  });

  it('changes what is slow within a quarter of a second', () => {
    const reader = new Reader();
    reader.seconds(1, 5000, 2);
    for (let pass = 0; pass < 6; pass++) reader.pass(5000, 2, 5e6);
    expect(reader.slowNs).toBeGreaterThan(5e6);
  });
});
