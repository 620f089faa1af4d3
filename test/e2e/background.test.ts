import { describe, expect, test } from 'vitest';
import { paletteOf } from '../../src/raster/palette.ts';
import { PALETTE_256 } from '../../src/ui/text/theme.ts';
import type { PtySession } from './pty.ts';
import { isWhole } from './support/screens.ts';
import { REST } from './support/rest.ts';
import { useSessions } from './support/sessions.ts';

const { ioheat, bash } = useSessions();

const QUESTION = '\x1b]11;?\x07';
const WHITE = 0xffffff;
const BLACK = 0x000000;

type Shown = 'dark' | 'light' | 'unknown';

/** By the colours of the picture and of quiet text. */
function shows(session: PtySession, background: Shown): boolean {
  const { fg } = session.cells();
  const busiest = paletteOf('spectrum', '256', background).colors.slice(-12, -6);
  return fg.includes(PALETTE_256[background].dim) && busiest.some((color) => fg.includes(color));
}

async function waitForColors(session: PtySession, background: Shown): Promise<void> {
  await session.waitUntil(
    () => isWhole(session) && shows(session, background),
    `waiting for the colours of a background that is ${background}`,
  );
}

describe('the colours of the screen', () => {
  test.each([
    ['light', WHITE],
    ['light', 0xfdf6e3],
    ['dark', BLACK],
    ['dark', 0x002b36],
  ] as const)(
    'the colours of the screen are those of a %s background when the terminal answers %i',
    async (name, color) => {
      await waitForColors(ioheat(['demo'], { background: color }), name);
    },
  );

  test('the colours of the screen do not wait for a terminal that is silent', async () => {
    const session = ioheat(['demo']);
    await waitForColors(session, 'unknown');
    expect(session.output).toContain(QUESTION);
  });

  test('the colours of the screen follow an answer that comes late and in pieces, which types no keys', async () => {
    const session = ioheat(['demo']);
    await waitForColors(session, 'unknown');
    // Each of these letters would be a key.
    session.type('\x1b]11;rgb:ff');
    session.type('ff/ffff/ffff\x1b\\');
    await waitForColors(session, 'light');
    expect(session.shows('PAUSED')).toBe(false);
    expect(session.screen().at(-1)).toContain('?: help');
  });

  test('the colours of the screen follow COLORFGBG where the terminal is silent, but its answer where it is not', async () => {
    const env = { COLORFGBG: '0;15' };
    await waitForColors(ioheat(['demo'], { env }), 'light');
    await waitForColors(ioheat(['demo'], { env, background: BLACK }), 'dark');
  });

  test.each(['light', 'dark'] as const)(
    'the colours of the screen are chosen with --background %s',
    async (name) => {
      const other = name === 'light' ? BLACK : WHITE;
      const session = ioheat(['demo', '--background', name], { background: other });
      await waitForColors(session, name);
      expect(session.output).not.toContain(QUESTION);
    },
  );
});

test.each(['linux', 'vt100'])('a terminal like %s is not asked', async (term) => {
  const session = ioheat(['demo'], { term });
  await session.waitUntil(() => isWhole(session), 'waiting for the first frame');
  expect(session.output).not.toContain('\x1b]');
});

test('an answer that comes when the user has already quit is not left to the shell', async () => {
  const session = bash(`$IOHEAT demo; echo "code $?"; ${REST}`);
  await session.waitUntil(() => session.output.includes(QUESTION), 'waiting for the question');
  session.type('q');
  session.type('\x1b]11;rgb:ffff/ffff/ffff\x07');
  await session.waitFor('rest [');
  expect(session.screen().join('\n')).toContain('code 0');
  expect(session.screen().join('\n')).toContain('rest []');
});
