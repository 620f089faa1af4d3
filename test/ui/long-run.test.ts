import { beforeAll, describe, expect, it } from 'vitest';
import type { LongRunReport } from './fixtures/long-run.ts';
import { runInProduction } from './fixtures/production-program.ts';
import type { ProgramEnd } from './fixtures/production-program.ts';

const ENTRY = new URL('fixtures/long-run.ts', import.meta.url).pathname;

/**
 * Compiled code takes 400 kB once; Ink's caches would have kept 3 kB of
 * every update.
 */
const UPDATES = 1000;

const GROWTH_LIMIT = 1e6;

/** Ink in a continuous integration job draws nothing unless asked to. */
const ENVIRONMENT = { CI: 'true', INK_SCREEN_READER: 'true' };

describe('chrome in a program that runs for days', () => {
  let end: ProgramEnd;
  let report: LongRunReport;

  beforeAll(async () => {
    end = await runInProduction(ENTRY, [String(UPDATES)], ENVIRONMENT);
    expect(end.stderr).toBe('');
    report = JSON.parse(end.stdout) as LongRunReport;
  });

  it('painting frames keeps no memory per update', () => {
    expect(report.heapBytes * report.updates).toBeLessThan(GROWTH_LIMIT);
    expect(report.externalBytes * report.updates).toBeLessThan(GROWTH_LIMIT);
  });

  it('painting frames leaves signals to the program', () => {
    expect(report.signals).toEqual([]);
    expect(end.signal).toBe('SIGTERM');
  });

  it('painting frames writes nothing by itself', () => {
    expect(end.stdout.split('\n')).toHaveLength(2);
  });
});
