import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { BundledEntry } from '../kernel/fixtures/bundle-entry.ts';
import { needs } from '../needs.ts';
import { LoopDevice } from '../load/loop-device.ts';
import type { SlowRule } from '../load/slow-file/rules.ts';
import { buildSlowFile, SlowDisk } from '../load/slow-file/slow-file.ts';
import { ensureBuilt } from './build.ts';
import { CANNOT, type PaintedTrace } from './support/painted-trace.ts';
import { paintReadable, type ReadPainting } from './support/paint-readable.ts';
import { readLatencies } from './support/read-latencies.ts';

const SLOW_BYTES = 8 << 20;
const MEMORY_BYTES = 96 << 20;

/** So that a machine that is busy for a part of a millisecond moves no I/O into another row. */
const QUICKEST_US = 500;
const STEPS_PER_DOUBLING = 8;

/** What takes longer the larger it is, as on a disk with a narrow way to it: with the root of its size. */
function slowWay(): SlowRule[] {
  const steps = STEPS_PER_DOUBLING * Math.log2(SLOW_BYTES / 512);
  const rules = Array.from({ length: steps }, (_, step) => {
    const part = 2 ** (step / STEPS_PER_DOUBLING);
    return { start: Math.floor(512 * part), end: SLOW_BYTES, delayUs: QUICKEST_US * part ** 0.4 };
  });
  return [...rules.reverse(), { start: 0, end: SLOW_BYTES, delayUs: QUICKEST_US }];
}

const painting = (intervalNs: number) => ({ word: 'IO', metric: 'latency', intervalNs });
const readIO = (trace: PaintedTrace) => readLatencies(trace, 'IO');

beforeAll(ensureBuilt);

describe('a word painted in latencies', needs('tracing'), () => {
  let program: BundledEntry;
  let slow: SlowDisk;
  let memory: LoopDevice;

  beforeAll(async () => {
    program = await buildSlowFile();
    slow = await SlowDisk.start(program, SLOW_BYTES);
    await slow.setRules(slowWay());
    memory = LoopDevice.create({ bytes: MEMORY_BYTES });
  });
  afterAll(async () => {
    memory.dispose();
    await slow.dispose();
    program.dispose();
  });

  it('a word that the painter calls readable can be read in the latencies of a disk whose larger I/Os take longer', async () => {
    const painted = await paintReadable(slow.loop, painting(2e9), readIO);
    expect(painted.told).not.toContain(CANNOT);
    expectReadable(painted);
  }, 300_000);

  it('a word that the painter calls readable can be read in the latencies of a disk in memory', async () => {
    expectReadable(await paintReadable(memory, painting(1e9), readIO));
  }, 300_000);
});

/** On a machine whose noise is longer than the latencies of the disk no painting is readable. */
function expectReadable({ read, told }: ReadPainting<string>): void {
  if (read === undefined) expect(told).toMatch(new RegExp(`${CANNOT}|hardly readable.*busy`));
  else expect(read, told).toBe('IO');
}
