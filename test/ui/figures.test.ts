import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { completePercent, missingPercent, scopeText } from '../../src/ui/text/figures.ts';

describe('figures of completeness', () => {
  it.each([
    [1, '100', '0'],
    [1 - 42 / 1.5e6, '99.997', '0.003'],
    [0.9999, '99.99', '0.01'],
    [0.99996, '99.996', '0.004'],
    [1 - 9.6e-6, '99.999', '0.001'],
    [1 - 0.00096, '99.9', '0.1'],
    [0.994, '99.4', '0.6'],
    [0.5, '50', '50'],
    [0, '0', '100'],
    [1 - 1e-9, '99.9999999', '0.0000001'],
  ])(
    'a completeness of %f is shown as %s %% present and %s missing',
    (share, complete, missing) => {
      expect(completePercent(share)).toBe(complete);
      expect(missingPercent(Math.round((1 - share) * 1e12) / 1e12)).toBe(missing);
    },
  );

  it('a completeness below 100 % is never rounded to all, nor above 0 to nothing', () => {
    const share = fc.double({ min: 0, max: 1, minExcluded: true, maxExcluded: true, noNaN: true });
    fc.assert(
      fc.property(share, (some) => {
        expect(completePercent(some)).not.toMatch(/^100/);
        expect(missingPercent(some)).not.toMatch(/^0(\.0*)?$/);
      }),
    );
  });
});

describe('the time that figures cover', () => {
  it('the time that figures cover is that of the picture, or of the cross-hair in it', () => {
    expect(scopeText({ spanNs: 5.4e9 })).toBe('last 5s');
    expect(scopeText({ scope: 'column', spanNs: 100e6 })).toBe('column, 100ms');
  });

  it('the time that figures cover is named untraced where nothing was traced, as before the start', () => {
    expect(scopeText({ scope: 'column', spanNs: 0 })).toBe('column, not traced');
    expect(scopeText({ scope: 'box', spanNs: 0 })).toBe('box, not traced');
  });
});
