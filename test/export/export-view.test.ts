import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { exportView } from '../../src/app/jobs/export-view.ts';
import { FileJob } from '../../src/app/jobs/file-job.ts';
import { NO_FILTER, term } from '../../src/filter/filter.ts';
import { IdentityTable } from '../../src/model/identity-table.ts';
import { Monitor } from '../../src/monitor/monitor.ts';
import { createSyntheticSource } from '../../src/trace/synthetic/synthetic-source.ts';
import { actionOf } from '../../src/view/keys/find-binding.ts';
import { DEFAULT_VIEW } from '../../src/view/state.ts';
import type { ViewState } from '../../src/view/state.ts';

describe('the key E', () => {
  let folder = '';
  const clockBase = { monotonicNs: 0n, wallNs: 1_700_000_000_000_000_000n };
  const clock = { nowNs: () => 20e9 };
  const options = { pattern: 'mixed', seed: 3, rate: 500, clock, clockBase } as const;
  const source = createSyntheticSource({ ...options, identities: new IdentityTable() });
  const monitor = new Monitor({ source, historyBytes: 64 * 2 ** 20, filter: NO_FILTER });
  while (!monitor.pump());

  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'export-view-'));
  });
  afterEach(() => {
    rmSync(folder, { recursive: true });
  });

  function write(
    name: string,
    view: Partial<ViewState> = {},
    { of = monitor, work = new FileJob() } = {},
  ): Promise<string> {
    const shown = { monitor: of, view: { ...DEFAULT_VIEW, ...view }, columns: 10, edgeNs: 15e9 };
    return exportView({ ...shown, recordedOnly: '', unicode: true }, join(folder, name), work);
  }

  it('the key E asks for a file name, and Enter writes the file', () => {
    expect(actionOf('main', 'E')).toEqual({ type: 'openExport' });
    expect(actionOf('export', 'enter')).toEqual({ type: 'run', what: 'exportView' });
    expect(actionOf('export', 'x')).toEqual({ type: 'edit', key: 'x' });
  });

  it('the key E exports the I/Os in the time and filter of the screen, no others', async () => {
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

  it('the key E says how many I/Os of the screen are not in the file', async () => {
    await write('a.ndjson');
    const rows = readFileSync(join(folder, 'a.ndjson'), 'utf8').trim().split('\n');
    const empty = rows.filter((row) => (JSON.parse(row) as { bytes: number }).bytes === 0).length;
    expect(empty).toBeGreaterThan(0);
    const sizes = await write('a.trace2heatmap', { metric: 'size' });
    expect(sizes).toContain(`a.trace2heatmap; ${empty} left out: `);
    const options = { pattern: 'mixed', seed: 3, rate: 20_000, clockBase } as const;
    const clock = { nowNs: () => 60e9 };
    const fast = createSyntheticSource({ ...options, clock, identities: new IdentityTable() });
    const of = new Monitor({ source: fast, historyBytes: 16 * 2 ** 20, filter: NO_FILTER });
    while (!of.pump());
    expect(of.history.detailStartNs).toBeGreaterThan(16e9);
    expect(await write('old.csv', {}, { of })).toMatch(/old\.csv; \d.* aggregated left out$/);
  });

  it("the key E exports pictures in the format of the file's extension", async () => {
    await write('a.svg', { metric: 'size' });
    expect(readFileSync(join(folder, 'a.svg'), 'utf8')).toContain('Size of');
    await write('a.txt');
    expect(readFileSync(join(folder, 'a.txt'), 'utf8')).toMatch(/^Total latency of/);
    await write('a.png');
    expect(readFileSync(join(folder, 'a.png')).subarray(1, 4).toString()).toBe('PNG');
  });

  it('where a picture has another layout than the screen, the notice says that it is one heat map', async () => {
    for (const layout of ['cgroups', 'disks', 'stacked', 'size-latency'] as const)
      expect(await write(`${layout}.txt`, { layout })).toMatch(/^one heat map written to /);
    for (const layout of ['single', 'layers'] as const)
      expect(await write(`${layout}.txt`, { layout })).toMatch(/^written to /);
    expect(await write('rows.csv', { layout: 'cgroups' })).toMatch(/^written to /);
  });

  it('a failed export says why in one sentence, and does not touch existing files', async () => {
    expect(await write('a.doc')).toMatch(/^use \.png/);
    writeFileSync(join(folder, 'kept.csv'), 'kept');
    expect(await write('kept.csv')).toContain('file exists');
    expect(readFileSync(join(folder, 'kept.csv'), 'utf8')).toBe('kept');
    expect(await write('none/a.svg')).toContain('cannot create');
  });

  it.each(['a.csv', 'a.parquet', 'a.svg'])(
    'cancelling an export leaves nothing of %s',
    async (name) => {
      const work = new FileJob();
      work.cancel();
      expect(await write(name, {}, { work })).toBe('cancelled, nothing written');
      expect(readdirSync(folder)).toEqual([]);
    },
  );

  it('an export gets its final name when it is complete', async () => {
    const seen = new Set<string>();
    const watched = setInterval(() => {
      for (const name of readdirSync(folder)) seen.add(name);
    }, 0);
    await write('a.ndjson');
    clearInterval(watched);
    expect([...seen]).not.toContain('a.ndjson');
    expect(readdirSync(folder)).toEqual(['a.ndjson']);
  });

  it('an export reports how many I/Os the history dropped before they were written', async () => {
    const options = { pattern: 'mixed', seed: 3, rate: 20_000, clockBase } as const;
    let nowNs = 15e9;
    const moving = { nowNs: () => nowNs };
    const fast = createSyntheticSource({
      ...options,
      clock: moving,
      identities: new IdentityTable(),
    });
    const of = new Monitor({ source: fast, historyBytes: 16 * 2 ** 20, filter: NO_FILTER });
    while (!of.pump());
    const written = write('a.ndjson', {}, { of });
    nowNs = 60e9;
    while (!of.pump());
    const told = await written;
    expect(told).toMatch(/; \d.* dropped from memory before being written$/);
    expect(of.history.detailStartNs).toBeGreaterThan(16e9);
  });
});
