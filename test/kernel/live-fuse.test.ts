import { execFileSync } from 'node:child_process';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { callOf } from '../../src/model/call.ts';
import { buildSlowFile, SlowDisk } from '../load/slow-file/slow-file.ts';
import { needs } from '../needs.ts';
import type { BundledEntry } from './fixtures/bundle-entry.ts';
import { TraceSession, type SeenIo } from './fixtures/trace-session.ts';

const MIB = 1 << 20;
const DELAY_NS = 20e6;
const COUNT = 25;
const BLOCK = 4096;
/** Kernels run no program while certain threads are current. */
const LEAST = 0.9;

describe('a file on FUSE, whose server answers late', needs('tracing'), () => {
  let program: BundledEntry;
  let disk: SlowDisk;
  let session: TraceSession;
  beforeAll(async () => {
    program = await buildSlowFile();
    disk = await SlowDisk.start(program, 4 * MIB);
    await disk.setRules([{ start: 0, end: 4 * MIB, delayUs: DELAY_NS / 1e3 }]);
  });
  afterAll(async () => {
    await disk.dispose();
    program.dispose();
  });
  beforeEach(() => {
    session = TraceSession.open({ calls: true, waits: true });
  });
  afterEach(() => {
    session.dispose();
  });

  function readWith(options: readonly string[]): { calls: SeenIo[]; waits: SeenIo[] } {
    const input = [`if=${disk.path}`, 'of=/dev/null', 'status=none', `bs=${BLOCK}`];
    execFileSync('dd', [...input, `count=${COUNT}`, ...options]);
    const seen = session
      .takeAll()
      .filter(
        ({ key, fileOffset }) => key.comm === 'dd' && callOf(key) === 'read' && fileOffset >= 0,
      );
    const ofLayer = (layer: string): SeenIo[] => seen.filter(({ key }) => key.layer === layer);
    const ofFile = (ios: SeenIo[]): SeenIo[] => ios.filter(({ bytes }) => bytes === BLOCK);
    return { calls: ofFile(ofLayer('calls')), waits: ofFile(ofLayer('waits')) };
  }

  it('has calls and waits that take as long as the server, though no disk is behind it', () => {
    const { calls, waits } = readWith(['iflag=direct']);
    expect(calls.map(({ fileOffset }) => fileOffset)).toEqual(
      Array.from({ length: COUNT }, (_, index) => index * BLOCK),
    );
    for (const { deviceNs, result } of calls) {
      expect(deviceNs).toBeGreaterThanOrEqual(DELAY_NS);
      expect(result).toBe(BLOCK);
    }
    expect(waits.length).toBeGreaterThan(LEAST * COUNT);
    expect(waits.length).toBeLessThanOrEqual(COUNT);
  });

  it('has few waits where it is read ahead: the server answers before the program asks', () => {
    const { calls, waits } = readWith([]);
    expect(calls).toHaveLength(COUNT);
    expect(waits.length).toBeGreaterThan(0);
    expect(waits.length).toBeLessThan(COUNT / 2);
  });
});
