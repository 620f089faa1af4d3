import { openSync } from 'node:fs';
import { Writable } from 'node:stream';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { Screen } from '../../src/terminal/screen.ts';
import { TerminalOutput } from '../../src/terminal/terminal-output.ts';
import type { TerminalStreams } from '../../src/terminal/terminal-output.ts';
import { SeededRandom } from '../random.ts';
import { visibleDifferences } from './compare-cells.ts';
import { Emulator, FULL_SCREEN } from './emulator.ts';

const STATUS_QUESTION = '\x1b[5n';
const WIDTH = 80;
const HEIGHT = 24;
const ROOM = { x: 0, y: 0, width: WIDTH, height: HEIGHT };

/** What the program writes, until the terminal behind the link takes it. */
class Wire extends Writable {
  readonly isTTY = true;
  readonly columns = WIDTH;
  readonly rows = HEIGHT;
  /** Where the sequences go that are written past the stream. */
  readonly fd = openSync('/dev/null', 'w');
  waiting = Buffer.alloc(0);
  isStalled = false;
  private taken: () => void = () => undefined;

  override _write(chunk: Buffer, _encoding: unknown, taken: () => void): void {
    this.waiting = Buffer.concat([this.waiting, chunk]);
    if (this.isStalled) this.taken = taken;
    else taken();
  }

  resume(): void {
    this.isStalled = false;
    this.taken();
  }
}

/** A program that paints ten times a second at a terminal that is read at a fixed rate; time is simulated. */
class Simulation {
  readonly wire = new Wire();
  readonly screen = new Screen(WIDTH, HEIGHT);
  readonly emulator = new Emulator(WIDTH, HEIGHT, FULL_SCREEN);
  readonly output: TerminalOutput;
  private readonly random = new SeededRandom(7);
  private budget = 0;
  /** A question that arrived in pieces. */
  private tail = '';

  constructor(
    readonly bytesPerMs: number,
    private readonly answers = true,
  ) {
    const streams = { output: this.wire } as unknown as TerminalStreams;
    this.output = new TerminalOutput(streams, {
      asksStatus: true,
      onReady: () => {
        this.output.present(this.screen);
      },
    });
    this.output.enter();
    if (answers) this.output.answered();
  }

  /** Everything changes. */
  paint(isUrgent = false): void {
    for (let y = 1; y < HEIGHT; y++)
      for (let x = 0; x < WIDTH; x++)
        this.screen.text(x, y, this.random.pick(['a', 'b', 'c']), { fg: this.random.below(8) });
    this.output.present(this.screen, isUrgent);
  }

  pass(ms: number): void {
    for (let now = 0; now < ms; now++) {
      vi.advanceTimersByTime(1);
      this.budget += this.bytesPerMs;
      const length = Math.min(Math.floor(this.budget), this.wire.waiting.length);
      this.budget = this.wire.waiting.length > length ? this.budget - length : 0;
      this.take(length);
    }
  }

  differences(): string[] {
    vi.advanceTimersByTime(1);
    return visibleDifferences(this.screen.cells, this.emulator.cells()).slice(0, 3);
  }

  private take(length: number): void {
    if (length === 0) return;
    const bytes = this.wire.waiting.subarray(0, length);
    this.wire.waiting = this.wire.waiting.subarray(length);
    // It takes them with a timer, of those that are simulated.
    void this.emulator.write(bytes);
    const text = this.tail + bytes.toString('latin1');
    const parts = text.split(STATUS_QUESTION);
    this.tail = parts.at(-1)!.slice(-3);
    if (this.answers) for (let part = 1; part < parts.length; part++) this.output.answered();
  }
}

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] });
});

afterEach(() => {
  vi.useRealTimers();
});

it('at 2 kB/s a frame comes in parts, and is whole in the end', () => {
  const simulation = new Simulation(2);
  for (let frame = 0; frame < 3; frame++) {
    simulation.paint();
    simulation.pass(12_000);
    expect(simulation.differences()).toEqual([]);
  }
  expect(simulation.output.counters.framesCut).toBeGreaterThan(10);
});

it('at 2 kB/s less than 650 bytes are before the end of what answers a key', () => {
  const simulation = new Simulation(2);
  simulation.paint();
  simulation.pass(12_000);
  for (let key = 0; key < 10; key++) {
    simulation.paint();
    simulation.pass(37 * key);
    simulation.screen.writeFirst([{ ...ROOM, y: 20, height: 1 }]);
    simulation.screen.text(0, 20, `answer to key ${key} `.repeat(4));
    simulation.output.present(simulation.screen, true);
    expect(simulation.wire.waiting.length).toBeLessThan(650);
    const { length } = simulation.wire.waiting;
    simulation.pass(length / simulation.bytesPerMs);
    vi.advanceTimersByTime(1);
    expect(simulation.emulator.screen()[20]).toContain(`answer to key ${key} answer`);
  }
});

it('a key that is held does not fill the link', () => {
  const simulation = new Simulation(2);
  simulation.paint();
  simulation.pass(12_000);
  for (let key = 0; key < 100; key++) {
    simulation.paint(true);
    expect(simulation.wire.waiting.length).toBeLessThan(1000);
    simulation.pass(30);
  }
});

it('a nearby terminal gets whole frames', () => {
  const simulation = new Simulation(10_000);
  for (let frame = 0; frame < 20; frame++) {
    simulation.paint();
    simulation.pass(100);
    expect(simulation.differences()).toEqual([]);
  }
  const { framesSent, framesSkipped, framesCut } = simulation.output.counters;
  expect({ framesSent, framesSkipped, framesCut }).toEqual({
    framesSent: 20,
    framesSkipped: 0,
    framesCut: 0,
  });
});

it('a nearby terminal gets the same bytes as one that is not asked, but for the questions', () => {
  const simulation = new Simulation(10_000);
  const { screen } = simulation;
  const other = new Screen(WIDTH, HEIGHT);
  for (const one of [screen, other]) {
    one.text(3, 3, 'the same');
    one.scrolled(ROOM, 1);
  }
  other.invalidate();
  simulation.output.present(screen);
  const asked = simulation.wire.waiting.toString('latin1');
  expect(asked).toBe(
    STATUS_QUESTION + Buffer.from(other.encode()).toString('latin1') + STATUS_QUESTION,
  );
  simulation.pass(1);
});

it('a terminal that is silent gets whole frames, without questions after half a second', () => {
  const simulation = new Simulation(10_000, false);
  simulation.paint();
  simulation.pass(500);
  const { framesSent } = simulation.output.counters;
  for (let frame = 0; frame < 20; frame++) {
    simulation.paint();
    expect(simulation.wire.waiting.toString('latin1')).not.toContain(STATUS_QUESTION);
    simulation.pass(100);
    expect(simulation.differences()).toEqual([]);
  }
  expect(simulation.output.counters.framesSent - framesSent).toBe(20);
});

it('a terminal that stops reading gets no backlog', () => {
  const simulation = new Simulation(10_000);
  simulation.paint();
  simulation.pass(100);
  simulation.wire.isStalled = true;
  const before = simulation.wire.writableLength + simulation.wire.waiting.length;
  simulation.paint();
  const oneFrame = simulation.wire.writableLength;
  for (let frame = 0; frame < 600; frame++) {
    simulation.paint();
    vi.advanceTimersByTime(100);
  }
  expect(before).toBe(0);
  expect(simulation.wire.writableLength).toBe(oneFrame);
  simulation.wire.resume();
  simulation.pass(1000);
  expect(simulation.differences()).toEqual([]);
});

it('answers that nothing asked for do no harm', () => {
  const simulation = new Simulation(2);
  for (let answer = 0; answer < 10_000; answer++) simulation.output.answered();
  simulation.paint();
  simulation.pass(12_000);
  expect(simulation.differences()).toEqual([]);
});
