import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import xterm from '@xterm/headless';
import { REPLACEMENT, safeGlyph, sanitizeText } from '../../src/base/sanitize.ts';

const SAFE = Array.from({ length: 0x110000 }, (_, codePoint) => codePoint).filter(
  (codePoint) => safeGlyph(codePoint) === codePoint,
);

describe('a safe glyph', () => {
  it('a safe glyph is an assigned character that is not a mark, control or private-use character', () => {
    const unsafe = /^[\p{C}\p{M}\p{Zl}\p{Zp}\p{Emoji_Presentation}\p{Bidi_Control}]$/u;
    const characters = SAFE.map((codePoint) => String.fromCodePoint(codePoint));
    expect(characters.filter((character) => unsafe.test(character))).toEqual([]);
  });

  it('a safe glyph is not from a script that is written right to left or joined up', () => {
    const scripts =
      /^[\p{sc=Hebrew}\p{sc=Arabic}\p{sc=Syriac}\p{sc=Thaana}\p{sc=Nko}\p{sc=Thai}\p{sc=Devanagari}]$/u;
    expect(SAFE.filter((codePoint) => scripts.test(String.fromCodePoint(codePoint)))).toEqual([]);
  });

  it('a safe glyph takes one column in a terminal', async () => {
    const options = { cols: 3, rows: SAFE.length, allowProposedApi: true, scrollback: 0 };
    const terminal = new xterm.Terminal(options);
    const lines = SAFE.map((codePoint) => `${String.fromCodePoint(codePoint)}x`);
    await new Promise<void>((resolve) => {
      terminal.write(lines.join('\r\n'), resolve);
    });
    const wrong = lines.filter((line, y) => {
      const shown = terminal.buffer.active.getLine(y)!;
      return shown.getCell(0)!.getChars() + shown.getCell(1)!.getChars() !== line;
    });
    expect(wrong).toEqual([]);
  });

  it('box-drawing, block and Braille characters are safe glyphs', () => {
    for (const glyph of '─│┌┐└┘├┤▀▄█░▒▓▁▂▃▅▆▇⠁⣿µ·…×≤≥←↑→↓▲▼') {
      expect(safeGlyph(glyph.codePointAt(0)!)).toBe(glyph.codePointAt(0));
    }
  });

  it.each([
    ['C0', [0x01, 0x07, 0x0a, 0x0d, 0x1b, 0x1f]],
    ['DEL and C1', [0x7f, 0x80, 0x85, 0x90, 0x9b, 0x9d, 0x9f]],
    ['bidi controls', [0x200e, 0x200f, 0x202a, 0x202e, 0x2066, 0x2069, 0x61c]],
    ['zero-width and combining', [0xad, 0x200b, 0x200d, 0x2060, 0xfeff, 0x301, 0x20dd, 0xfe0f]],
    ['line and paragraph separators', [0x2028, 0x2029]],
    ['wide characters', [0x1100, 0x65e5, 0xac00, 0xff21, 0x25fd, 0x1f642]],
    ['surrogates', [0xd800, 0xdfff]],
    ['private use and unassigned', [0xe000, 0xf0000, 0x378, 0xfffe, 0x10ffff]],
  ])('a safe glyph is not one of %s', (_, codePoints) => {
    expect(codePoints.map(safeGlyph)).toEqual(codePoints.map(() => REPLACEMENT));
  });
});

describe('sanitizeText', () => {
  it('sanitizeText does not change plain text', () => {
    expect(sanitizeText('nvme0n1 ~/x: 50%')).toBe('nvme0n1 ~/x: 50%');
  });

  it('sanitizeText makes escape sequences harmless', () => {
    expect(sanitizeText('\x1b]52;c;aGk=\x07\x9b2J')).toBe('?]52;c;aGk=??2J');
  });

  it('sanitizeText composes accents', () => {
    expect(sanitizeText('cafe\u0301')).toBe('café');
  });

  it('sanitizeText replaces characters whose width terminals disagree about', () => {
    expect(sanitizeText('日本 🙂 a\u202eb \ud800')).toBe('?? ? a?b ?');
  });

  it('sanitizeText gives one safe column per character, and changes nothing when applied twice', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => {
        const safe = sanitizeText(text);
        for (const character of safe)
          expect(safeGlyph(character.codePointAt(0)!)).toBe(character.codePointAt(0));
        expect(Array.from(safe)).toHaveLength(safe.length);
        expect(sanitizeText(safe)).toBe(safe);
      }),
    );
  });
});
