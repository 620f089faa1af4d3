import { describe, expect, test } from 'vitest';
import { known, lacking } from '../../../src/model/card.ts';
import { CardDialog } from '../../../src/ui/dialogs/card-dialog.tsx';
import { cardRect } from '../../../src/ui/dialogs/card-layout.ts';
import { QUIET_COLORS } from '../../../src/raster/put-text.ts';
import { shownCells, shownLines, textWithLook } from '../fixtures/shown-dialog.tsx';

const CARD = {
  title: 'postgres (402)',
  facts: {
    title: known('postgres: app db SELECT'),
    user: known('postgres (105)'),
    cgroup: lacking('not readable'),
  },
};

const faint = `fg ${QUIET_COLORS.unknown}`;
const PANE = { x: 0, y: 2, width: 60, height: 15 };

describe('a card on the screen', () => {
  test('a card on the screen has each fact next to its label', () => {
    const lines = shownLines(<CardDialog card={CARD} width={60} height={5} />, 60);
    expect(lines[0]).toMatch(/^┌ postgres \(402\) ─/);
    expect(lines[1]).toMatch(/^│ title {8}postgres: app db SELECT +│$/);
    expect(lines[4]).toMatch(/^└ Enter: show only this {2}Esc: close ─+┘$/);
  });

  test('a card on the screen shows faintly why a fact is missing', () => {
    const cells = shownCells(<CardDialog card={CARD} width={60} height={5} />, 60);
    expect(textWithLook(cells, faint)).toContain('not readable');
    expect(textWithLook(cells, faint)).not.toContain('postgres (105)');
  });

  test('a card on the screen wraps a long command line, and cuts it before it fills the card', () => {
    const facts = { command: known(`java ${'-Dname=value '.repeat(50)}`), user: known('app (7)') };
    const lines = shownLines(
      <CardDialog card={{ title: 'java', facts }} width={60} height={7} />,
      60,
    );
    expect(lines[4]).toContain('…');
    expect(lines[5]).toContain('app (7)');
  });

  test('a card on the screen replaces what a terminal could take as a command', () => {
    const facts = { command: known('evil\u001b[2J\u202e') };
    const lines = shownLines(
      <CardDialog card={{ title: '\u001b]0;x', facts }} width={60} height={3} />,
      60,
    );
    expect(lines.join('')).toContain('evil?[2J?');
    expect(lines[0]).toContain('?]0;x');
  });

  test('a card on the screen lies at the lower edge of the picture, as high as its facts', () => {
    expect(cardRect(CARD, PANE)).toEqual({ x: 0, y: 12, width: 60, height: 5 });
    expect(cardRect(CARD, { ...PANE, height: 4 })).toMatchObject({ y: 2, height: 4 });
  });
});
