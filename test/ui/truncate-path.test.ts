import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { truncatePath } from '../../src/ui/text/span.ts';

const PATH = '/usr/lib/node_modules/nodejs-polars/polars.linux-x64-gnu.node';

describe('a path that is too long', () => {
  test.each([
    [PATH, 99, PATH],
    [PATH, 41, '…/nodejs-polars/polars.linux-x64-gnu.node'],
    [PATH, 30, '…/polars.linux-x64-gnu.node'],
    [PATH, 27, '…/polars.linux-x64-gnu.node'],
    [PATH, 26, 'polars.linux-…x64-gnu.node'],
    ['containerd 0123456789ab', 8, '…56789ab'],
    ['(flush, discard)', 8, '…iscard)'],
  ])('%s is cut to %i cells at a separator, else in its last name', (path, width, cut) => {
    expect(truncatePath(path, width)).toBe(cut);
  });

  test('a path that is too long fills at most its width', () => {
    const path = fc.array(fc.stringMatching(/^[a-z.]{0,9}$/)).map((names) => names.join('/'));
    fc.assert(
      fc.property(path, fc.integer({ min: 0, max: 40 }), (text, width) => {
        expect(truncatePath(text, width).length).toBeLessThanOrEqual(width);
      }),
    );
  });
});
