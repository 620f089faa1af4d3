import { describe, expect, it, vi } from 'vitest';
import type * as CounterReader from '../../src/kernel/counts/counter-reader.ts';
import { needs } from '../needs.ts';
import { TraceSession } from './fixtures/trace-session.ts';

/** Nobody can make the kernel skip a program at will. */
vi.mock('../../src/kernel/counts/counter-reader.ts', async (original) => ({
  ...(await original<typeof CounterReader>()),
  readProgramStats: () => ({ recursionMisses: 1e6, runs: 0, runNs: 0 }),
}));

describe('a trace that is closed', needs('tracing'), () => {
  it('a trace that is closed has the I/O lost that the kernel skipped before', () => {
    const session = TraceSession.open();
    const { source } = session;
    const skipped = (): number => source.remarks()['skipped by the kernel']!;
    // Less those that were noticed in another way, which other programs on this machine may add to.
    const lost = (): number => source.counters().losses['skipped']!;
    expect([skipped(), lost() > 0.9e6]).toEqual([1e6, true]);
    session.dispose();
    expect([skipped(), lost() > 0.9e6]).toEqual([1e6, true]);
  });
});
