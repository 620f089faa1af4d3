import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import type { HoverData } from '../../src/export/picture/html.ts';
import { ensureBuilt, IOHEAT } from '../e2e/build.ts';
import { needs } from '../needs.ts';
import { Browser } from './browser.ts';
import { readPng } from './read-png.ts';

const CHROMIUM = 'chromium';
/** A folder for pictures of what the browser showed, to look at; none where it is not named. */
const PICTURES = process.env['BROWSER_PICTURES'];

/** What a reader of Chrome gets with "Auto Dark Mode". */
const FORCED_DARK = ['--enable-features=WebContentsForceDark', '--force-dark-mode'];

let folder: string;
let data: HoverData;
let browser: Browser | undefined;

beforeAll(() => {
  ensureBuilt();
  folder = mkdtempSync(join(tmpdir(), 'ioheat-html-'));
  if (PICTURES !== undefined) mkdirSync(PICTURES, { recursive: true });
  const ioheat = (...args: string[]): Buffer =>
    execFileSync(IOHEAT, args, { cwd: folder, stdio: ['ignore', 'pipe', 'ignore'] });
  ioheat('record', 'io.ioheat', '--source', 'demo', '--duration', '10s');
  ioheat('export', 'io.ioheat', '--output', 'io.html', '--outliers', '1');
  ioheat('export', 'io.ioheat', '--output', 'io.png', '--outliers', '1');
  ioheat('export', 'io.ioheat', '--output', 'io.csv');
  const html = readFileSync(join(folder, 'io.html'), 'utf8');
  data = JSON.parse(/id="cells">(.*?)<\/script>/s.exec(html)![1]!) as HoverData;
});

afterEach(async () => {
  await browser?.close();
  browser = undefined;
});

afterAll(() => {
  rmSync(folder, { recursive: true });
});

function keep(name: string, png: Buffer): void {
  if (PICTURES !== undefined) writeFileSync(join(PICTURES, `${name}.png`), png);
}

async function opened(scheme: 'light' | 'dark', flags: readonly string[] = []): Promise<Browser> {
  browser = new Browser(CHROMIUM, flags);
  await browser.open(pathToFileURL(join(folder, 'io.html')).href, scheme);
  return browser;
}

/** Where the picture starts in the window, in pixels. */
async function corner(page: Browser): Promise<{ left: number; top: number }> {
  const rect = `(() => { const { left, top } = document.querySelector('svg').getBoundingClientRect(); return { left, top }; })()`;
  return (await page.evaluate(rect)) as { left: number; top: number };
}

interface Cell {
  readonly column: number;
  readonly bin: number;
  readonly count: number;
  /** In pixels of the picture. */
  readonly x: number;
  readonly y: number;
}

function cells(): Cell[] {
  const [map] = data.maps;
  return map!.cells.flatMap((column, index) =>
    column.map(([bin, count]) => {
      const x = (data.x[index]! + data.x[index + 1]!) / 2;
      const row = map!.outlierRow;
      const y =
        bin === map!.y.length - 1
          ? row!.y + row!.height / 2
          : (map!.y[bin]! + map!.y[bin + 1]!) / 2;
      return { column: index, bin, count, x, y };
    }),
  );
}

/** Every so many-th, so that a check takes seconds. */
function sample(all: readonly Cell[], size: number): Cell[] {
  const step = Math.max(1, Math.floor(all.length / size));
  return all.filter((_, index) => index % step === 0);
}

describe('the HTML picture in a browser', needs({ program: CHROMIUM }), () => {
  test('cells of the HTML picture have the colours of the PNG, which another renderer draws', async () => {
    const page = await opened('light');
    const shot = await page.screenshot();
    keep('light', shot);
    const [drawn, png] = [readPng(shot), readPng(readFileSync(join(folder, 'io.png')))];
    const { left, top } = await corner(page);
    const tried = sample(cells(), 2000);
    expect(tried.length).toBeGreaterThan(500);
    const different = tried.filter(({ x, y }) => {
      const here = drawn.at(Math.floor(left + x), Math.floor(top + y));
      return here !== png.at(Math.floor(2 * x), Math.floor(2 * y));
    });
    expect(different).toEqual([]);
    expect(
      new Set(tried.map(({ x, y }) => drawn.at(Math.floor(left + x), Math.floor(top + y)))).size,
    ).toBeGreaterThan(5);
  });

  test('the HTML picture shows time, values and I/Os of the cell under the pointer', async () => {
    const page = await opened('light');
    const { left, top } = await corner(page);
    for (const { column, bin, count, x, y } of sample(cells(), 100)) {
      await page.point(left + x, top + y);
      const shown = await page.evaluate(
        `getComputedStyle(document.getElementById('hover')).display + '\\n' + document.getElementById('hover').textContent`,
      );
      const unit = data.maps[0]!.units[count === 1 ? 0 : 1];
      expect(shown).toBe(
        `block\n${data.times[column]}\n${data.maps[0]!.values[bin]}\n${count} ${unit}`,
      );
    }
    keep('pointer', await page.screenshot());
    await page.point(left + 2, top + 2);
    expect(await page.evaluate(`getComputedStyle(document.getElementById('hover')).display`)).toBe(
      'none',
    );
  });

  test('cells of the HTML picture add up to the I/Os with a known latency', () => {
    const rows = readFileSync(join(folder, 'io.csv'), 'utf8').trimEnd().split('\n').slice(1);
    const at = 12;
    const timed = rows.filter((row) => row.split(',')[at] !== '').length;
    expect(cells().reduce((sum, { count }) => sum + count, 0)).toBe(timed);
  });

  test('the HTML picture loads nothing from the network, and its scripts cannot', async () => {
    let hits = 0;
    const server = createServer((_, response) => {
      hits++;
      response.end();
    }).listen(0, '127.0.0.1');
    await once(server, 'listening');
    const { port } = server.address() as AddressInfo;
    const page = await opened('light');
    const url = `http://127.0.0.1:${port}/`;
    const tried = await page.evaluate(`(async () => {
      new Image().src = '${url}';
      const frame = document.body.appendChild(document.createElement('iframe'));
      frame.src = '${url}';
      return fetch('${url}').then(() => 'fetched', () => 'refused');
    })()`);
    expect(tried).toBe('refused');
    expect(page.requests.filter((one) => one.startsWith('file:'))).toHaveLength(1);
    server.close();
    expect(hits).toBe(0);
  });

  test.each([
    ['dark', []],
    ['forced-dark', FORCED_DARK],
  ] as const)(
    'the HTML picture keeps its colours, which are for paper, in a browser set to %s',
    async (name, flags) => {
      const light = await (await opened('light')).screenshot();
      await browser?.close();
      const page = await opened('dark', flags);
      const dark = await page.screenshot();
      keep(name, dark);
      expect(dark.equals(light)).toBe(true);
    },
  );
});
