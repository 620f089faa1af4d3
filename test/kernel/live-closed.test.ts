import { expect, it } from 'vitest';
import { buildLoad, startLoad } from '../load/load-process.ts';
import { LoopDevice } from '../load/loop-device.ts';
import { needs } from '../needs.ts';
import { TraceSession } from './fixtures/trace-session.ts';

const DISK_BYTES = 64 << 20;
const SKIPPED = 'skipped by the kernel';

/** What the kernel skips itself depends on chance: where it skipped nothing, that figure is 0 before and after. */
it('what a trace has counted, it still says when it is closed', needs('tracing'), async () => {
  const program = await buildLoad();
  const disk = LoopDevice.create({ bytes: DISK_BYTES });
  const session = TraceSession.open();
  const { source } = session;
  const said = () => ({ counters: source.counters(), remarks: source.remarks() });
  const order = { depth: 64, batch: 8, count: 50_000, blockBytes: 4096, writes: 0.3, seed: 1 };
  const load = () =>
    startLoad(program, { ...order, path: disk.path, spanBytes: DISK_BYTES }).report;
  try {
    session.focus(disk.dev);
    await load();
    session.takeAll();
    const before = said();
    session.dispose();
    const after = said();
    expect(after.counters.delivered).toBeGreaterThanOrEqual(before.counters.delivered);
    expect(after.remarks[SKIPPED]).toBeGreaterThanOrEqual(before.remarks[SKIPPED]!);
    await load();
    expect(said()).toEqual(after);
  } finally {
    session.dispose();
    disk.dispose();
    program.dispose();
  }
});
