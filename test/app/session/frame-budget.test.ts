import { describe, expect, it } from 'vitest';
import { FrameBudget } from '../../../src/app/session/frame-budget.ts';

/** A program with a clock of its own that could draw ten frames a second. */
class Program {
  private nowMs = 0;
  private usedUs = 0;
  readonly budget: FrameBudget;

  constructor(share = 0.05) {
    this.budget = new FrameBudget(share, {
      nowMs: () => this.nowMs,
      processorUs: () => this.usedUs,
    });
  }

  /** `otherShare`: of one core, what it does besides; frames are rare where the budget says so. */
  seconds(count: number, otherShare: number, frameMs = 1, isSampled = false): void {
    for (let tick = 0; tick < count * 10; tick++) {
      this.nowMs += 100;
      this.usedUs += otherShare * 100_000;
      const isDue = tick % Math.max(1, this.budget.apartNs / 100e6) === 0;
      if (isDue) this.budget.draw(() => (this.usedUs += frameMs * 1000));
      this.budget.look(100e6, isSampled);
    }
  }
}

describe('the budget of frames', () => {
  it('the budget of frames leaves frames as they are while all of the program stays within it', () => {
    const program = new Program();
    program.seconds(60, 0.039);
    expect(program.budget.apartNs).toBe(200e6);
  });

  it('the budget of frames makes frames rare after two seconds over it', () => {
    const program = new Program();
    program.seconds(20, 0.01);
    program.seconds(1, 0.06);
    expect(program.budget.apartNs).toBe(200e6);
    program.seconds(1, 0.06);
    expect(program.budget.apartNs).toBe(500e6);
  });

  it('the budget of frames ignores the first 20 seconds, in which the program is compiled', () => {
    const program = new Program();
    program.seconds(20, 0.8);
    program.seconds(10, 0.01);
    expect(program.budget.apartNs).toBe(200e6);
  });

  it('the budget of frames makes frames rare no more when they would fit for five seconds', () => {
    const program = new Program();
    program.seconds(25, 0.055);
    program.seconds(4, 0.01);
    expect(program.budget.apartNs).toBe(500e6);
    program.seconds(2, 0.01);
    expect(program.budget.apartNs).toBe(200e6);
  });

  it('the budget of frames keeps frames rare where more of them would not fit, so that they do not come and go', () => {
    const program = new Program();
    program.seconds(25, 0.03, 5);
    expect(program.budget.apartNs).toBe(500e6);
    program.seconds(60, 0.03, 5);
    expect(program.budget.apartNs).toBe(500e6);
  });

  it('the budget of frames keeps frames rare while I/O is left out', () => {
    const program = new Program();
    program.seconds(25, 0.055);
    program.seconds(20, 0.01, 1, true);
    expect(program.budget.apartNs).toBe(500e6);
  });

  it('the budget of frames draws once a second where it stays over the budget for five seconds with rare frames, too', () => {
    const program = new Program();
    program.seconds(21, 0.055, 1, true);
    expect(program.budget.apartNs).toBe(500e6);
    program.seconds(4, 0.051, 1, true);
    expect(program.budget.apartNs).toBe(500e6);
    program.seconds(1, 0.051, 1, true);
    expect(program.budget.apartNs).toBe(1e9);
  });

  it('the budget of frames draws twice a second for somebody who presses keys for a while beside much I/O', () => {
    const program = new Program();
    program.seconds(22, 0.055, 1, true);
    program.seconds(1, 0.045, 1, true);
    program.seconds(4, 0.5, 1, true);
    program.seconds(20, 0.045, 1, true);
    expect(program.budget.apartNs).toBe(500e6);
  });

  it('the budget of frames draws twice a second for somebody who presses keys for long', () => {
    const program = new Program();
    program.seconds(60, 0.5);
    expect(program.budget.apartNs).toBe(500e6);
  });

  it('the budget of frames draws more often again one step after the other', () => {
    const program = new Program();
    program.seconds(30, 0.07, 1, true);
    expect(program.budget.apartNs).toBe(1e9);
    program.seconds(5, 0.01);
    expect(program.budget.apartNs).toBe(500e6);
    program.seconds(5, 0.01);
    expect(program.budget.apartNs).toBe(200e6);
  });

  it('the budget of frames never makes frames rare without a budget', () => {
    const program = new Program(Infinity);
    program.seconds(30, 0.9);
    expect(program.budget.apartNs).toBe(0);
  });
});
