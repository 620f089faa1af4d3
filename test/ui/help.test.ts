import { describe, expect, it } from 'vitest';
import { helpLength, helpLines, keySections, keysText } from '../../src/ui/help-lines.ts';
import { lineText } from '../../src/ui/span.ts';
import { wrapWords } from '../../src/ui/wrap-words.ts';
import { KEY_TABLE } from '../../src/view/keys/key-table.ts';
import { MODES } from '../../src/view/state.ts';
import type { Mode } from '../../src/view/state.ts';
import { asText } from './fixtures/chrome-state.ts';

function texts(width: number, height: number, top = 0): string[] {
  return helpLines({ bindings: KEY_TABLE, top }, width, height).map(lineText);
}

function words(text: string): string {
  return text.replaceAll(/\s+/g, '');
}

describe('the help', () => {
  it.each([40, 80, 120, 200])('looks right at %i columns', async (width) => {
    const height = helpLength(KEY_TABLE, width) + 1;
    const lines = helpLines({ bindings: KEY_TABLE, top: 0 }, width, height);
    await expect(asText(lines)).toMatchFileSnapshot(`../../snapshots/ui/help-${width}.txt`);
  });

  it.each([40, 99])('names every key with its meaning at %i columns', (width) => {
    const all = words(texts(width, 300).join(''));
    for (const { keys, description } of KEY_TABLE)
      expect(all).toContain(words(keysText(keys) + description));
  });

  it('is a rectangle at any size', () => {
    for (let width = 1; width <= 300; width += 7)
      for (const height of [1, 2, 10])
        expect(texts(width, height).map(({ length }) => length)).toEqual(
          Array<number>(height).fill(width),
        );
  });

  it('scrolls to its last line and no further', () => {
    const length = helpLength(KEY_TABLE, 80);
    const end = texts(80, 10, 9999);
    expect(end).toEqual(texts(80, 10, length - 9));
    expect(end[0]).toContain(`of ${length}`);
    expect(end.at(-1)?.trim()).not.toBe('');
  });

  it('begins with the keys of the mode that it was opened from', () => {
    const firstTitle = (helpFor: Mode): string | undefined =>
      keySections(KEY_TABLE, helpFor).here[0]?.title;
    expect(firstTitle('cursor')).toBe('With the cross-hair');
    expect(firstTitle('pick')).toBe('In a list of processes or disks');
    expect(firstTitle('main')).toBe('Picture');
    expect(firstTitle('help')).toBe('Picture');
  });

  it('names the keys of each mode once, whatever it was opened from', () => {
    const titles = (helpFor: Mode): string[] => {
      const { here, elsewhere } = keySections(KEY_TABLE, helpFor);
      return [...here, ...elsewhere].map(({ title }) => title).toSorted();
    };
    for (const mode of MODES) {
      expect(titles(mode)).toEqual(titles('main'));
      const height = helpLength(KEY_TABLE, 120, mode) + 1;
      const lines = helpLines({ bindings: KEY_TABLE, top: 0, helpFor: mode }, 120, height);
      expect(lineText(lines.at(-1)!).trim()).not.toBe('');
    }
  });

  it('writes keys as they stand on the keyboard', () => {
    expect(keysText(['space', 'M', 'ctrl+c', 'pagedown', 'f1'])).toBe('Space M Ctrl-C PgDn F1');
    expect(keysText(['shift+left', '+', '-'])).toBe('Shift-Left + -');
  });
});

describe('wrapWords', () => {
  it('breaks between words', () => {
    expect(wrapWords('one two three', 8)).toEqual(['one two', 'three']);
  });

  it('breaks a word that is longer than the line', () => {
    expect(wrapWords('a abcdefgh', 3)).toEqual(['a', 'abc', 'def', 'gh']);
  });
});
