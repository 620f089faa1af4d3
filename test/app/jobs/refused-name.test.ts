import { expect, it } from 'vitest';
import { formatToWrite } from '../../../src/app/jobs/refused-name.ts';
import { FORMATS } from '../../../src/export/formats.ts';

it('the hint for an unknown extension names one for each format, and fits on 80 columns', () => {
  const refused = formatToWrite('picture.foo');
  const hint = refused.ok ? '' : refused.error;
  const named = hint.match(/\.\w+/g) ?? [];
  expect(named.map((extension) => formatToWrite(`picture${extension}`))).toEqual(
    expect.arrayContaining(FORMATS.map((value) => ({ ok: true, value }))),
  );
  expect(hint.length).toBeLessThan(80);
});
