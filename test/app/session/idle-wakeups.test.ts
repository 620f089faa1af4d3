import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { forgetSessions } from './fixtures/kept-listeners.ts';
import { IdentityTable } from '../../../src/model/identity-table.ts';
import { createSyntheticSource } from '../../../src/trace/synthetic/synthetic-source.ts';
import { ManualClock } from '../../trace/replay/kept-trace.ts';
import { SatSession } from './fixtures/sat-session.ts';
import type { Kind, Origin } from './fixtures/sat-session.ts';

const folder = mkdtempSync(join(tmpdir(), 'ioheat-idle-'));
const SECONDS = 3;
const FREEZES = 3;

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval', 'performance'] });
  vi.stubEnv('XDG_CONFIG_HOME', folder);
});

afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllEnvs();
  forgetSessions();
});

afterAll(() => {
  rmSync(folder, { recursive: true });
});

/** Lets time pass in front of a terminal that takes each frame at once. */
async function pass(sat: SatSession, seconds: number): Promise<void> {
  for (let step = 0; step < seconds * 20; step++) {
    sat.step(50e6, 50);
    await sat.taken();
  }
}

/** How often the source is read in a second, once the session has settled. */
async function readsPerSecond(
  kind: Kind | Origin,
  clock = new ManualClock(),
  interval = '100ms',
): Promise<number> {
  const sat = await SatSession.start(kind, 1, 120, 40, { interval, history: '16M' }, clock);
  await pass(sat, 2);
  const { source } = sat.monitor;
  const read = source.readSummaries.bind(source);
  let reads = 0;
  source.readSummaries = () => {
    reads++;
    return read();
  };
  await pass(sat, SECONDS);
  source.readSummaries = read;
  await sat.quit();
  return reads / SECONDS;
}

/** I/O at a rate, all of it in the time of `clock`. */
function synthetic(rate: number, clock: ManualClock): Origin {
  const clockBase = { monotonicNs: 0n, wallNs: 1_700_000_000_000_000_000n };
  const facts = { pattern: 'mixed', seed: 1, identities: new IdentityTable() } as const;
  return { source: createSyntheticSource({ ...facts, clockBase, rate, clock }), clock };
}

async function stepPaints(sat: SatSession): Promise<boolean> {
  const before = sat.paintedAtNs;
  sat.step(50e6, 50);
  await sat.taken();
  return sat.paintedAtNs !== before;
}

/** Frames painted in a second without keys, with columns of `interval`. */
async function framesPerSecond(kind: Kind, interval: string, key = ''): Promise<number> {
  const sat = await SatSession.start(kind, 1, 120, 40, { interval, history: '16M' });
  sat.pass(1);
  sat.pair.type(key);
  await sat.settle();
  // A frozen picture fills its last column, and is counted once more.
  if (key !== '') sat.pass(FREEZES);
  await sat.settle();
  // From a frame on: else it would be chance on which side of the limits a frame is.
  while (!(await stepPaints(sat)));
  let frames = 0;
  for (let step = 0; step < SECONDS * 20; step++) if (await stepPaints(sat)) frames++;
  await sat.quit();
  return frames / SECONDS;
}

describe('how often the program wakes up', () => {
  it('without I/O, the program wakes up five times a second, however wide columns are', async () => {
    expect(await readsPerSecond('idle')).toBe(5);
    expect(await readsPerSecond('idle', new ManualClock(), '1s')).toBe(5);
  });

  it('while a little I/O comes all the time, for frames alone', async () => {
    expect(await readsPerSecond('live')).toBe(10);
    expect(await readsPerSecond('live', new ManualClock(), '200ms')).toBe(5);
    expect(await readsPerSecond('live', new ManualClock(), '1s')).toBe(4);
  });

  it('while a little I/O comes to a frozen picture, soon enough for the smallest ring', async () => {
    const sat = await SatSession.start('live', 1, 120, 40, { interval: '1s', history: '16M' });
    sat.pass(1);
    sat.pair.type(' ');
    await sat.settle();
    sat.pass(FREEZES);
    const { rowsTaken } = sat.monitor;
    sat.pass(0.3);
    expect(sat.monitor.rowsTaken).toBeGreaterThan(rowsTaken);
    await sat.quit();
  });

  it('with much I/O, the program wakes up twenty times a second', async () => {
    const clock = new ManualClock();
    expect(await readsPerSecond(synthetic(10_000, clock), clock)).toBe(20);
  });

  it('the first I/O after a pause is on the next frame', async () => {
    const sat = await SatSession.start('live', 1, 120, 40);
    sat.pass(1);
    const { source } = sat.monitor;
    // Time that passes without ticks of the clock brings no I/O.
    for (let tick = 0; tick < 10; tick++) vi.advanceTimersByTime(200);
    // The terminal takes the frames so far, and answers.
    await sat.settle();
    const before = sat.monitor.history.version;
    sat.step(200e6, 200);
    expect(source.counters().delivered).toBeGreaterThan(0);
    expect(sat.monitor.history.version).toBeGreaterThan(before);
    expect(sat.paintedVersion).toBe(sat.monitor.history.version);
    await sat.quit();
  });
});

describe('how often the program draws', () => {
  it('without I/O, the program draws when it wakes up and a column has passed', async () => {
    expect(await framesPerSecond('idle', '100ms')).toBe(5);
    expect(await framesPerSecond('idle', '1s')).toBe(1);
  });

  it('while I/O comes, at most four times a second between columns', async () => {
    expect(await framesPerSecond('live', '100ms')).toBe(10);
    expect(await framesPerSecond('live', '1s')).toBe(4);
  });

  it('while the picture is frozen, once a second', async () => {
    expect(await framesPerSecond('live', '100ms', ' ')).toBe(1);
  });
});

it('takes what was only counted once for each frame', async () => {
  const sat = await SatSession.start('live', 1, 120, 40, { interval: '1s', history: '16M' });
  const { source } = sat.monitor;
  const asked: (boolean | undefined)[] = [];
  source.readSummaries = (isDue) => {
    asked.push(isDue);
    return [];
  };
  let frames = 0;
  for (let step = 0; step < 20 * SECONDS; step++) if (await stepPaints(sat)) frames++;
  expect(frames).toBe(4 * SECONDS);
  expect(asked.filter((isDue) => isDue !== false)).toHaveLength(frames);
  await sat.quit();
});

describe('above the budget of processor time', () => {
  /** Frames and new figures in four seconds. */
  async function drawnIn4s(isOver: boolean): Promise<{ frames: number; figures: number }> {
    const sat = await SatSession.start('live', 1, 120, 40);
    sat.pass(2);
    await sat.settle();
    // Past the second in which nothing came while the terminal was waited for.
    await pass(sat, 1.2);
    if (isOver) sat.drawRarely();
    const { paintedAtNs, report } = sat;
    const [frames, figures] = [new Set<number>(), new Set<unknown>()];
    for (let step = 0; step < 40; step++) {
      sat.step(100e6, 100);
      frames.add(sat.paintedAtNs);
      figures.add(sat.report);
      await sat.taken();
    }
    frames.delete(paintedAtNs);
    figures.delete(report);
    await sat.quit();
    return { frames: frames.size, figures: figures.size };
  }

  it('above the budget of processor time, frames come twice a second, figures every other second', async () => {
    expect(await drawnIn4s(false)).toEqual({ frames: 40, figures: 4 });
    expect(await drawnIn4s(true)).toEqual({ frames: 8, figures: 2 });
  });

  it('above the budget of processor time, keys are answered at once', async () => {
    const sat = await SatSession.start('live', 1, 120, 40);
    sat.drawRarely();
    await sat.settle();
    expect(sat.framesAfter('+')).toBe(1);
    await sat.quit();
  });
});
