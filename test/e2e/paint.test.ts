import {
  closeSync,
  constants,
  existsSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Interval } from '../../src/heatmap/axis/scale.ts';
import { PAINT_METRICS } from '../../src/app/options/paint-options.ts';
import { FONT_ROWS } from '../../src/paint/font.ts';
import { sizeRange } from '../../src/paint/plan.ts';
import { LoopDevice } from '../load/loop-device.ts';
import { needs } from '../needs.ts';
import { ensureBuilt } from './build.ts';
import { paintReadable } from './support/paint-readable.ts';
import { ioheat, widthOf } from './support/painted-trace.ts';
import { readPainting } from './support/read-painting.ts';

const INTERVAL_NS = 500e6;
const BYTES = 96 << 20;

beforeAll(ensureBuilt);

describe('a word painted with real I/O', needs('tracing'), () => {
  let disk: LoopDevice;

  beforeAll(() => {
    disk = LoopDevice.create({ bytes: BYTES });
  });
  afterAll(() => {
    disk.dispose();
  });

  function rowBands(low: number, high: number, at: (part: number) => number): Interval[] {
    expect(low).toBeLessThan(high);
    return Array.from({ length: FONT_ROWS }, (_, row) => ({ low: at(row), high: at(row + 1) }));
  }

  it('a painted word can be read in the picture of offsets', async () => {
    const rowBytes = BYTES / (FONT_ROWS + 1);
    const bands = rowBands(0, BYTES, (row) => (row + 0.5) * rowBytes);
    const { read, told } = await paintReadable(
      disk,
      { word: 'HEAT', metric: 'offset', intervalNs: INTERVAL_NS },
      (trace) => readPainting(trace.picture('offset', 96), bands, widthOf('HEAT')),
    );
    expect(read, told).toBe('HEAT');
  }, 300_000);

  it('a painted word can be read in the picture of sizes', async () => {
    const { low, high } = sizeRange({ bytes: BYTES, blockBytes: 512, maxBytes: 512 << 10 });
    const ratio = (high / low) ** (1 / FONT_ROWS);
    const bands = rowBands(low, high, (row) => low * ratio ** row);
    const range = { low: low / ratio, high: high * ratio };
    const { read, told } = await paintReadable(
      disk,
      { word: 'IO', metric: 'size', intervalNs: INTERVAL_NS },
      (trace) => readPainting(trace.picture('size', 60, range), bands, widthOf('IO')),
    );
    expect(read, told).toBe('IO');
  }, 300_000);
});

describe('a painting', () => {
  let folder: string;
  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'ioheat-paint-'));
  });
  afterAll(() => {
    rmSync(folder, { recursive: true });
  });

  it('paint creates its file, and removes it again', async () => {
    const path = join(folder, 'new');
    const args = ['--target', path, '--interval', '100ms', '--size', '2M'];
    const ended = await ioheat('paint', 'I', ...args);
    expect(ended.told).toContain('watch it with: ioheat --metric offset --interval 100ms\n');
    expect(ended.told).toMatch(/painted 3 of 3 columns with \d+ I\/Os/);
    expect(ended.code).toBe(0);
    expect(existsSync(path)).toBe(false);
  });

  it.each(PAINT_METRICS)('paint of %s does not write over data unless asked to', async (metric) => {
    const path = join(folder, 'full');
    writeFileSync(path, Buffer.alloc(2 << 20, 'data'));
    const how = ['--metric', metric, '--op', 'write', '--interval', '100ms'];
    const args = ['paint', 'I', '--target', path, ...how];
    const refused = await ioheat(...args);
    expect(refused).toMatchObject({ code: 1 });
    expect(refused.told).toMatch(/holds data at byte \d+.*--overwrite/);
    expect(readFileSync(path, 'utf8')).toBe('data'.repeat(1 << 19));
    // On a disk whose latency hardly depends on the size, latencies cannot be painted.
    const asked = await ioheat(...args, '--overwrite');
    if (metric !== 'latency') expect(asked).toMatchObject({ code: 0 });
    expect(readFileSync(path, 'utf8')).not.toBe('data'.repeat(1 << 19));
  });

  it('paint refuses an unsuitable target in one sentence', async () => {
    const sparse = join(folder, 'sparse');
    truncateSync(openedNew(sparse), 2 << 20);
    for (const [path, why] of [
      [folder, 'neither a disk nor a regular file'],
      ['/dev/null', 'neither a disk nor a regular file'],
      ['/dev/no-such-disk', 'does not exist'],
      [join(folder, 'no', 'folder'), 'does not exist'],
      [sparse, 'sparse'],
    ]) {
      const ended = await ioheat('paint', 'I', '--target', path!);
      expect(ended.code).toBe(1);
      expect(ended.told).toContain(why);
      expect(ended.told.trim().split('\n')).toHaveLength(1);
    }
  });
});

function openedNew(path: string): string {
  writeFileSync(path, '');
  return path;
}

describe('a disk that somebody uses', needs('tracing'), () => {
  it('paint never touches a disk that is in use', async () => {
    const disk = LoopDevice.create({ bytes: 64 << 20 });
    const holder = disk.openDirect(constants.O_EXCL);
    try {
      const ended = await ioheat('paint', 'I', '--target', disk.path, '--interval', '100ms');
      expect(ended.code).toBe(1);
      expect(ended.told).toContain('is in use');
    } finally {
      closeSync(holder);
      disk.dispose();
    }
  });
});
