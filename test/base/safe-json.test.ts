import fc from 'fast-check';
import { expect, it } from 'vitest';
import { safeJson } from '../../src/base/safe-json.ts';

it('JSON for terminals reads back as what it was', () => {
  fc.assert(
    fc.property(fc.array(fc.string({ unit: 'binary' })), (value) => {
      expect(JSON.parse(safeJson(value))).toEqual(value);
      expect(JSON.parse(safeJson(value, 2))).toEqual(value);
    }),
  );
});

it('JSON for terminals holds nothing that acts on one', () => {
  const text = safeJson({ comm: '\x1b[31m\x7f\u009b33m\u202egnp\ufeff' });
  expect(text).toBe('{"comm":"\\u001b[31m\\u007f\\u009b33m\\u202egnp\\ufeff"}');
});
