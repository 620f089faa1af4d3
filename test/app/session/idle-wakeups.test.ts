import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { forgetSessions } from './fixtures/kept-listeners.ts';
import { SatSession } from './fixtures/sat-session.ts';
import type { Kind } from './fixtures/sat-session.ts';

const folder = mkdtempSync(join(tmpdir(), 'ioheat-idle-'));
const SECONDS = 3;

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

/** How often the source is read in a second, once the session has settled. */
async function readsPerSecond(kind: Kind): Promise<number> {
  const sat = await SatSession.start(kind, 1, 120, 40);
  sat.pass(1);
  const { source } = sat.monitor;
  const read = source.readSummaries.bind(source);
  let reads = 0;
  source.readSummaries = () => {
    reads++;
    return read();
  };
  sat.pass(SECONDS);
  source.readSummaries = read;
  await sat.quit();
  return reads / SECONDS;
}

describe('how often the program wakes up', () => {
  it('without I/O once per frame, ten times a second', async () => {
    expect(await readsPerSecond('idle')).toBe(10);
  });

  it('while I/O comes twice per frame', async () => {
    expect(await readsPerSecond('live')).toBe(20);
  });

  it('the first I/O after a pause is on the next frame', async () => {
    const sat = await SatSession.start('live', 1, 120, 40);
    sat.pass(1);
    const { source } = sat.monitor;
    // Time that passes without ticks of the clock brings no I/O.
    for (let tick = 0; tick < 10; tick++) vi.advanceTimersByTime(100);
    // The terminal takes the frames so far, and answers.
    await sat.settle();
    const before = sat.monitor.history.version;
    sat.step(50e6, 100);
    expect(source.counters().delivered).toBeGreaterThan(0);
    expect(sat.monitor.history.version).toBeGreaterThan(before);
    expect(sat.paintedVersion).toBe(sat.monitor.history.version);
    await sat.quit();
  });
});
