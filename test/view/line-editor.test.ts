import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { EMPTY_LINE, editLine, lineOf, replaceBefore } from '../../src/view/line-editor.ts';
import type { EditedLine } from '../../src/view/line-editor.ts';

const typed = (...keys: string[]): EditedLine => keys.reduce(editLine, EMPTY_LINE);

describe('editLine', () => {
  it('editing a line types characters and spaces at the cursor', () => {
    expect(typed('a', 'space', 'c', 'left', 'b')).toEqual({ text: 'a bc', cursor: 3 });
  });

  it('editing a line deletes before, at and around the cursor as a shell does', () => {
    expect(typed('a', 'b', 'c', 'backspace').text).toBe('ab');
    expect(typed('a', 'b', 'c', 'home', 'delete').text).toBe('bc');
    expect(editLine(lineOf('disk=sda op=write'), 'ctrl+w').text).toBe('disk=sda ');
    expect(editLine(lineOf('disk=sda'), 'ctrl+u')).toEqual(EMPTY_LINE);
  });

  it('editing a line deletes the word before the cursor with the blanks after it, and blanks alone', () => {
    const afterCtrlW = (text: string): string => editLine(lineOf(text), 'ctrl+w').text;
    expect(afterCtrlW('disk=sda op=write  ')).toBe('disk=sda ');
    expect(afterCtrlW('disk=sda')).toBe('');
    expect(afterCtrlW('  ')).toBe('');
    expect(afterCtrlW('a 🙂')).toBe('a ');
    expect(editLine({ text: 'pid=7 op=read', cursor: 3 }, 'ctrl+w')).toEqual({
      text: '=7 op=read',
      cursor: 0,
    });
  });

  it('editing a line moves over a character of two code units as over one', () => {
    expect(typed('🙂', 'left', 'x').text).toBe('x🙂');
    expect(typed('🙂', 'backspace').text).toBe('');
  });

  it('keys that type nothing do not change the line', () => {
    expect(typed('a', 'f5', 'pageup', 'ctrl+z')).toEqual(lineOf('a'));
  });

  it('a completion replaces the word that was started', () => {
    expect(replaceBefore({ text: 'op=wr x', cursor: 5 }, 3, 'write')).toEqual({
      text: 'op=write x',
      cursor: 8,
    });
  });

  it('the cursor of a line stays inside the text whatever is typed', () => {
    const keys = fc.constantFrom(
      'a',
      '🙂',
      'left',
      'right',
      'home',
      'end',
      'backspace',
      'delete',
      'ctrl+w',
      'ctrl+k',
      'ctrl+u',
      'space',
    );
    fc.assert(
      fc.property(fc.array(keys), (presses) => {
        const { text, cursor } = typed(...presses);
        expect(cursor).toBeGreaterThanOrEqual(0);
        expect(cursor).toBeLessThanOrEqual(text.length);
      }),
    );
  });
});
