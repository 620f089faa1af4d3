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
