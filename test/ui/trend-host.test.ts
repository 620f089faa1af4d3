import { chmodSync, existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { createTrendView } from '../../src/ui/trend/trend-view.ts';
import { runInProduction } from './fixtures/production-program.ts';
import type { ProgramEnd } from './fixtures/production-program.ts';
import { CLOCK_BASE, createTrend } from './fixtures/trend.ts';
import type { TrendRunReport } from './fixtures/trend-run.ts';

const ENTRY = new URL('fixtures/trend-run.ts', import.meta.url).pathname;
const UPDATES = 1000;
/** Compiled code takes some once; a widget that is kept would take more of every update. */
const GROWTH_LIMIT = 1e6;

function hooks(): unknown[] {
  return [
    process.eventNames().map((name) => [name, process.rawListeners(String(name))]),
    ...['emit', 'reallyExit', 'exitCode'].map((key) => Reflect.get(process, key) as unknown),
  ];
}

describe('the hidden screen of the charts', () => {
  it('hangs nothing on the process, whatever comes and goes', () => {
    const before = hooks();
    for (let round = 0; round < 3; round++) {
      const view = createTrendView({ level: 2, unicode: true });
      const more = createTrendView({ level: 0, unicode: false });
      view.draw(createTrend(), CLOCK_BASE, 120, 37);
      more.draw(createTrend(), CLOCK_BASE, 80, 21);
      expect(hooks()).toEqual(before);
      view.dispose();
      expect(hooks()).toEqual(before);
      more.dispose();
      expect(hooks()).toEqual(before);
    }
  });

  it('writes to no terminal', () => {
    const [out, err] = [vi.spyOn(process.stdout, 'write'), vi.spyOn(process.stderr, 'write')];
    const view = createTrendView({ level: 2, unicode: true });
    view.draw(createTrend(), CLOCK_BASE, 120, 37);
    view.draw(createTrend(), CLOCK_BASE, 80, 21);
    view.dispose();
    expect([out.mock.calls, err.mock.calls]).toEqual([[], []]);
    out.mockRestore();
    err.mockRestore();
  });
});

describe('charts in the bundled program', () => {
  const folder = mkdtempSync(join(tmpdir(), 'ioheat-trend-'));
  const traces = join(folder, 'tmux-was-run');
  let end: ProgramEnd;
  let report: TrendRunReport;

  beforeAll(async () => {
    writeFileSync(join(folder, 'tmux'), `#!/bin/sh\n: > ${traces}\necho tmux 3.4\n`);
    chmodSync(join(folder, 'tmux'), 0o755);
    const path = `${folder}:${process.env['PATH'] ?? ''}`;
    const env = { TMUX: '/tmp/tmux,1,0', TERM: 'tmux-256color', PATH: path };
    end = await runInProduction(ENTRY, [String(UPDATES)], env);
    expect(end.stderr).toBe('');
    report = JSON.parse(end.stdout) as TrendRunReport;
  });

  afterAll(() => {
    rmSync(folder, { recursive: true });
  });

  it('keeps nothing of an update', () => {
    expect(report.heapBytes).toBeLessThan(GROWTH_LIMIT);
    expect(report.externalBytes).toBeLessThan(GROWTH_LIMIT);
  });

  it('listens to nothing and leaves signals to the program', () => {
    expect(report.listeners).toEqual([]);
    expect(end.signal).toBe('SIGTERM');
  });

  it('writes nothing by itself and runs no other program, not even inside tmux', () => {
    expect(end.stdout.split('\n')).toHaveLength(2);
    expect(existsSync(traces)).toBe(false);
  });
});
