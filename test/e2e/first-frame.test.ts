import { describe, expect, test } from 'vitest';
import { Attribute, DEFAULT_COLOR } from '../../src/base/cell-block.ts';
import { PrivateMode } from '../terminal/emulator.ts';
import { isWhole } from './support/screens.ts';
import { useSessions } from './support/sessions.ts';

const { ioheat } = useSessions();

test('the first frame shows source, metric, figures, picture, tables and what was lost', async () => {
  const session = ioheat(['demo'], { columns: 120, rows: 40 });
  await session.waitUntil(() => isWhole(session), 'waiting for the first frame');
  const screen = session.screen();
  expect(screen[0]).toMatch(
    /^ ioheat {2}demo {3}TOTAL LATENCY .*log {2}by count {2}500ms\/column .* DEMO {2}\d\d:\d\d:\d\d$/,
  );
  expect(screen[1]).toMatch(
    /\S R\/s .*\S W\/s .*MB\/s +total p50 .* p99 .* = queue .* \+ device .* max .* last /,
  );
  const text = screen.join('\n');
  expect(text).toMatch(/ 100µs┤.*[▀▄█]{20}/);
  expect(text).toMatch(/\d\d:\d\d:\d\d┘.*now$/m);
  expect(text).toMatch(/I\/Os per pixel/);
  expect(text).toMatch(/PID COMM +DISK .*▾WAIT% *│ *DISK .*▾%UTIL/);
  // Who waits most depends on the second at which it comes.
  expect(text).toMatch(/ \d+ (mysqld|kworker\S*) +nvme0n1 /);
  expect(screen.at(-1)).toMatch(/\?: help .* in picture 100% {2}in detail 100% {2}lost 0$/);
});

test.each([
  ['with the mouse', [], true],
  ['without it, if asked to', ['--no-mouse'], false],
])(
  'the demo takes the alternate screen without cursor and autowrap, %s',
  async (_how, args, mouse) => {
    const session = ioheat(['demo', ...args]);
    await session.waitUntil(() => isWhole(session), 'waiting for the first frame');
    const { alternateScreen, cursorVisible, autowrap, mouseMotion, mouseSgr } = PrivateMode;
    const modes = [alternateScreen, cursorVisible, autowrap, mouseMotion, mouseSgr];
    expect(modes.map((mode) => session.emulator.isModeSet(mode))).toEqual([
      true,
      false,
      false,
      mouse,
      mouse,
    ]);
  },
);

test.each(['icy-lake', 'pterodactyl', 'shouting'])('demo draws the pattern %s', async (pattern) => {
  const session = ioheat(['demo', pattern]);
  await session.waitUntil(() => isWhole(session), 'waiting for the first frame');
  expect(session.shows('no I/O')).toBe(false);
  // A long past is counted in turns.
  await session.waitFor(/[▀▄█]{8}/);
});

test('the first frame shows what the options ask for', async () => {
  const options = ['--metric', 'size', '--interval', '5s', '--scale', 'linear', '--op', 'read'];
  const session = ioheat(['demo', ...options], { columns: 120 });
  await session.waitUntil(() => isWhole(session), 'waiting for the first frame');
  expect(session.screen()[0]).toMatch(/SIZE .*linear {2}by count {2}5s\/column/);
  expect(session.screen().at(-1)).toContain('filter: op=read');
});

describe('a terminal that shows less', () => {
  test('with LANG=C only ASCII is written', async () => {
    const session = ioheat(['demo'], { env: { LANG: 'C' } });
    await session.waitUntil(() => isWhole(session), 'waiting for the first frame');
    session.type('?');
    await session.waitFor('HELP');
    expect(session.output).toMatch(/^[\x07-\x7e]+$/);
  });

  test('with NO_COLOR glyphs and attributes show everything', async () => {
    const session = ioheat(['demo'], { env: { NO_COLOR: '1' } });
    await session.waitUntil(() => isWhole(session), 'waiting for the first frame');
    const { fg, bg, attr } = session.cells();
    expect(new Set([...fg, ...bg])).toEqual(new Set([DEFAULT_COLOR]));
    expect([...attr].some((bits) => (bits & Attribute.inverse) !== 0)).toBe(true);
    expect(session.screen().join('\n')).toMatch(/[░▒▓█]{4}/);
  });

  test('with TERM=vt100 there are no colours', async () => {
    const session = ioheat(['demo'], { term: 'vt100' });
    await session.waitUntil(() => isWhole(session), 'waiting for the first frame');
    const { fg, bg } = session.cells();
    expect(new Set([...fg, ...bg])).toEqual(new Set([DEFAULT_COLOR]));
  });

  test('with TERM=linux there are sixteen colours', async () => {
    const session = ioheat(['demo'], { term: 'linux' });
    await session.waitUntil(() => isWhole(session), 'waiting for the first frame');
    const { fg, bg } = session.cells();
    expect(Math.max(...fg, ...bg)).toBeLessThan(16);
    expect(new Set(fg).size).toBeGreaterThan(4);
  });

  test('with TERM=linux there are full blocks, because its fonts lack half-blocks and backgrounds are never bright', async () => {
    const session = ioheat(['demo'], { term: 'linux' });
    await session.waitUntil(() => isWhole(session), 'waiting for the first frame');
    expect(session.screen().join('\n')).toMatch(/█{10}/);
    expect(session.screen().join('\n')).not.toMatch(/[▀▄▓]/);
    expect(Math.max(...session.cells().bg)).toBeLessThan(8);
  });
});
