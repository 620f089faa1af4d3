import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { layoutScreen } from '../../../src/ui/layout-screen.ts';
import { HeadlessSession, mouseBytes } from '../fixtures/headless-session.ts';

const WIDTH = 120;
const HEIGHT = 30;
const { pane } = layoutScreen(WIDTH, HEIGHT);
/** The first row is below the frame and the headings. */
const FIRST = pane.y + 2;

let session: HeadlessSession;
beforeEach(() => {
  session = new HeadlessSession(1, WIDTH, HEIGHT);
  session.wait(12e9);
  session.type('e');
});
afterEach(() => {
  session.dispose();
});

const click = (y: number): string => mouseBytes(0, 20, y);

/** A row without what marks it. */
function rowAt(y: number): string {
  return session.lines()[y]!.replace('▸', ' ');
}

function chosenLine(): number {
  return session.lines().findIndex((line) => /^│[▸!]/.test(line));
}

describe('a click in the list of single I/Os', () => {
  test.each([FIRST, FIRST + 5, pane.y + pane.height - 2])(
    'a click on line %i chooses its row, which stays there, and a second one explains it',
    (y) => {
      const row = rowAt(y);
      session.type(click(y));
      expect(rowAt(y)).toBe(row);
      expect(chosenLine()).toBe(y);
      expect(session.view).toMatchObject({ mode: 'singles', frozenAtNs: 12e9 });
      session.type(click(y));
      expect(session.view.mode).toBe('explain');
      expect(rowAt(FIRST).replaceAll(/ +/g, ' ')).toContain(
        row.slice(2, 40).replaceAll(/ +/g, ' '),
      );
      session.type('q');
      expect(chosenLine()).toBe(y);
    },
  );

  test('a double click that arrives at once explains the row under the pointer', () => {
    const row = rowAt(FIRST + 3);
    session.type(click(FIRST + 3) + click(FIRST + 3));
    expect(session.view.mode).toBe('explain');
    expect(rowAt(FIRST).replaceAll(/ +/g, ' ')).toContain(row.slice(2, 40).replaceAll(/ +/g, ' '));
  });

  test('the row of a click is that on the screen, whatever has come since', () => {
    const row = rowAt(FIRST + 3);
    session.letTimePass(5e9);
    while (!session.monitor.pump());
    session.type(click(FIRST + 3));
    expect(rowAt(FIRST + 3)).toBe(row);
    expect(chosenLine()).toBe(FIRST + 3);
  });

  test('keys go on from the clicked row, and the list scrolls under it', () => {
    session.type(click(FIRST + 3));
    const { singlesBack } = session.view;
    session.type('k');
    expect(session.view.singlesBack).toBe(singlesBack! + 1);
    expect(chosenLine()).toBe(FIRST + 3);
  });

  test('the first line closes the list, and its frame and headings take no clicks', () => {
    for (const y of [FIRST - 1, pane.y + pane.height - 1]) session.type(click(y));
    expect(session.view).toMatchObject({ mode: 'singles', singlesBack: undefined });
    session.type(click(pane.y));
    expect(session.view.mode).toBe('main');
  });
});
