import { expect, it } from 'vitest';
import { asciiText } from '../../src/base/ascii-text.ts';

it('text for an output without UTF-8 keeps its meaning where there is a word for it', () => {
  expect(asciiText('2.1µs … 7 more, ≥ 3×, “a” → b\n')).toBe('2.1us ... 7 more, >= 3x, "a" -> b\n');
});

it('text for an output without UTF-8 has a question mark for each other character', () => {
  expect(asciiText('fichier été 😀')).toBe('fichier ?t? ?');
});
