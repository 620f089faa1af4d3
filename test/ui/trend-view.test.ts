import { afterEach, describe, expect, it } from 'vitest';
import type { CellBlock } from '../../src/base/cell-block.ts';
import type { Trend } from '../../src/model/trend.ts';
import type { ChartStyle } from '../../src/ui/charts/contrib/chart-cells.ts';
import { createTrendView } from '../../src/ui/charts/trend-view.ts';
import type { TrendView } from '../../src/ui/charts/trend-view.ts';
import { glyphRows, styleRows } from './cell-text.ts';
import { CLOCK_BASE, createTrend, series } from './fixtures/trend.ts';
import { createTheme } from '../../src/ui/text/theme.ts';

const COLORED: ChartStyle = { theme: createTheme(2), unicode: true };
const views: TrendView[] = [];

function viewOf(style: ChartStyle = COLORED): TrendView {
  const view = createTrendView(style);
  views.push(view);
  return view;
}

function draw(trend: Trend, width: number, height: number, style = COLORED): CellBlock {
  const block = viewOf(style).draw(trend, CLOCK_BASE, width, height);
  if (block === undefined) throw new Error('too small');
  return block;
}

function asText(block: CellBlock): string {
  const legend = new Map<string, string>();
  const looks = styleRows(block, legend);
  const key = [...legend].map(([look, letter]) => `${letter} ${look}`);
  return [...glyphRows(block), '', ...looks, '', ...key, ''].join('\n');
}

afterEach(() => {
  for (const view of views.splice(0)) view.dispose();
});

describe('the view over time', () => {
  it.each([
    [60, 13],
    [80, 21],
    [120, 37],
    [200, 47],
  ])('the charts fit %i×%i', async (width, height) => {
    const block = draw(createTrend(), width, height);
    await expect(asText(block)).toMatchFileSnapshot(`../../snapshots/ui/trend-${width}.txt`);
  });

  it.each([
    ['ascii', { theme: createTheme(1), unicode: false }],
    ['without-colour', { theme: createTheme(0), unicode: true }],
    ['ascii-without-colour', { theme: createTheme(0), unicode: false }],
  ] as const)('the charts can be told apart in %s', async (name, style) => {
    const block = draw(createTrend(), 120, 37, style);
    await expect(asText(block)).toMatchFileSnapshot(`../../snapshots/ui/trend-${name}.txt`);
    if (!style.unicode) expect(glyphRows(block).join('')).toMatch(/^[\x20-\x7e]*$/);
    if (style.theme.level === 0) expect(block.fg.every((color) => color === -1)).toBe(true);
  });

  it('the charts of a log without operations have one line each, and an unknown value where it has no sizes', () => {
    const none = { reads: series(() => 0), writes: series(() => 0) };
    const unknown = { readBytes: series(() => NaN), writtenBytes: series(() => NaN) };
    const trend = createTrend({
      ...{ ...none, ...unknown, undivided: series(() => 466), undividedBytes: series(() => NaN) },
      ...{ undividedInFlight: series(() => 3) },
    });
    const text = glyphRows(draw(trend, 120, 37)).join('\n');
    expect(text).toMatch(/I\/Os per s {2}.{1,2}all 466/);
    expect(text).toMatch(/MB\/s {2}.{1,2}all - /);
    expect(text).toMatch(/in flight {2}.{1,2}all 3/);
    expect(text).not.toMatch(/reads|writes/);
  });

  it('the charts of several traces, of which one lacks operations, have its I/O as a third line', () => {
    const text = glyphRows(draw(createTrend({ undivided: series(() => 466) }), 120, 37)).join('\n');
    expect(text).toMatch(/reads .* writes .* unknown 466/);
  });

  it.each([
    ['disks', 'latency, queue + device'],
    ['volumes', 'total latency'],
    ['waits', 'total latency'],
  ] as const)('the chart of latencies in the layer %s has the title: %s', (layer, title) => {
    const text = glyphRows(draw(createTrend({ layer }), 120, 37)).join('\n');
    expect(text).toMatch(new RegExp(`^ *${title.replace('+', '\\+')} {2}`, 'm'));
  });

  it('the charts are empty where nothing could be read', () => {
    expect(viewOf().draw(createTrend(), CLOCK_BASE, 59, 40)).toBeUndefined();
    expect(viewOf().draw(createTrend(), CLOCK_BASE, 200, 12)).toBeUndefined();
  });

  it('the charts are drawn the same whatever was drawn before', () => {
    const view = viewOf();
    const sizes = [
      [200, 47],
      [80, 21],
      [120, 37],
    ] as const;
    const trends = [
      createTrend(),
      createTrend({ disks: [] }),
      createTrend({ reads: series(() => 0) }),
    ];
    for (const [width, height] of sizes)
      for (const trend of trends)
        expect(view.draw(trend, CLOCK_BASE, width, height)).toEqual(draw(trend, width, height));
  });

  it('a chart has gaps where nothing was observed, and shows a single value as a dot', () => {
    const nothing = createTrend().reads.fill(NaN);
    const lonely = nothing.slice().fill(500, 50, 51);
    const lonelyFirst = nothing.slice().fill(500, 0, 1);
    const dots = (reads: Float64Array, writes = nothing): number => {
      const trend = createTrend({ reads, writes, disks: [] });
      const left = glyphRows(draw(trend, 80, 21))
        .slice(1, 7)
        .map((row) => row.slice(7, 39));
      return left.join('').match(/[\u2801-\u28ff]/g)?.length ?? 0;
    };
    expect(dots(nothing)).toBe(0);
    expect(dots(lonely)).toBe(1);
    const line = nothing.slice().fill(200, 60);
    expect(dots(line, lonelyFirst) - dots(line)).toBe(1);
  });

  it('the charts can be drawn for a trace without I/O', () => {
    const none = createTrend().reads.fill(0);
    const unknown = none.slice().fill(NaN);
    const latencies = { p50Ns: unknown, p99Ns: unknown, maxNs: unknown };
    const rates = { reads: none, writes: none, readBytes: none, writtenBytes: none };
    const text = glyphRows(draw(createTrend({ ...rates, ...latencies, disks: [] }), 80, 21));
    expect(text[0]).toContain('reads 0');
    expect(text.join('')).toContain('p99 -');
  });

  it('a gauge is filled by how busy the disk is, and empty for a disk that hardly is', () => {
    const { bg, width } = draw(createTrend(), 80, 21);
    const filled = (row: number): number =>
      bg.subarray(row * width, (row + 1) * width).filter((color) => color !== -1).length;
    const [nvme, sda, sdb, dm] = [17, 18, 19, 20].map(filled);
    expect(nvme).toBeGreaterThan(2 * (sda ?? 0) - 1);
    expect(sda).toBeGreaterThan(3);
    expect([sdb, dm]).toEqual([0, 0]);
  });

  it('the charts show the busiest disks where not all fit, and say how many are not shown', () => {
    const disks = Array.from({ length: 9 }, (_, at) => ({
      ...createTrend().disks[0]!,
      dev: at,
      disk: `sd${'abcdefghi'.charAt(at)}`,
      utilization: at / 10,
    }));
    const text = glyphRows(draw(createTrend({ disks }), 80, 21)).join('\n');
    expect(text).toContain('busy, last 5s, 5 more');
    expect([...text.matchAll(/^sd\w/gm)].map(String)).toEqual(['sdf', 'sdg', 'sdh', 'sdi']);
  });

  it('the charts name a disk only in characters that the terminal can show', () => {
    const disks = [{ ...createTrend().disks[0]!, disk: 'sd\x1b[31m\u{1f4be}' }];
    const block = draw(createTrend({ disks }), 80, 21);
    expect(glyphRows(block).join('\n')).not.toContain('\x1b');
  });
});
