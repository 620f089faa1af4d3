import { describe, expect, it } from 'vitest';
import { Link } from '../../src/terminal/link.ts';

const FRAME = 600;
const FRAME_MS = 100;

/** A link of bytes per ms, and a terminal behind it that answers at once. Both are simulated, as is time. */
class SimulatedLink {
  readonly link = new Link();
  nowMs = 0;
  private freeAtMs = 0;
  private readonly answersMs: number[] = [];

  constructor(
    public bytesPerMs: number,
    private readonly roundTripMs: number,
    public isAnswering = true,
  ) {
    this.ask(0);
  }

  /** Bytes that have been sent and have not arrived. */
  get waiting(): number {
    return Math.max(0, (this.freeAtMs - this.nowMs) * this.bytesPerMs);
  }

  /** Sends as much of a frame as is allowed; returns how much that was. */
  send(bytes: number, isUrgent = false): number {
    const sent = Math.min(bytes, this.link.room(isUrgent, this.nowMs));
    if (sent <= 0) return 0;
    if (!this.link.isAsked) this.transmit(sent);
    else {
      this.ask(0);
      this.ask(sent);
    }
    return sent;
  }

  /** Time passes, answers arrive; what is never answered is given up. */
  pass(ms: number): void {
    const untilMs = this.nowMs + ms;
    for (;;) {
      const giveUpMs = this.nowMs + (this.link.patienceMs(this.nowMs) ?? Infinity);
      const nextMs = Math.min(this.answersMs[0] ?? Infinity, giveUpMs);
      if (nextMs > untilMs) break;
      this.nowMs = nextMs;
      if (nextMs === giveUpMs && nextMs !== this.answersMs[0]) this.link.giveUp();
      else {
        this.answersMs.shift();
        this.link.answered(nextMs);
      }
    }
    this.nowMs = untilMs;
  }

  /** Frames of which the rest is sent before the next, for a time; returns what was sent of each. */
  run(frames: number, bytes = FRAME): number[] {
    let rest = 0;
    return Array.from({ length: frames }, () => {
      let sent = 0;
      if (rest === 0) rest = bytes;
      for (let part = 0; part < FRAME_MS; part++) {
        const now = rest === 0 ? 0 : this.send(rest);
        rest -= now;
        sent += now;
        this.pass(1);
      }
      return sent;
    });
  }

  /** Nothing arrives for a time. */
  stall(ms: number): void {
    this.freeAtMs = Math.max(this.freeAtMs, this.nowMs) + ms;
  }

  private ask(bytes: number): void {
    this.transmit(bytes);
    this.link.asked(bytes, this.nowMs);
    if (this.isAnswering) this.answersMs.push(this.freeAtMs + this.roundTripMs);
  }

  private transmit(bytes: number): void {
    this.freeAtMs = Math.max(this.freeAtMs, this.nowMs) + bytes / this.bytesPerMs;
  }
}

/** Has taken the first frame, so that its speed is known. */
function started(bytesPerMs: number, roundTripMs: number): SimulatedLink {
  const simulated = new SimulatedLink(bytesPerMs, roundTripMs);
  simulated.pass(50);
  simulated.send(8000);
  simulated.pass(8000 / bytesPerMs + roundTripMs + 10);
  return simulated;
}

describe('a link to a terminal', () => {
  it.each([
    ['nearby', 10_000, 0],
    ['at 1 MB/s and 20 ms', 1000, 20],
    ['at 1 MB/s and 300 ms', 1000, 300],
    ['at 200 kB/s and 600 ms', 200, 600],
  ])('that is fast takes whole frames: %s', (_name, bytesPerMs, roundTripMs) => {
    const simulated = started(bytesPerMs, roundTripMs);
    expect(simulated.run(50)).toEqual(Array(50).fill(FRAME));
    expect(simulated.send(40_000)).toBe(40_000);
  });

  it.each([
    ['2 kB/s', 2, 5, 310],
    ['2 kB/s and 600 ms', 2, 600, 1500],
    ['20 kB/s', 20, 5, 600],
    ['20 kB/s and 300 ms', 20, 300, 7000],
  ])(
    'a link to a terminal of %s has few bytes waiting before a key',
    (_name, bytesPerMs, roundTripMs, most) => {
      const simulated = started(bytesPerMs, roundTripMs);
      for (let frame = 0; frame < 100; frame++) {
        simulated.run(1, 3000);
        expect(simulated.waiting).toBeLessThanOrEqual(most);
      }
    },
  );

  it('that is slow is used', () => {
    const simulated = started(2, 5);
    const sent = simulated.run(100, 3000);
    const bytes = sent.reduce((sum, one) => sum + one, 0);
    expect(bytes).toBeGreaterThan(0.9 * 2 * FRAME_MS * 100);
  });

  it('a link to a terminal takes the answer to a key at once, but not that to each of many keys', () => {
    const simulated = started(2, 5);
    expect(simulated.send(3000)).toBe(300);
    expect(simulated.send(3000)).toBe(0);
    expect(simulated.send(3000, true)).toBe(300);
    expect(simulated.send(3000, true)).toBe(0);
    simulated.pass(200);
    expect(simulated.send(3000, true)).toBeGreaterThan(0);
  });

  it('a link to a terminal shows that it is slow by the first frame, before that has arrived', () => {
    const simulated = new SimulatedLink(2, 5);
    simulated.pass(50);
    expect(simulated.send(8000)).toBe(8000);
    simulated.pass(1000);
    expect(simulated.send(8000)).toBe(0);
    expect(simulated.send(8000, true)).toBeLessThanOrEqual(400);
  });

  it('that becomes slow is noticed, and that it is fast again', () => {
    const simulated = started(1000, 5);
    simulated.run(10);
    simulated.bytesPerMs = 2;
    simulated.run(50, 3000);
    expect(simulated.waiting).toBeLessThan(400);
    simulated.bytesPerMs = 1000;
    simulated.run(20, 3000);
    expect(simulated.send(40_000)).toBe(40_000);
  });

  it('a link to a terminal is not slow because of one answer that comes late', () => {
    const simulated = started(1000, 5);
    simulated.bytesPerMs = FRAME / 200;
    simulated.run(1);
    simulated.bytesPerMs = 1000;
    simulated.pass(200);
    expect(simulated.send(40_000)).toBe(40_000);
  });

  it('a link to a silent terminal is asked for half a second, and then takes everything', () => {
    const simulated = new SimulatedLink(1000, 5, false);
    expect(simulated.send(8000)).toBe(8000);
    expect(simulated.send(600)).toBe(0);
    expect(simulated.send(600, true)).toBe(600);
    expect(simulated.link.awaited).toBeGreaterThan(0);
    simulated.pass(500);
    expect(simulated.link.isAsked).toBe(false);
    expect(simulated.link.awaited).toBe(0);
    expect(simulated.run(20)).toEqual(Array(20).fill(FRAME));
  });

  it('a link to a terminal that answers late is asked from then on', () => {
    const simulated = new SimulatedLink(1000, 700);
    simulated.send(8000);
    simulated.pass(600);
    expect(simulated.link.isAsked).toBe(false);
    simulated.pass(200);
    expect(simulated.link.isAsked).toBe(true);
  });

  it('a link to a terminal whose answers are lost goes on, and is not asked any more after three', () => {
    const simulated = started(1000, 5);
    simulated.isAnswering = false;
    const sent = simulated.run(200);
    expect(sent.slice(0, 5)).not.toEqual(Array(5).fill(FRAME));
    expect(sent.slice(-50)).toEqual(Array(50).fill(FRAME));
    expect(simulated.link.isAsked).toBe(false);
  });

  it('a link to a terminal learns nothing false from answers that are late by seconds', () => {
    const simulated = started(2, 5);
    simulated.run(10, 3000);
    simulated.stall(4000);
    simulated.run(100, 3000);
    expect(simulated.waiting).toBeLessThan(400);
  });

  it('a link to a terminal goes on after an answer has been lost', () => {
    const simulated = started(2, 5);
    simulated.isAnswering = false;
    simulated.run(1, 3000);
    simulated.isAnswering = true;
    simulated.run(100, 3000);
    const bytes = simulated.run(10, 3000).reduce((sum, one) => sum + one, 0);
    expect(bytes).toBeGreaterThan(0.8 * 2 * FRAME_MS * 10);
    expect(simulated.waiting).toBeLessThan(400);
  });

  it('a link to a terminal ignores answers that nothing asked for', () => {
    const simulated = started(2, 5);
    for (let answer = 0; answer < 1000; answer++) simulated.link.answered(simulated.nowMs);
    expect(simulated.link.awaited).toBe(0);
    expect(simulated.send(3000)).toBe(300);
  });

  it('a link to a terminal learns the speed again after false answers', () => {
    const simulated = started(2, 5);
    for (let frame = 0; frame < 20; frame++) {
      simulated.run(1, 3000);
      simulated.link.answered(simulated.nowMs);
      simulated.link.answered(simulated.nowMs);
    }
    simulated.pass(60_000);
    simulated.run(100, 3000);
    expect(simulated.waiting).toBeLessThan(400);
  });
});
