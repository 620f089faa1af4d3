import { describe, expect, it } from 'vitest';
import { linesOf } from '../../src/export/picture/figure-texts.ts';
import { drawHtml } from '../../src/export/picture/html.ts';
import type { HoverData } from '../../src/export/picture/html.ts';
import { pictureWindow } from '../../src/export/picture/picture-window.ts';
import { renderPng } from '../../src/export/picture/png.ts';
import { drawSvg } from '../../src/export/picture/svg.ts';
import { drawText } from '../../src/export/picture/text-picture.ts';
import { shorten, textWidth, wrapText } from '../../src/export/picture/text-width.ts';
import { withShares } from '../../src/heatmap/time/heatmap-spec.ts';
import { LiveHeatmap } from '../../src/heatmap/time/live-heatmap.ts';
import { compileFilter } from '../../src/filter/match/match.ts';
import { NO_FILTER } from '../../src/filter/filter.ts';
import { METRICS, PALETTES, WEIGHTS } from '../../src/model/metric.ts';
import { createHistory } from '../../src/history/history.ts';
import { DEFAULT_VIEW } from '../../src/view/state.ts';
import { columnsOf, createInfo, keyOf, LOOP, SDA, summaryOf } from '../history/fixtures.ts';
import { figureOf, FACTS, SPEC, tracedPattern } from './figures.ts';
import type { Traced } from './figures.ts';

const FONTS = ['DejaVuSans', 'DejaVuSans-Bold'].map(
  (name) => `node_modules/dejavu-fonts-ttf/ttf/${name}.ttf`,
);
const mixed = tracedPattern('mixed', 60e9, 500);
const SMALL = { columns: 60, bins: 24, lastNs: 60e9 - 1 };

/** Every text of an SVG with its place and the room it takes. */
function textsOf(svg: string): { text: string; left: number; right: number; y: number }[] {
  const upright = svg.replace(/<g transform[^>]*>.*?<\/g>/g, '').replace(/<g stroke.*?<\/g>/g, '');
  return [...upright.matchAll(/<text ([^>]*)>([^<]*)<\/text>/g)].map(([, attributes, text]) => {
    const value = (name: string): string =>
      new RegExp(`${name}="([^"]*)"`).exec(attributes ?? '')?.[1] ?? '';
    const [x, y, size] = ['x', 'y', 'font-size'].map((name) => Number(value(name))) as [
      number,
      number,
      number,
    ];
    const width = textWidth(text ?? '', size, value('font-weight') === 'bold');
    const shift = { middle: width / 2, end: width }[value('text-anchor')] ?? 0;
    return { text: text ?? '', left: x - shift, right: x - shift + width, y };
  });
}

function sizeOf(svg: string): [width: number, height: number] {
  const [, width, height] = /viewBox="0 0 (\d+) (\d+)"/.exec(svg) ?? [];
  return [Number(width), Number(height)];
}

/** Cells as the SVG paints them: how many square pixels of each colour. */
function areaOf(svg: string): number {
  const shapes = [...svg.matchAll(/M-?\d+ -?\d+h(\d+)v(\d+)h-\d+z/g)];
  return shapes.reduce((sum, [, width, height]) => sum + Number(width) * Number(height), 0);
}

describe('an exported picture', () => {
  it('rates of a picture do not count the part of the last column that is still to come', () => {
    const { contents } = figureOf(mixed, { ...SMALL, columns: 1, columnNs: 600e9 });
    expect(contents.countPerSecond).toBeCloseTo(contents.count / 60, 6);
  });

  it('a picture as text with a single column has a whole axis', () => {
    const text = drawText(figureOf(mixed, { ...SMALL, columns: 1, columnNs: 60e9 }), true);
    expect(text).toMatch(/\n {2}10ms┤[░▒▓█]\n/);
  });

  it('an exported picture has the notes of its time, with their texts where they do not overlap', () => {
    const notes = [
      { atNs: 5e9, text: 'deploy <4.2>' },
      { atNs: 6e9, text: 'cache is cold' },
      { atNs: 59e9, text: 'load test ends' },
      { atNs: 61e9, text: 'after the picture' },
    ];
    const figure = figureOf(mixed, SMALL, { notes });
    const { svg } = drawSvg(figure);
    const places = textsOf(svg).filter(({ text }) => /deploy|cache|load test|after/.test(text));
    expect(places.map(({ text }) => text)).toEqual([
      'deploy &lt;4.2&gt;',
      'cache is cold',
      'load test ends',
    ]);
    expect(svg.match(/stroke-dasharray/g)).toHaveLength(3);
    expect(places[1]!.y).toBeLessThan(places[0]!.y);
    const { plot, outlierRow } = drawSvg(figure).layouts[0]!;
    for (const { left, right, y } of places) {
      expect(y).toBeLessThan(outlierRow.y);
      expect(left).toBeGreaterThan(plot.x);
      expect(right).toBeLessThanOrEqual(plot.x + plot.width);
    }
    expect(drawHtml(figure)).toContain('cache is cold');
    const text = drawText(figure, true);
    expect(text).toMatch(/Notes\n\d\d:\d\d:25 deploy <4.2>\n\d\d:\d\d:26 cache is cold\n/);
    expect(text).toContain('◆');
    expect(text).not.toContain('after the picture');
  });

  it('an exported picture has the heat map of the screen: the same cells, axis, colours and outliers', () => {
    for (const metric of METRICS) {
      for (const weight of WEIGHTS) {
        const figure = figureOf(mixed, { ...SMALL, metric, weight });
        const filter = compileFilter(NO_FILTER, mixed.info.identities, mixed.info);
        const disks = figure.disks.map((name) =>
          mixed.info.devices().find((d) => d.name === name)!,
        );
        const asked = { ...SPEC, ...SMALL, metric, weight, filter, disks };
        const spec = withShares(asked, mixed.info.identities);
        const screen = new LiveHeatmap(mixed.history, spec);
        screen.update(SMALL.lastNs);
        expect(figure.live.map.scale.domain).toEqual(screen.map.scale.domain);
        expect(figure.live.colorRange).toEqual(screen.colorRange);
        expect(figure.live.map.counts).toEqual(screen.map.counts);
        expect(figure.live.map.weights).toEqual(screen.map.weights);
      }
    }
  });

  it('an exported picture can be asked for with a whole view, whose highlight is not drawn', () => {
    const view = { ...DEFAULT_VIEW, ...SPEC, ...SMALL };
    expect(drawSvg(figureOf(mixed, view)).svg).toBe(drawSvg(figureOf(mixed, SMALL)).svg);
  });

  it('an exported picture paints every cell that has I/O, each once, and no other', () => {
    const figure = figureOf(mixed, SMALL);
    const { map } = figure.live;
    const { svg, layouts } = drawSvg(figure);
    const layout = layouts[0]!;
    let painted = 0;
    for (let column = 0; column < map.columns; column++) {
      const share = (at: number): number => Math.round((at * layout.plot.width) / map.columns);
      const width = share(column + 1) - share(column);
      for (let bin = 0; bin < map.bins; bin++) {
        const height =
          Math.round(((bin + 1) * layout.plot.height) / map.bins) -
          Math.round((bin * layout.plot.height) / map.bins);
        if (map.count(column, bin) > 0) painted += width * height;
      }
      if (map.aboveCount(column) > 0) painted += width * layout.outlierRow.height;
    }
    expect(areaOf(svg)).toBe(painted);
  });

  it('an exported picture is labelled: disk, host, time with date and zone, unit, slowest I/O', () => {
    const { svg } = drawSvg(figureOf(mixed, SMALL, { warnings: ['Lost: 12 I/Os'] }, 'disk=sdb'));
    const all = textsOf(svg)
      .map(({ text }) => text)
      .join('\n');
    expect(all).toContain('Device latency of sdb on db1');
    expect(all).toMatch(/Tue 2023-11-14, 22:13:20 to 22:14:20 \(UTC.*\), 1min; a column is 1s/);
    expect(all).toMatch(/Filter: disk=sdb: [\d,]+ I\/Os/);
    expect(all).toContain('Lost: 12 I/Os');
    expect(all).toMatch(/\d+ms\n/);
    expect(all).toMatch(/p99 \d/);
    expect(all).toContain('Slowest by device time');
    expect(svg).toContain('device latency (issue to completion), log');
  });

  const cases: [string, () => ReturnType<typeof figureOf>][] = [
    ['a busy server', () => figureOf(mixed, SMALL)],
    ['one column', () => figureOf(mixed, { ...SMALL, columns: 1, columnNs: 60e9 })],
    ['nothing at all', () => figureOf(mixed, SMALL, {}, 'comm=nobody')],
    ['no history', () => figureOf(emptyTrace(), SMALL)],
    [
      'long names',
      () =>
        figureOf(
          longNames(),
          { ...SMALL, columns: 3, scale: 'linear' },
          { host: 'h'.repeat(200), warnings: ['w '.repeat(150)], recordedOnly: 'disk=x' },
        ),
    ],
    ['a log without a calendar', () => figureOf(mixed, SMALL, { hasWallClock: false, host: '' })],
    ...METRICS.map((metric): [string, () => ReturnType<typeof figureOf>] => [
      metric,
      () => figureOf(mixed, { ...SMALL, metric, weight: 'time', scale: 'linear' }),
    ]),
  ];

  it.each(cases)(
    'the texts of an exported picture fit in it and do not overlap: %s',
    (_name, create) => {
      const { svg } = drawSvg(create());
      const [width, height] = sizeOf(svg);
      const texts = textsOf(svg);
      expect(texts.length).toBeGreaterThan(5);
      for (const { text, left, right, y } of texts) {
        expect(left, text).toBeGreaterThanOrEqual(0);
        expect(right, text).toBeLessThanOrEqual(width);
        expect(y, text).toBeLessThanOrEqual(height);
      }
      for (const [i, a] of texts.entries()) {
        for (const b of texts.slice(i + 1)) {
          const isApart = Math.abs(a.y - b.y) > 8 || a.right <= b.left || b.right <= a.left;
          expect(isApart, `"${a.text}" and "${b.text}"`).toBe(true);
        }
      }
    },
  );

  it.each([
    [1250e6, 48, '1min; a column is 1.25s'],
    [15.25e9, 5, '1min 16.25s; a column is 15.25s'],
    [100e6, 60, '6s; a column is 100ms'],
    [1500e3, 3, '4.5ms; a column is 1.5ms'],
    [90e9, 60, '1h 30min; a column is 1min 30s'],
  ])('a picture with columns of %d ns states their width exactly', (columnNs, columns, text) => {
    const lastNs = columns * columnNs - 1;
    const [when] = linesOf(figureOf(emptyTrace(), { ...SMALL, columnNs, columns, lastNs }));
    expect(when).toContain(`, ${text}`);
  });

  it('failed I/Os of an aggregate that only partly lies in a picture are a whole number', () => {
    const info = createInfo();
    const history = createHistory({ info });
    for (const errors of [8, 1]) {
      history.appendAggregate(
        summaryOf({ startNs: 59.2e9, endNs: 61.2e9, count: 20, bytes: 20 * 4096, errors }),
      );
      const lines = linesOf(figureOf({ history, info: { ...mixed.info, ...info } }, SMALL));
      expect(lines.join()).toMatch(/ [1-9]\d? I\/Os .*, [1-9] failed/);
    }
  });

  it('on an axis of disks of different size, the slowest I/Os are marked at their share of the disk', () => {
    const sizes = new Map([
      [SDA, 1 << 30],
      [LOOP, 1 << 20],
    ]);
    const shares = [0.75, 0.25];
    const keys = [SDA, LOOP].map((dev) => keyOf({ dev }));
    const device = (dev: number) => ({ dev, name: `disk${dev}`, sizeBytes: sizes.get(dev)! });
    const info = { ...mixed.info, ...createInfo(keys), device };
    const history = createHistory({ info });
    const rows = keys.map(({ dev }, key) => ({
      ...{ completeNs: 10e9 * (key + 1), key, deviceNs: 1e6 / (key + 1) },
      sector: (shares[key]! * sizes.get(dev)!) / 512,
    }));
    history.append(columnsOf(rows));
    const figure = figureOf({ history, info }, { ...SMALL, metric: 'offset', scale: 'linear' });
    const { svg, layouts } = drawSvg(figure);
    const rings = [...svg.matchAll(/<circle cx="[^"]*" cy="([^"]*)"[^>]*b00020/g)];
    const { y, height } = layouts[0]!.plot;
    const places = rings.map(([, cy]) => Math.round(100 * (1 - (Number(cy) - y) / height)));
    expect(places).toEqual([75, 25]);
    expect(svg).toContain('offset in % of each disk');
    expect(svg).not.toContain('Off the axis');
  });

  it('the SVG of a seeded pattern does not change', async () => {
    const traced = tracedPattern('two-bands', 20e9, 50);
    const spec = { columns: 20, bins: 20, lastNs: 20e9 - 1 };
    const figure = figureOf(traced, spec);
    await expect(drawSvg(figure).svg).toMatchFileSnapshot('../../snapshots/export/two-bands.svg');
    await expect(drawText(figure, true)).toMatchFileSnapshot(
      '../../snapshots/export/two-bands.txt',
    );
    const ascii = drawText(figure, false);
    expect(ascii).toMatch(/^[\n -~]*$/);
  });

  it('an exported PNG has twice the size of the picture, in every palette', async () => {
    for (const palette of PALETTES) {
      const { svg, width } = drawSvg(figureOf(mixed, { ...SMALL, columns: 10, palette }));
      const png = Buffer.from(await renderPng(svg, FONTS));
      expect(png.subarray(1, 4).toString()).toBe('PNG');
      expect(png.readUInt32BE(16)).toBe(width * 2);
    }
  });
});

describe('the HTML picture', () => {
  const figure = figureOf(hostileTrace(), { columns: 4, bins: 8, lastNs: 4e9 - 1 });
  const html = drawHtml(figure);

  it('an exported HTML page loads nothing: no address, no other file, and a policy that forbids it', () => {
    expect(html).not.toMatch(/https?:|\bsrc=|\bhref=|url\(|@import|fetch\(|XMLHttpRequest/i);
    expect(html).toContain("default-src 'none'");
  });

  it('an exported HTML page lists every cell in figures', () => {
    const json = /<script type="application\/json" id="cells">(.*?)<\/script>/s.exec(html)?.[1];
    const data = JSON.parse(json ?? '') as HoverData;
    const [shown] = data.maps;
    const { map } = figure.live;
    expect(data.times).toHaveLength(map.columns);
    expect(shown?.values).toHaveLength(map.bins + 1);
    for (let column = 0; column < map.columns; column++)
      for (let bin = 0; bin <= map.bins; bin++) {
        const count = bin < map.bins ? map.count(column, bin) : map.aboveCount(column);
        const cell = shown!.cells[column]!.find(([at]) => at === bin);
        expect(cell?.[1] ?? 0).toBe(count);
      }
    expect(data.times[0]).toMatch(/^Tue 2023-11-14 \d\d:\d\d:20 to \d\d:\d\d:21$/);
  });

  it('an exported HTML page treats names from outside as text, never as markup', () => {
    expect(html).not.toContain('<script>alert');
    expect(html).toContain('&lt;script&gt;alert');
  });
});

describe('the window of a picture', () => {
  it('the window of an exported picture has whole columns around the time asked for, as fine as fits', () => {
    expect(pictureWindow({ fromNs: 0, toNs: 60e9, columns: 240 })).toEqual({
      columnNs: 500e6,
      columns: 120,
      lastNs: 60e9 - 1,
    });
    expect(pictureWindow({ fromNs: 1.5e9, toNs: 3.5e9, columns: 3, columnNs: 1e9 })).toEqual({
      columnNs: 1e9,
      columns: 3,
      lastNs: 3.5e9 - 1,
    });
  });

  it('the window of an exported picture is never empty, and can be a year long', () => {
    expect(pictureWindow({ fromNs: 5, toNs: 5, columns: 10 }).columns).toBe(1);
    const year = pictureWindow({ fromNs: 0, toNs: 365 * 86_400e9, columns: 1 });
    expect(year.columns).toBe(1);
    expect(year.columnNs).toBeGreaterThanOrEqual(365 * 86_400e9);
  });
});

describe('lines of text', () => {
  it('wrapped text breaks at spaces, and inside a word that is longer than a line', () => {
    const lines = wrapText(`one two ${'x'.repeat(100)} three`, 12, 200);
    for (const line of lines) expect(textWidth(line, 12)).toBeLessThanOrEqual(200);
    expect(lines.join('').replaceAll(' ', '')).toBe(`onetwo${'x'.repeat(100)}three`);
  });

  it('text limited to one line ends with an ellipsis where it was cut', () => {
    const text = shorten('y'.repeat(100), 12, 100);
    expect(text.endsWith('…')).toBe(true);
    expect(textWidth(text, 12)).toBeLessThanOrEqual(100);
  });
});

function emptyTrace(): Traced {
  const { info } = tracedPattern('mixed', 0, 500);
  return { info, history: createHistory({ info }) };
}

/** What a process can call itself, and a disk be called, at the worst. */
function hostileTrace(): Traced {
  return named('<script>alert(1)</script>"&', 'sda');
}

function longNames(): Traced {
  return named('W'.repeat(64), 'W'.repeat(128));
}

function named(comm: string, disk: string): Traced {
  const facts = createInfo([keyOf({ comm })]);
  const devices = [{ dev: SDA, name: disk, sizeBytes: 2 ** 30 }];
  const device = (dev: number) => devices.find((one) => one.dev === dev);
  const { clockBase } = FACTS;
  const info = { kind: 'import', host: '', title: '', clockBase, ...facts } as const;
  const history = createHistory({ info: { ...info, device } });
  const rows = Array.from({ length: 400 }, (_, i) => ({ completeNs: i * 1e7, deviceNs: 1000 * i }));
  history.append(columnsOf(rows));
  return { history, info: { ...info, device, devices: () => devices } };
}
