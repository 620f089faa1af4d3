import { describe, expect, it } from 'vitest';
import { figureStack } from '../../src/app/jobs/figure-stack.ts';
import { drawHtml } from '../../src/export/picture/html.ts';
import { drawSvg } from '../../src/export/picture/svg.ts';
import { drawText } from '../../src/export/picture/text-picture.ts';
import { axisTitle, titleOf } from '../../src/export/picture/figure-texts.ts';
import { NO_FILTER } from '../../src/filter/filter.ts';
import { compileInLayer } from '../../src/filter/match/match.ts';
import { createHistory } from '../../src/history/history.ts';
import { callFlags } from '../../src/model/call.ts';
import { UNKNOWN_DEVICE } from '../../src/model/device.ts';
import { DEFAULT_VIEW } from '../../src/view/state.ts';
import { columnsOf, createInfo, keyOf, SDA } from '../history/fixtures.ts';
import { figureOf, tracedPattern } from './figures.ts';

const traced = tracedPattern('layers', 60e9);
const view = { ...DEFAULT_VIEW, layout: 'layers', layer: 'waits' } as const;
const stack = figureStack(view, NO_FILTER, traced.info);
const window = { columns: 60, columnNs: 1e9, lastNs: 60e9 - 1, bins: 24, stack };
const figure = figureOf(traced, window, {}, 'layer=waits');

describe('an exported picture of layers', () => {
  it('an exported picture of layers has a heat map for each layer on one time axis, with its name and count', () => {
    const { svg, layouts } = drawSvg(figure);
    expect(layouts).toHaveLength(5);
    for (const title of ['calls', 'waits', 'volumes', 'queue', 'device'])
      expect(svg).toMatch(new RegExp(`>${title}, log: [\\d,]+ (I/Os|waits|calls)<`));
    expect(svg).toMatch(/>calls, log: [\d,]+ calls</);
    expect(svg).toMatch(/>waits, log: [\d,]+ waits</);
    expect(svg.match(/>completed at, /g)).toHaveLength(1);
    const bottoms = layouts.map(({ plot }) => plot.y + plot.height);
    for (const [i, { outlierRow }] of layouts.slice(1).entries())
      expect(outlierRow.y).toBeGreaterThan(bottoms[i]!);
    expect(new Set(layouts.map(({ plot }) => plot.x)).size).toBe(1);
  });

  it('an exported picture of layers has the axis named after what is on it', () => {
    const of = (metric: 'size' | 'total', layer: 'waits' | 'disks'): string => {
      const { info } = traced;
      const filter = compileInLayer(NO_FILTER, layer, info.identities, info);
      const stack = [{ title: '', metric, filter, isActive: true }];
      return axisTitle(figureOf(traced, { metric, stack }));
    };
    expect(of('size', 'waits')).toBe('bytes per wait, log');
    expect(of('size', 'disks')).toBe('bytes per I/O, log');
    expect(of('total', 'waits')).toBe('total latency (from sleep to running again), log');
    expect(of('total', 'disks')).toBe('total latency (queued to completion), log');
  });

  it('an exported picture of layers does not name the disk of calls that have none, as on NFS', () => {
    const keys = [SDA, UNKNOWN_DEVICE].map((dev) =>
      keyOf({ dev, layer: 'calls', cmdFlags: callFlags('read') }),
    );
    const info = { ...traced.info, ...createInfo(keys) };
    const history = createHistory({ info });
    const row = { completeNs: 5e9, deviceNs: 1000, queueNs: 0, sector: NaN, bytes: 4096 };
    history.append(columnsOf([0, 1].map((key) => ({ ...row, key }))));
    expect(titleOf(figureOf({ history, info }, {}, {}, 'layer=calls'))).toMatch(/ of sda on db1$/);
  });

  it('an exported picture of layers says which layer its figures are of', () => {
    expect(figure.live).toBe(figure.maps.find(({ title }) => title === 'waits')!.live);
    expect(drawSvg(figure).svg).toContain('calls, waits, volumes, queue, device');
  });

  it('an exported picture of layers has the same maps as text', async () => {
    const text = drawText(figure, true);
    await expect(text).toMatchFileSnapshot('../../snapshots/export/layers.txt');
    expect(text).toContain('▸waits');
    expect(text).toMatch(/^ p99 \d/m);
    expect(Math.max(...text.split('\n').map(({ length }) => length))).toBeLessThan(140);
  });

  it('an exported picture of layers is read with the pointer in a browser, each map by its name', () => {
    const json = /id="cells">(.*?)<\/script>/s.exec(drawHtml(figure))![1]!;
    const { maps } = JSON.parse(json) as { maps: { title: string; cells: unknown[] }[] };
    expect(maps.map(({ title }) => title)).toEqual([
      'calls',
      'waits',
      'volumes',
      'queue',
      'device',
    ]);
    expect(maps.every(({ cells }) => cells.length === 60)).toBe(true);
  });

  it('an exported picture of layers ranks by total latency where the filter lets in what has no device time', () => {
    const mixed = figureOf(
      traced,
      { ...window, metric: 'device' },
      {},
      'call=fsync or layer=disks',
    );
    expect(mixed.rankedBy).toBe('total');
    const [slowest] = mixed.contents.slowest;
    expect(slowest).toMatchObject({ call: 'fsync' });
  });

  it('an exported picture of layers has one map in every other layout', () => {
    expect(figureStack({ ...view, layout: 'stacked' }, NO_FILTER, traced.info)).toEqual([]);
    expect(figureOf(traced).maps).toHaveLength(1);
  });
});
