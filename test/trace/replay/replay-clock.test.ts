import { describe, expect, it } from 'vitest';
import { MAX_SPEED, ReplayClock } from '../../../src/trace/replay/replay-clock.ts';
import { ManualClock } from './kept-trace.ts';

function clockWithTime(): { clock: ReplayClock; real: ManualClock } {
  const real = new ManualClock();
  real.ns = 5e9;
  return { clock: new ReplayClock(real.nowNs), real };
}

describe('the clock of a replay', () => {
  it('the replay clock stands still until it is started', () => {
    const { clock, real } = clockWithTime();
    clock.seek(3e9);
    real.ns += 10e9;
    expect(clock.nowNs()).toBe(3e9);
  });

  it.each([0.1, 1, 60])('the replay clock runs at %f times real time, and pauses', (speed) => {
    const { clock, real } = clockWithTime();
    clock.setSpeed(speed);
    clock.play();
    real.ns += 2e9;
    expect(clock.nowNs()).toBe(2e9 * speed);
    clock.pause();
    real.ns += 2e9;
    expect(clock.nowNs()).toBe(2e9 * speed);
  });

  it('the replay clock does not jump when the speed changes', () => {
    const { clock, real } = clockWithTime();
    clock.play();
    real.ns += 2e9;
    clock.setSpeed(10);
    expect(clock.nowNs()).toBe(2e9);
    real.ns += 1e9;
    expect(clock.nowNs()).toBe(12e9);
  });

  it('the replay clock waits for data that is still being loaded, and then continues from there', () => {
    const { clock, real } = clockWithTime();
    clock.play();
    real.ns += 10e9;
    clock.holdAt(4e9);
    expect(clock.nowNs()).toBe(4e9);
    real.ns += 1e9;
    expect(clock.nowNs()).toBe(5e9);
  });

  it('at maximum speed, the replay clock asks for everything and shows what has been loaded', () => {
    const { clock, real } = clockWithTime();
    clock.setSpeed(MAX_SPEED);
    clock.play();
    real.ns += 1;
    expect([clock.untilNs(), clock.nowNs()]).toEqual([Infinity, 0]);
    clock.reached(7e9);
    expect(clock.nowNs()).toBe(7e9);
    clock.reached(6e9);
    expect(clock.nowNs()).toBe(7e9);
  });

  it('the replay clock never runs past the end', () => {
    const { clock, real } = clockWithTime();
    clock.play();
    clock.endAt(3e9);
    real.ns += 10e9;
    expect(clock.nowNs()).toBe(3e9);
    clock.seek(5e9);
    expect(clock.nowNs()).toBe(3e9);
  });

  it('the replay clock follows a stream in real time, and catches up with newer data', () => {
    const { clock, real } = clockWithTime();
    clock.follow();
    clock.reached(100e9);
    real.ns += 1e9;
    expect(clock.nowNs()).toBe(101e9);
    clock.reached(100.5e9);
    expect(clock.nowNs()).toBe(101e9);
    clock.reached(102e9);
    expect([clock.nowNs(), clock.untilNs()]).toEqual([102e9, Infinity]);
  });
});
