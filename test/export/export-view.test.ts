import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { exportView } from '../../src/cli/export/export-view.ts';
import { NO_FILTER, term } from '../../src/model/filter.ts';
import { KeyTable } from '../../src/model/key-table.ts';
import { Monitor } from '../../src/monitor/monitor.ts';
import { createSyntheticSource } from '../../src/source/synthetic-source.ts';
import { meaningOf } from '../../src/view/key-table.ts';
import { DEFAULT_VIEW } from '../../src/view/view-state.ts';
import type { ViewState } from '../../src/view/view-state.ts';

describe('the key E', () => {
  let folder = '';
  const clockBase = { monotonicNs: 0n, wallNs: 1_700_000_000_000_000_000n };
  const clock = { nowNs: () => 20e9 };
  const options = { pattern: 'mixed', seed: 3, rate: 500, clock, clockBase } as const;
  const source = createSyntheticSource({ ...options, keys: new KeyTable() });
  const monitor = new Monitor({ source, historyBytes: 64 * 2 ** 20, filter: NO_FILTER });
  while (!monitor.pump());

  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'export-view-'));
  });
  afterEach(() => {
    rmSync(folder, { recursive: true });
  });

  function write(name: string, view: Partial<ViewState> = {}): Promise<string> {
    const shown = { monitor, view: { ...DEFAULT_VIEW, ...view }, columns: 10, edgeNs: 15e9 };
    return exportView({ ...shown, recordedOnly: '', unicode: true }, join(folder, name));
  }

  it('asks for a name, and writes when Enter is pressed', () => {
    expect(meaningOf('main', 'E')).toEqual({ action: { type: 'openExport' } });
    expect(meaningOf('export', 'enter')).toEqual({ effect: 'exportView' });
    expect(meaningOf('export', 'x')).toEqual({ action: { type: 'edit', key: 'x' } });
  });

  it('writes the I/Os that the screen shows: its time and its filter, no others', async () => {
    const path = join(folder, 'shown.ndjson');
    const filter = term('disk', '=', 'sda');
    expect(await write('shown.ndjson', { filter })).toBe(`written to ${path}`);
    const rows = readFileSync(path, 'utf8').trim().split('\n');
    const picture = { ...DEFAULT_VIEW, columnNs: 1e9, columns: 10, bins: 10 };
    monitor.setFilter(filter);
    const { map } = monitor.show(picture, 15e9);
    let shown = 0;
    for (let column = 0; column < 10; column++)
      shown += map.columnTotal(column) + map.unmeasurableCount(column);
    expect(rows).toHaveLength(shown);
    for (const row of rows) {
      const { device, trace_ns } = JSON.parse(row) as { device: string; trace_ns: number };
      expect(device).toBe('sda');
      expect(trace_ns).toBeGreaterThanOrEqual(6e9);
      expect(trace_ns).toBeLessThan(16e9);
    }
  });

  it('writes pictures of the view, in the format that the name ends in', async () => {
    await write('a.svg', { metric: 'size' });
    expect(readFileSync(join(folder, 'a.svg'), 'utf8')).toContain('Size of');
    await write('a.txt');
    expect(readFileSync(join(folder, 'a.txt'), 'utf8')).toMatch(/^Device latency of/);
    await write('a.png');
    expect(readFileSync(join(folder, 'a.png')).subarray(1, 4).toString()).toBe('PNG');
  });

  it('says in a sentence what it cannot do, and leaves what is there alone', async () => {
    expect(await write('a.doc')).toMatch(/^the name must end in \.png/);
    writeFileSync(join(folder, 'kept.csv'), 'kept');
    expect(await write('kept.csv')).toContain('there is something of that name');
    expect(readFileSync(join(folder, 'kept.csv'), 'utf8')).toBe('kept');
    expect(await write('none/a.svg')).toContain('cannot create');
  });
});
