import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { exportView } from '../../src/cli/export/export-view.ts';
import { FileWork } from '../../src/cli/file-work.ts';
import { NO_FILTER, term } from '../../src/filter/filter.ts';
import { IdentityTable } from '../../src/model/identity-table.ts';
import { Monitor } from '../../src/monitor/monitor.ts';
import { createSyntheticSource } from '../../src/source/synthetic-source.ts';
import { actionOf } from '../../src/view/keys/find-binding.ts';
import { DEFAULT_VIEW } from '../../src/view/state.ts';
import type { ViewState } from '../../src/view/state.ts';

describe('the key E', () => {
  let folder = '';
  const clockBase = { monotonicNs: 0n, wallNs: 1_700_000_000_000_000_000n };
  const clock = { nowNs: () => 20e9 };
  const options = { pattern: 'mixed', seed: 3, rate: 500, clock, clockBase } as const;
  const source = createSyntheticSource({ ...options, keys: new IdentityTable() });
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
    { of = monitor, work = new FileWork() } = {},
  ): Promise<string> {
    const shown = { monitor: of, view: { ...DEFAULT_VIEW, ...view }, columns: 10, edgeNs: 15e9 };
    return exportView({ ...shown, recordedOnly: '', unicode: true }, join(folder, name), work);
  }

  it('asks for a name, and writes when Enter is pressed', () => {
    expect(actionOf('main', 'E')).toEqual({ type: 'openExport' });
    expect(actionOf('export', 'enter')).toEqual({ type: 'run', what: 'exportView' });
    expect(actionOf('export', 'x')).toEqual({ type: 'edit', key: 'x' });
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

  it.each(['a.csv', 'a.parquet', 'a.svg'])(
    'leaves nothing of %s when it is called off',
    async (name) => {
      const work = new FileWork();
      work.cancel();
      expect(await write(name, {}, { work })).toBe('called off: no file is written');
      expect(readdirSync(folder)).toEqual([]);
    },
  );

  it('gives a file its name when it is whole', async () => {
    const seen = new Set<string>();
    const watched = setInterval(() => {
      for (const name of readdirSync(folder)) seen.add(name);
    }, 0);
    await write('a.ndjson');
    clearInterval(watched);
    expect([...seen]).not.toContain('a.ndjson');
    expect(readdirSync(folder)).toEqual(['a.ndjson']);
  });

  it('tells how many I/Os the history has given up before their turn', async () => {
    const options = { pattern: 'mixed', seed: 3, rate: 20_000, clockBase } as const;
    let nowNs = 15e9;
    const moving = { nowNs: () => nowNs };
    const fast = createSyntheticSource({ ...options, clock: moving, keys: new IdentityTable() });
    const of = new Monitor({ source: fast, historyBytes: 16 * 2 ** 20, filter: NO_FILTER });
    while (!of.pump());
    const written = write('a.ndjson', {}, { of });
    nowNs = 60e9;
    while (!of.pump());
    const told = await written;
    expect(told).toMatch(/; \d.* were forgotten before their turn$/);
    expect(of.history.detailStartNs).toBeGreaterThan(16e9);
  });
});
