import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  alignRight,
  formatByteRate,
  formatBytes,
  formatCount,
  formatDuration,
  formatDurationParts,
  formatPercent,
  formatRate,
  plural,
  UNKNOWN,
} from '../../src/base/format.ts';

type Format = (value: number | undefined) => string;

const FORMATS: readonly Format[] = [
  formatByteRate,
  formatBytes,
  formatCount,
  formatDuration,
  formatPercent,
  formatRate,
];

function table(format: Format, cases: readonly (readonly [number, string])[]): void {
  expect(cases.map(([value]) => format(value))).toEqual(cases.map(([, text]) => text));
}

describe('figures for people', () => {
  it('a figure that is absent or not a number is printed as a dash', () => {
    for (const format of FORMATS) {
      expect([undefined, NaN, Infinity, -Infinity].map(format)).toEqual(Array(4).fill(UNKNOWN));
    }
  });

  it('durations take the unit that leaves one to three digits', () => {
    table(formatDuration, [
      [0, '0ns'],
      [7, '7ns'],
      [840, '840ns'],
      [1_000, '1µs'],
      [84_000, '84µs'],
      [1_230_000, '1.2ms'],
      [48_000_000, '48ms'],
      [120_400_000, '120ms'],
      [1_080_000_000, '1.1s'],
      [84e9, '84s'],
      [1_020e9, '17min'],
      [9_000e9, '2.5h'],
    ]);
  });

  it('rounding carries into the next unit', () => {
    expect(formatDuration(999_700)).toBe('1ms');
    expect(formatDuration(999.7e9)).toBe('17min');
    expect(formatDuration(59.7 * 60e9)).toBe('1h');
    expect(formatDuration(9_960)).toBe('10µs');
    expect(formatCount(999_960)).toBe('1M');
    expect(formatBytes(1024 * 1024 - 1)).toBe('1M');
    expect(formatRate(999.7)).toBe('1k');
  });

  it('counts keep three digits above a thousand', () => {
    table(formatCount, [
      [0, '0'],
      [812, '812'],
      [1_240, '1.2k'],
      [12_400, '12.4k'],
      [124_000, '124k'],
      [1_200_000, '1.2M'],
      [4e9, '4G'],
    ]);
  });

  it('rates show a few per minute too', () => {
    table(formatRate, [
      [0, '0'],
      [0.001, '<0.01'],
      [0.02, '0.02'],
      [0.4, '0.4'],
      [3.1, '3.1'],
      [41.2, '41'],
      [9_800, '9.8k'],
      [124_000, '124k'],
    ]);
  });

  it('sizes are in powers of 1024 and throughput in powers of 1000', () => {
    table(formatBytes, [
      [0, '0 B'],
      [512, '512B'],
      [4096, '4K'],
      [65_536, '64K'],
      [1.5 * 2 ** 20, '1.5M'],
      [1.2 * 2 ** 30, '1.2G'],
      [4 * 2 ** 40, '4T'],
    ]);
    table(formatByteRate, [
      [84_000, '84 kB/s'],
      [512e6, '512 MB/s'],
      [1.24e9, '1.2 GB/s'],
    ]);
  });

  it('a share is printed as 0 % or 100 % only when it is exactly that', () => {
    table(formatPercent, [
      [0, '0%'],
      [1e-6, '<0.01%'],
      [0.0004, '0.04%'],
      [0.004, '0.4%'],
      [0.714, '71%'],
      [0.9951, '99.5%'],
      [0.9996, '99.9%'],
      [0.999_99, '>99.99%'],
      [1, '100%'],
    ]);
  });

  it('figures in tables are at most five columns wide', () => {
    fc.assert(
      fc.property(fc.double({ min: 0, max: 999e9, noNaN: true }), (value) => {
        expect(formatDuration(value).length).toBeLessThanOrEqual(5);
        expect(formatCount(value).length).toBeLessThanOrEqual(5);
        expect(formatRate(value).length).toBeLessThanOrEqual(5);
        expect(formatBytes(value).length).toBeLessThanOrEqual(5);
      }),
    );
  });

  it('no printed figure is off by more than its last digit', () => {
    fc.assert(
      fc.property(fc.double({ min: 1, max: 1e11, noNaN: true }), (value) => {
        const [, digits, unit] = /^([\d.]+)(\D*)$/.exec(formatRate(value))!;
        const shown = Number(digits) * { '': 1, k: 1e3, M: 1e6, G: 1e9 }[unit!]!;
        expect(Math.abs(shown - value) / value).toBeLessThanOrEqual(0.051);
      }),
    );
  });

  it('a count of one is singular, any other plural', () => {
    expect([0, 1, 2, 1.5].map((count) => plural(count, 'I/O'))).toEqual([
      'I/Os',
      'I/O',
      'I/Os',
      'I/Os',
    ]);
    expect([1, 2].map((count) => plural(count, 'is', 'are'))).toEqual(['is', 'are']);
  });

  it('alignment never cuts a figure', () => {
    expect(alignRight('12', 4)).toBe('  12');
    expect(alignRight('12345', 4)).toBe('12345');
  });
});

describe('the parts of a duration', () => {
  it.each([
    [263e6, 240e6, '240', '23'],
    [1.2e9, 1.13e9, '1.1', '0.1'],
    [84e3, 0, '0', '84'],
    [2e6, 0.3e6, '0.3', '1.7'],
    [12e6, 0.3e6, '0', '12'],
    [3, 1, '1', '2'],
    [999.7e3, 999.7e3, '1', '0'],
    [1200e9, 600e9, '10', '10'],
    [999.7e9, 0, '0', '17'],
    [0, 0, '0', '0'],
  ])(
    'the parts of a duration of %d ns, of which %d is one, add up to what is printed',
    (whole, part, first, rest) => {
      expect(formatDurationParts(whole, part)).toEqual([first, rest]);
    },
  );
});
