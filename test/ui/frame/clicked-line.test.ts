import { afterEach, beforeEach, expect, test } from 'vitest';
import { layoutScreen } from '../../../src/ui/layout-screen.ts';
import { HeadlessSession, mouseBytes } from '../fixtures/headless-session.ts';

const WIDTH = 80;
const HEIGHT = 18;
const { pane, tables } = layoutScreen(WIDTH, HEIGHT);

let session: HeadlessSession;
beforeEach(() => {
  session = new HeadlessSession(3, WIDTH, HEIGHT);
  session.wait(20e9);
});
afterEach(() => {
  session.dispose();
});

function click(y: number): void {
  session.type(mouseBytes(0, 20, y));
}

function lineAt(y: number): string {
  return session.lines()[y]!.replace('▸', ' ');
}

/** The entry of a line, without its mark. */
function entryAt(y: number): string {
  return lineAt(y).slice(7, 60);
}

test('a clicked row of a table stays in its line, where a second click filters by it', () => {
  const y = tables.y + 3;
  const row = lineAt(y);
  const pid = /\d+/.exec(row)![0];
  click(y);
  expect(lineAt(y)).toBe(row);
  click(y);
  expect(session.lines().join('\n')).toContain(`pid=${pid}`);
});

test('keys go on from a clicked row of a table, and the table scrolls under it', () => {
  const y = tables.y + 3;
  click(y);
  const { place } = session.view.processRow!;
  session.type('j');
  expect(session.view.processRow!.place).toBe(place + 1);
  expect(session.lines()[y]).toMatch(/^[▸!]/);
});

test('a clicked entry of the list of processes stays in its line, where a second click applies it', () => {
  session.type('p');
  const y = pane.y + pane.height - 2;
  const entry = lineAt(y);
  const pid = /\d+/.exec(entry)![0];
  click(y);
  expect(lineAt(y)).toBe(entry);
  click(y);
  expect(session.lines().join('\n')).toContain(`pid=${pid}`);
});

test('a clicked entry of the list of actions stays in its line', () => {
  session.type(':');
  const y = pane.y + pane.height - 2;
  const entry = lineAt(y);
  click(y);
  expect(lineAt(y)).toBe(entry);
});

test('a clicked column stays in its line, where a second click switches it back', () => {
  session.type('C');
  const { processColumns } = session.view;
  const y = pane.y + pane.height - 3;
  const entry = entryAt(y);
  click(y);
  expect(session.view.processColumns).not.toEqual(processColumns);
  expect(entryAt(y)).toBe(entry);
  click(y);
  expect(session.view.processColumns).toEqual(processColumns);
});
