import { chmodSync, existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { createTrendView } from '../../src/ui/charts/trend-view.ts';
import { runInProduction } from './fixtures/production-program.ts';
import type { ProgramEnd } from './fixtures/production-program.ts';
import { CLOCK_BASE, createTrend } from './fixtures/trend.ts';
import type { TrendRunReport } from './fixtures/trend-run.ts';
import { createTheme } from '../../src/ui/text/theme.ts';

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
  it('the hidden screen of the charts leaves no listener on the process, whatever is created and disposed', () => {
    const before = hooks();
    for (let round = 0; round < 3; round++) {
      const view = createTrendView({ theme: createTheme(2), unicode: true });
      const more = createTrendView({ theme: createTheme(0), unicode: false });
      view.draw(createTrend(), CLOCK_BASE, 120, 37);
      more.draw(createTrend(), CLOCK_BASE, 80, 21);
      expect(hooks()).toEqual(before);
      view.dispose();
      expect(hooks()).toEqual(before);
      more.dispose();
      expect(hooks()).toEqual(before);
    }
  });

  it('the hidden screen of the charts writes to no terminal', () => {
    const [out, err] = [vi.spyOn(process.stdout, 'write'), vi.spyOn(process.stderr, 'write')];
    const view = createTrendView({ theme: createTheme(2), unicode: true });
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

  it('charts in the bundled program keep no memory per update', () => {
    expect(report.heapBytes).toBeLessThan(GROWTH_LIMIT);
    expect(report.externalBytes).toBeLessThan(GROWTH_LIMIT);
  });

  it('charts in the bundled program listen to nothing and leave signals to the program', () => {
    expect(report.listeners).toEqual([]);
    expect(end.signal).toBe('SIGTERM');
  });

  it('charts in the bundled program write nothing and run no other program, not even inside tmux', () => {
    expect(end.stdout.split('\n')).toHaveLength(2);
    expect(existsSync(traces)).toBe(false);
  });
});
