import { expect, test } from 'vitest';
import { Emulator } from '../terminal/emulator.ts';
import { blockParts } from './block-shapes.ts';
import { cellsToSvg } from './cells-to-svg.ts';

async function draw(text: string): Promise<string> {
  const emulator = new Emulator(10, 2);
  await emulator.write(text);
  return cellsToSvg(emulator.cells());
}

test('words stand at their own column and row', async () => {
  const svg = await draw('ab  cd\r\n e');
  expect(svg).toMatch(/<text x="0" y="12.5"[^>]*>ab</);
  expect(svg).toMatch(/<text x="32" y="12.5"[^>]*>cd</);
  expect(svg).toMatch(/<text x="8" y="28.5"[^>]*>e</);
});

test('characters that mean something in XML are escaped', async () => {
  expect(await draw('a<&>')).toContain('>a&#60;&#38;&#62;<');
});

test('neighbouring blocks of one colour are one rectangle, and no text', async () => {
  const svg = await draw('\x1b[38;2;1;2;3m▀▀▀');
  expect(svg).toContain('<path fill="#010203" d="M0 0h24v8h-24z"/>');
  expect(svg).not.toContain('<text');
});

test('a half block has its foreground above its background', async () => {
  const svg = await draw('\x1b[38;5;196;48;5;21m▀');
  const below = svg.indexOf('<path fill="#0000ff" d="M0 0h8v16h-8z"/>');
  const above = svg.indexOf('<path fill="#ff0000" d="M0 0h8v8h-8z"/>');
  expect(below).toBeGreaterThan(0);
  expect(above).toBeGreaterThan(below);
});

test('inverse text swaps its colours', async () => {
  const svg = await draw('\x1b[7;38;2;1;2;3;48;2;4;5;6mx');
  expect(svg).toContain('<path fill="#010203" d="M0 0h8v16h-8z"/>');
  expect(svg).toMatch(/fill="#040506"[^>]*>x</);
});

test('upper and lower eighths of a cell fill it together', () => {
  expect(blockParts(0x2580)).toEqual([[0, 0, 8, 4]]);
  expect(blockParts(0x2584)).toEqual([[0, 4, 8, 4]]);
  expect(blockParts(0x2588)).toEqual([[0, 0, 8, 8]]);
  expect(blockParts(0x2597)).toEqual([[4, 4, 4, 4]]);
  expect(blockParts(0x41)).toBeUndefined();
});
