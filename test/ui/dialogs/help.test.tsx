import { describe, expect, it } from 'vitest';
import { Help } from '../../../src/ui/dialogs/help.tsx';
import { helpLength } from '../../../src/ui/dialogs/help-layout.ts';
import { keySections } from '../../../src/ui/dialogs/key-sections.ts';
import { keysText } from '../../../src/view/keys/key-caps.ts';
import { wrapWords } from '../../../src/ui/text/wrap-words.ts';
import { KEY_TABLE } from '../../../src/view/keys/key-table.ts';
import { MODES } from '../../../src/view/state.ts';
import type { Mode } from '../../../src/view/state.ts';
import { shownLines, shownText } from '../fixtures/shown-dialog.tsx';

function texts(width: number, height: number, top = 0, helpFor: Mode = 'main'): string[] {
  return shownLines(<Help bindings={KEY_TABLE} {...{ top, helpFor, width, height }} />, width);
}

function words(text: string): string {
  return text.replaceAll(/\s+/g, '');
}

describe('the help', () => {
  it.each([40, 80, 120, 200])('the help looks right at %i columns', async (width) => {
    const height = helpLength(KEY_TABLE, width) + 1;
    const help = <Help bindings={KEY_TABLE} top={0} {...{ width, height }} />;
    await expect(shownText(help, width)).toMatchFileSnapshot(
      `../../../snapshots/ui/help-${width}.txt`,
    );
  });

  it.each([40, 99])('the help names every key with its meaning at %i columns', (width) => {
    const all = words(texts(width, helpLength(KEY_TABLE, width) + 1).join(''));
    for (const { keys, description } of KEY_TABLE)
      expect(all).toContain(words(keysText(keys) + description));
  });

  it('the help has its heading and as many lines as there is room for', () => {
    for (const width of [40, 80, 120])
      for (const height of [2, 10]) {
        const [heading, ...lines] = texts(width, height);
        expect(heading).toContain('HELP');
        expect(lines).toHaveLength(height - 1);
        expect(lines[0]).toContain('Where to start');
      }
  });

  it('the heading of the help is whole on every screen', () => {
    for (let width = 40; width <= 80; width++) {
      const [heading] = texts(width, 10);
      expect(heading).not.toContain('…');
      expect(heading).toMatch(/ (Esc: close|Enter: close the help) /);
      expect(heading).toMatch(/ 1-9 of \d+ *$/);
    }
  });

  it('the help scrolls to its last line and no further', () => {
    const length = helpLength(KEY_TABLE, 80);
    const end = texts(80, 10, 9999);
    expect(end).toEqual(texts(80, 10, length - 9));
    expect(end[0]).toContain(`of ${length}`);
    expect([texts(80, 10)[0], end[0]]).toEqual([
      expect.stringContaining('Down, PgDn: more'),
      expect.stringContaining('Up, PgUp: back'),
    ]);
    expect(end.at(-1)?.trim()).not.toBe('');
  });

  it('the help starts with the keys of the mode that it was opened from', () => {
    const firstTitle = (helpFor: Mode): string | undefined =>
      keySections(KEY_TABLE, helpFor).here[0]?.title;
    expect(firstTitle('cursor')).toBe('With the cross-hair');
    expect(firstTitle('pick')).toBe('In a list of processes or disks');
    expect(firstTitle('main')).toBe('Picture');
    expect(firstTitle('help')).toBe('Picture');
  });

  it('the help lists with a mode all keys that work in it, unless they work everywhere', () => {
    const main = keySections(KEY_TABLE).here.flatMap(({ entries }) => entries);
    for (const mode of MODES.filter((one) => one !== 'main' && one !== 'help')) {
      const [own] = keySections(KEY_TABLE, mode).here;
      for (const { keys, modes, description: text } of KEY_TABLE.filter((one) =>
        one.modes.includes(mode),
      ))
        expect(modes.length < MODES.length ? own!.entries : main).toContainEqual({
          term: keysText(keys),
          text,
        });
    }
    const cursor = keySections(KEY_TABLE, 'cursor').here[0]!;
    expect(cursor.entries.map(({ term }) => term)).toEqual(expect.arrayContaining(['a', 'A', 'D']));
  });

  it('the help names the keys of each mode once, whatever it was opened from', () => {
    const titles = (helpFor: Mode): string[] => {
      const { here, elsewhere } = keySections(KEY_TABLE, helpFor);
      return [...here, ...elsewhere].map(({ title }) => title).toSorted();
    };
    for (const mode of MODES) {
      expect(titles(mode)).toEqual(titles('main'));
      const height = helpLength(KEY_TABLE, 120, mode) + 1;
      expect(texts(120, height, 0, mode).at(-1)!.trim()).not.toBe('');
    }
  });

  it('the help writes keys as they are labelled on the keyboard', () => {
    expect(keysText(['space', 'M', 'ctrl+c', 'pagedown', 'f1'])).toBe('Space M Ctrl-C PgDn F1');
    expect(keysText(['shift+left', '+', '-'])).toBe('Shift-Left + -');
  });
});

describe('wrapWords', () => {
  it('wrapWords breaks between words', () => {
    expect(wrapWords('one two three', 8)).toEqual(['one two', 'three']);
  });

  it('wrapWords breaks a word that is longer than the line', () => {
    expect(wrapWords('a abcdefgh', 3)).toEqual(['a', 'abc', 'def', 'gh']);
  });
});
