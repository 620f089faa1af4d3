import fc from 'fast-check';
import { expect, it } from 'vitest';
import { safeJson } from '../../src/base/safe-json.ts';

it('JSON made safe for terminals decodes to the original value', () => {
  fc.assert(
    fc.property(fc.array(fc.string({ unit: 'binary' })), (value) => {
      expect(JSON.parse(safeJson(value))).toEqual(value);
      expect(JSON.parse(safeJson(value, 2))).toEqual(value);
    }),
  );
});

it('JSON made safe for terminals contains no control character', () => {
  const text = safeJson({ comm: '\x1b[31m\x7f\u009b33m\u202egnp\ufeff' });
  expect(text).toBe('{"comm":"\\u001b[31m\\u007f\\u009b33m\\u202egnp\\ufeff"}');
});

it('JSON made safe for terminals escapes what hides text or changes its direction', () => {
  const joiners = '\u2060\u2061\u2062\u2063\u2064';
  expect(safeJson(`a\u061c${joiners}\u00ad`)).toBe(
    '"a\\u061c\\u2060\\u2061\\u2062\\u2063\\u2064\\u00ad"',
  );
  const tag = '\u{e0041}';
  expect(safeJson(tag)).toBe('"\\udb40\\udc41"');
  expect(JSON.parse(safeJson(tag))).toBe(tag);
});
