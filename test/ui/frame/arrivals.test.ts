import { describe, expect, it } from 'vitest';
import { Arrivals } from '../../../src/ui/frame/arrivals.ts';

describe('arrivals behind a frozen picture', () => {
  it('I/Os that arrive behind a frozen picture are counted from the freeze, updated once a second', () => {
    const arrivals = new Arrivals();
    arrivals.update(false, () => 100, 1e9);
    expect(arrivals.update(true, () => 120, 2e9)).toBe(true);
    expect(arrivals.count).toBe(0);
    expect(arrivals.update(true, () => 150, 2.5e9)).toBe(false);
    expect(arrivals.update(true, () => 170, 3e9)).toBe(true);
    expect(arrivals.count).toBe(50);
  });

  it('a key between two frames of a frozen picture does not change the count, however late the last one was', () => {
    const arrivals = new Arrivals();
    arrivals.update(true, () => 100, 2.003e9);
    expect(arrivals.update(true, () => 200, 3.001e9)).toBe(true);
    expect(arrivals.update(true, () => 300, 3.95e9)).toBe(false);
    expect(arrivals.count).toBe(100);
  });

  it('the count of I/Os behind a frozen picture is reset when it follows again', () => {
    const arrivals = new Arrivals();
    arrivals.update(true, () => 100, 1e9);
    arrivals.update(true, () => 300, 2e9);
    arrivals.update(false, () => 400, 3e9);
    expect(arrivals.count).toBe(0);
    arrivals.update(true, () => 500, 4e9);
    expect(arrivals.count).toBe(0);
  });
});
