import { spawn } from 'node:child_process';
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
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { Heatmap } from '../../src/heatmap/heatmap.ts';
import type { Interval } from '../../src/heatmap/scale.ts';
import { NO_FILTER } from '../../src/model/filter.ts';
import { parseFilter } from '../../src/model/filter-parse.ts';
import type { Metric } from '../../src/model/metric.ts';
import { Monitor } from '../../src/monitor/monitor.ts';
import { FONT_ROWS, textColumns } from '../../src/paint/font.ts';
import { sizeRange, STROKES_PER_PIXEL } from '../../src/paint/plan.ts';
import { LoopDevice } from '../load/loop-device.ts';
import { describeTracing } from '../kernel/fixtures/needs-tracing.ts';
import { TraceSession } from '../kernel/fixtures/trace-session.ts';
import { ensureBuilt, IOHEAT } from './build.ts';
import { FINER, firstPainted, readPainting } from './support/read-painting.ts';

/** Long enough that a busy machine does not delay a column into the next. */
const PAINTED_NS: Readonly<Record<string, number>> = { offset: 500e6, size: 500e6, latency: 2e9 };
const BYTES = 96 << 20;

interface Ended {
  readonly code: number | null;
  readonly told: string;
}

function ioheat(...args: string[]): Promise<Ended> {
  const child = spawn(IOHEAT, args, { stdio: ['ignore', 'ignore', 'pipe'] });
  let told = '';
  child.stderr.on('data', (chunk: Buffer) => (told += chunk.toString()));
  return new Promise((resolve) => {
    child.once('close', (code) => {
      resolve({ code, told });
    });
  });
}

beforeAll(ensureBuilt);

describeTracing('a word painted with real I/O', () => {
  let disk: LoopDevice;
  let session: TraceSession;
  let monitor: Monitor;

  beforeAll(() => {
    disk = LoopDevice.create({ bytes: BYTES });
  });
  afterAll(() => {
    disk.dispose();
  });
  beforeEach(() => {
    session = TraceSession.open({ filter: { devs: [disk.dev] } });
    monitor = new Monitor({ source: session.source, historyBytes: 64 << 20, filter: NO_FILTER });
  });
  afterEach(() => {
    session.dispose();
  });

  async function paint(word: string, metric: string, ...more: string[]): Promise<void> {
    const pace = ['--interval', `${PAINTED_NS[metric]! / 1e6}ms`];
    const args = ['--metric', metric, '--target', disk.path, ...pace, ...more];
    const ended = await ioheat('paint', word, ...args);
    expect(ended).toMatchObject({ code: 0 });
    while (!monitor.pump());
  }

  /** Everything so far, in columns of a tenth of a painted one. */
  function picture(
    metric: Metric,
    bins: number,
    valueRange?: Interval,
    painted = metric as string,
  ): Heatmap {
    const columnNs = PAINTED_NS[painted]! / FINER;
    const { monotonicNs } = session.source.info.clockBase;
    const endNs = Number(process.hrtime.bigint() - monotonicNs);
    const shape = { scale: metric === 'offset' ? 'linear' : 'log', outlierCut: 0 } as const;
    return monitor.show({ metric, ...shape, valueRange, columnNs, columns: 1000, bins }, endNs).map;
  }

  function rowBands(low: number, high: number, at: (part: number) => number): Interval[] {
    expect(low).toBeLessThan(high);
    return Array.from({ length: FONT_ROWS }, (_, row) => ({ low: at(row), high: at(row + 1) }));
  }

  it('is read back out of the picture of offsets', async () => {
    await paint('HEAT', 'offset');
    const rowBytes = BYTES / (FONT_ROWS + 1);
    const bands = rowBands(0, BYTES, (row) => (row + 0.5) * rowBytes);
    expect(readPainting(picture('offset', 96), bands, widthOf('HEAT'))).toBe('HEAT');
  });

  it('is read back out of the picture of sizes', async () => {
    await paint('IO', 'size');
    const { low, high } = sizeRange({ bytes: BYTES, blockBytes: 512, maxBytes: 512 << 10 });
    const ratio = (high / low) ** (1 / FONT_ROWS);
    const bands = rowBands(low, high, (row) => low * ratio ** row);
    const map = picture('size', 60, { low: low / ratio, high: high * ratio });
    expect(readPainting(map, bands, widthOf('IO'))).toBe('IO');
  });

  it('is read back out of the picture of latencies', async () => {
    // What is written takes the longer the more it is; zeros may be read without being copied.
    await paint('IO', 'latency', '--op', 'write');
    const centres = sizesPainted().map(wantedLatency);
    expect(centres).toHaveLength(FONT_ROWS);
    const ratios = centres.slice(1).map((ns, below) => ns / centres[below]!);
    expect(Math.min(...ratios)).toBeGreaterThan(1);
    // No further up than halfway to a next row: what a busy machine made late is in no row.
    const rows = centres.map((ns, row) => ({
      low: row === 0 ? 0 : ns / Math.sqrt(ratios[row - 1]!),
      high: ns * Math.sqrt(ratios[row] ?? ratios[row - 1]!),
    }));
    const map = picture('device', 1000, { low: 200, high: 20e6 }, 'latency');
    expect(readPainting(map, rows, widthOf('IO'))).toBe('IO');
  }, 90_000);

  /** The sizes that the rows were given, in ascending order. */
  function sizesPainted(): Interval[] {
    const map = picture('size', 400, { low: 400, high: 1 << 20 }, 'latency');
    const first = firstPainted(map, widthOf('IO'));
    const counts = Array.from({ length: map.bins }, (_, bin) => countOf(map, bin, first));
    return counts.flatMap((count, bin) => (count > 0 ? [map.scale.invertExtent(bin)] : []));
  }

  /** Where the row is: at its quickest I/Os, since any that came late was done again. */
  function wantedLatency({ low, high }: Interval): number {
    const filter = parseFilter(`size>=${Math.ceil(low)} size<${Math.ceil(high)}`);
    if (!filter.ok) throw new Error(filter.error.message);
    monitor.setFilter(filter.value);
    const map = picture('device', 1000, { low: 200, high: 20e6 }, 'latency');
    const first = firstPainted(map, widthOf('IO'));
    const counts = Array.from({ length: map.bins }, (_, bin) => countOf(map, bin, first));
    monitor.setFilter(NO_FILTER);
    let sum = 0;
    const bin = counts.findIndex((count) => (sum += count) >= STROKES_PER_PIXEL);
    return map.scale.invertExtent(bin).low;
  }
});

function widthOf(word: string): number {
  return textColumns(word)!.length;
}

function countOf(map: Heatmap, bin: number, fromColumn: number): number {
  let count = 0;
  for (let column = fromColumn; column < map.columns; column++) count += map.count(column, bin);
  return count;
}

describe('a painting', () => {
  let folder: string;
  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'ioheat-paint-'));
  });
  afterAll(() => {
    rmSync(folder, { recursive: true });
  });

  it('makes a file where there is none, and takes it away again', async () => {
    const path = join(folder, 'new');
    const args = ['--target', path, '--interval', '100ms', '--size', '2M'];
    const ended = await ioheat('paint', 'I', ...args);
    expect(ended.told).toMatch(/painted 3 of 3 columns with \d+ I\/Os/);
    expect(ended.code).toBe(0);
    expect(existsSync(path)).toBe(false);
  });

  it('does not write over data unless it is told to', async () => {
    const path = join(folder, 'full');
    writeFileSync(path, Buffer.alloc(2 << 20, 'data'));
    const args = ['paint', 'I', '--target', path, '--interval', '100ms', '--op', 'write'];
    const refused = await ioheat(...args);
    expect(refused).toMatchObject({ code: 1 });
    expect(refused.told).toMatch(/holds data at byte \d+.*--overwrite/);
    expect(readFileSync(path, 'utf8')).toBe('data'.repeat(1 << 19));
    expect(await ioheat(...args, '--overwrite')).toMatchObject({ code: 0 });
    expect(readFileSync(path, 'utf8')).not.toBe('data'.repeat(1 << 19));
  });

  it('refuses what is no target, in one sentence', async () => {
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

describeTracing('a disk that somebody uses', () => {
  it('is never touched', async () => {
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
