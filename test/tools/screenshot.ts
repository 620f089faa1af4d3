import { readFileSync, writeFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { Resvg } from '@resvg/resvg-js';
import type { CellBlock } from '../../src/base/cell-block.ts';
import { Emulator } from '../terminal/emulator.ts';
import { startPty } from '../e2e/pty.ts';
import { cellsToSvg } from './cells-to-svg.ts';
import { DARK, LIGHT } from './picture-colors.ts';

const USAGE = `Draws a terminal screen as a picture.

  screenshot [options] OUT.png|OUT.svg -- COMMAND [ARGUMENT...]   runs the command in a terminal
  tmux capture-pane -e -p | screenshot [options] OUT.png          draws what it reads

  --columns N, --rows N   size of the terminal (80, 24; of what is read: its own size)
  --wait TEXT             wait until the screen shows the text
  --keys KEYS             then type these; escapes as in JSON: "\\u001b[A" is the up arrow
  --seconds N             then wait so long (1)
  --light                 a terminal with a light background, which answers the question for it
  --zoom N                enlarge a PNG (1)
  --text                  print the screen as text, too
`;

const FONTS = resolve('node_modules/dejavu-fonts-ttf/ttf');

const { values, positionals } = parameters();

const ground = values.light ? LIGHT : DARK;
const [out, file, ...args] = positionals;
if (out === undefined) {
  process.stderr.write(USAGE);
  process.exitCode = 2;
} else {
  save(out, file === undefined ? await readScreen() : await runAndLook(file, args));
}

function parameters() {
  try {
    return parseArgs({
      allowPositionals: true,
      options: {
        columns: { type: 'string' },
        rows: { type: 'string' },
        wait: { type: 'string' },
        keys: { type: 'string' },
        seconds: { type: 'string', default: '1' },
        zoom: { type: 'string', default: '1' },
        light: { type: 'boolean', default: false },
        text: { type: 'boolean', default: false },
      },
    });
  } catch (error) {
    process.stderr.write(`${(error as Error).message}\n\n${USAGE}`);
    process.exit(2);
  }
}

async function runAndLook(command: string, parameters: readonly string[]): Promise<CellBlock> {
  const session = startPty(command, parameters, {
    columns: Number(values.columns ?? 80),
    rows: Number(values.rows ?? 24),
    background: ground.background,
  });
  try {
    if (values.wait !== undefined) await session.waitFor(values.wait);
    if (values.keys !== undefined) session.type(String(JSON.parse(`"${values.keys}"`)));
    await new Promise((resolve) => setTimeout(resolve, Number(values.seconds) * 1000));
    if (values.text) process.stdout.write(`${session.screen().join('\n')}\n`);
    return session.cells();
  } finally {
    await session.dispose();
  }
}

async function readScreen(): Promise<CellBlock> {
  const dump = readFileSync(0, 'utf8').replace(/\n$/, '');
  const lines = dump.split('\n');
  const widths = lines.map((line) => line.replace(/\x1b\[[0-9;:?]*[A-Za-z]/g, '').length);
  const columns = Number(values.columns ?? Math.max(...widths));
  const emulator = new Emulator(columns, Number(values.rows ?? lines.length));
  // A line that fills the row must not push the rest down.
  await emulator.write(`\x1b[?7l${lines.join('\r\n')}`);
  if (values.text) process.stdout.write(`${emulator.screen().join('\n')}\n`);
  return emulator.cells();
}

function save(path: string, cells: CellBlock): void {
  const svg = cellsToSvg(cells, ground);
  writeFileSync(path, path.endsWith('.svg') ? svg : toPng(svg));
}

function toPng(svg: string): Buffer {
  const picture = new Resvg(svg, {
    fitTo: { mode: 'zoom', value: Number(values.zoom) },
    font: {
      loadSystemFonts: false,
      fontFiles: ['', '-Bold'].map((style) => `${FONTS}/DejaVuSansMono${style}.ttf`),
      monospaceFamily: 'DejaVu Sans Mono',
      defaultFontFamily: 'DejaVu Sans Mono',
    },
  });
  return picture.render().asPng();
}
