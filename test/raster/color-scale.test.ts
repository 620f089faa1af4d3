import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createColorScale } from '../../src/raster/color-scale.ts';
import { legendsOf, legendWidth, unitOf } from '../../src/raster/legend.ts';

const scales = fc
  .tuple(
    fc.constantFrom('log' as const, 'linear' as const),
    fc.integer({ min: 1, max: 16 }),
    fc.constantFrom(1, 10, 30, 100, 3000, 10_000, 100_000, 30_000_000),
  )
  .map(([kind, levels, ceiling]) => createColorScale(kind, levels, ceiling));
const count = fc.oneof(fc.nat(100), fc.nat(10_000), fc.nat(2 ** 31));

const COUNTS = unitOf({ metric: 'total', weight: 'count' });

describe('level scale', () => {
  it('the legend and the level scale agree on the level of every count', () => {
    fc.assert(
      fc.property(scales, count, (scale, value) => {
        const level = scale.levelOf(value);
        const { least, most } = scale.countsOf(level) ?? { least: 0, most: 0 };
        expect(value).toBeGreaterThanOrEqual(least);
        expect(value).toBeLessThanOrEqual(most);
      }),
    );
  });

  it('both ends of a range in the legend have its level', () => {
    fc.assert(
      fc.property(scales, (scale) => {
        for (let level = 1; level <= scale.levels; level++) {
          const counts = scale.countsOf(level);
          if (counts === undefined) continue;
          expect(scale.levelOf(counts.least)).toBe(level);
          if (counts.most < Infinity) expect(scale.levelOf(counts.most)).toBe(level);
        }
      }),
    );
  });

  it('a single I/O is never drawn as nothing, and more I/O never looks like less', () => {
    fc.assert(
      fc.property(scales, count, count, (scale, a, b) => {
        expect(scale.levelOf(1)).toBeGreaterThan(0);
        const [fewer, more] = a < b ? [a, b] : [b, a];
        expect(scale.levelOf(fewer)).toBeLessThanOrEqual(scale.levelOf(more));
      }),
    );
  });

  it('one I/O and a hundred thousand are at opposite ends of the level scale', () => {
    const scale = createColorScale('log', 10, 100_000);
    expect([1, 100_000].map((value) => scale.levelOf(value))).toEqual([1, 10]);
  });

  it('linear levels hide what is rare, which is why they are not the default', () => {
    const scale = createColorScale('linear', 10, 1000);
    expect([1, 99, 100, 101, 950].map((value) => scale.levelOf(value))).toEqual([1, 1, 2, 2, 10]);
  });
});

describe('legend', () => {
  it('the legend has the exact counts at each swatch, and gets shorter with less room', () => {
    const legends = legendsOf(createColorScale('log', 4, 10_000), COUNTS);
    const texts = legends.map((parts) =>
      parts.map((part) => ('text' in part ? part.text : '#')).join(''),
    );
    expect(texts).toEqual([
      '#1 #10 #100 #1k I/Os per pixel',
      '1 #### 1k+ I/Os per pixel',
      '1 #### 1k+/pixel',
      '1 #### 1k+',
      '1 ### 1k+',
    ]);
    const widths = legends.map(legendWidth);
    expect(widths).toEqual([...widths].sort((a, b) => b - a));
  });

  it('the legend counts every second, third or fourth colour where there is no room for each', () => {
    const legends = legendsOf(createColorScale('log', 9, 1e9), COUNTS);
    const texts = legends.map((parts) =>
      parts.map((part) => ('text' in part ? part.text : '#')).join(''),
    );
    expect(texts.slice(0, 5)).toEqual([
      '#1 #10 #100 #1k #10k #100k #1M #10M #100M I/Os per pixel',
      '1## 100## 10k## 1M## 100M# I/Os per pixel',
      '1### 1k### 1M### I/Os per pixel',
      '1#### 10k#### 100M# I/Os per pixel',
      '1 ######### 100M+ I/Os per pixel',
    ]);
  });

  it('the legend leaves out levels that no whole number has', () => {
    const [full] = legendsOf(createColorScale('log', 10, 10), COUNTS);
    const swatches = full!.flatMap((part) => ('level' in part ? [part.level] : []));
    expect(swatches).toEqual([1, 4, 5, 7, 8, 9, 10]);
  });
});
