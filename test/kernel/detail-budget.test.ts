import { describe, expect, it } from 'vitest';
import { Control, Detail } from '../../src/kernel/abi/layout.ts';
import { DetailControl } from '../../src/kernel/attach/detail-control.ts';
import { DetailBudget } from '../../src/kernel/live/detail-budget.ts';
import { columnsOf, summaryOf } from '../history/fixtures.ts';

/** A process with a clock of its own, and the memory that the kernel programs would read. */
class Reader {
  readonly control = new ArrayBuffer(Control.bytes);
  private nowMs = 0;
  private usedUs = 0;
  private readonly view = new DataView(this.control, Control.offsets.detail);
  readonly budget = new DetailBudget(0.05, {
    control: new DetailControl(this.control),
    nowMs: () => this.nowMs,
    processorUs: () => this.usedUs,
  });

  /** What the rest of the program takes, as a share of one core. */
  rest = 0;

  /** A pass over the ring that finds `rows` I/Os of `ns`, each of which takes `usPerRow`; one every 50 ms. */
  pass(rows: number, usPerRow: number, ns = 100_000, drawn = rows, calls = 0): void {
    this.budget.beginPass();
    const found = columnsOf(Array.from({ length: rows }, () => ({ deviceNs: ns, queueNs: 0 })));
    this.budget.tookRows(found, rows - calls, drawn);
    this.usedUs += rows * usPerRow;
    this.budget.endPass();
    this.usedUs += this.rest * 50_000;
    this.nowMs += 50;
    this.budget.tookSummaries([summaryOf()]);
  }

  seconds(count: number, rows: number, usPerRow: number, ns?: number): void {
    for (let pass = 0; pass < 20 * count; pass++) this.pass(rows, usPerRow, ns);
  }

  /** As `seconds`, of `ios` I/Os of which the kernel programs deliver what they draw. */
  load(count: number, ios: number, usPerRow: number): void {
    for (let pass = 0; pass < 20 * count; pass++) this.pass(Math.round(ios / this.drawn), usPerRow);
  }

  /** What the kernel programs draw: one in so many. */
  get drawn(): number {
    const chance = this.view.getUint32(Detail.offsets.chance, true);
    return chance === 0 ? 1 : 2 ** 32 / chance;
  }

  get slowNs(): number {
    return Number(this.view.getBigUint64(Detail.offsets.slowNs, true));
  }
}

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

  it('is not spent on the calls of programs, which come whatever is drawn', () => {
    const reader = new Reader();
    for (let pass = 0; pass < 20 * 10; pass++) reader.pass(5000, 2, 100_000, 100, 4900);
    expect(reader.drawn).toBe(1);
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
    reader.seconds(2, 5000, 2);
    expect(reader.drawn).toBe(4);
    expect(reader.budget.oneIn).toBe(4);
    reader.seconds(10, 1250, 2);
    expect(reader.drawn).toBe(4);
    reader.seconds(3, 100, 2);
    expect(reader.drawn).toBe(1);
  });

  it('draws about a thousand a second at random, however much comes for other reasons', () => {
    const reader = new Reader();
    reader.rest = 0.5;
    const ios = 20e6 / 20;
    for (let pass = 0; pass < 20 * 30; pass++) {
      const drawn = Math.round(ios / reader.drawn);
      const others = reader.drawn === 1 ? 0 : 75;
      reader.pass(Math.min(5000, drawn) + others, 8, 100_000, drawn);
    }
    expect(20e6 / reader.drawn).toBeGreaterThan(500);
    expect(20e6 / reader.drawn).toBeLessThan(2000);
  });

  it('knows what is slow before the first I/O is left out', () => {
    const reader = new Reader();
    reader.seconds(1, 5000, 2);
    expect(reader.drawn).toBe(1);
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
