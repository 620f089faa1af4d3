import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { formatRate } from '../../src/base/format.ts';
import { evenSteps } from '../../src/ui/charts/contrib/line-chart.ts';
import { linearAxis, logAxis } from '../../src/ui/charts/contrib/value-axis.ts';

fc.configureGlobal({ seed: 20_100_703 });

const plain = String;

describe('the y axis of a chart', () => {
  it('the y axis of a chart has round steps from 0 to at least the largest value', () => {
    const axis = linearAxis([Float64Array.of(NaN, 120, 812)], 5, plain);
    expect([0, 1, 2, 3, 4, 5].map((place) => axis.labelAt(place))).toEqual([
      '0',
      '200',
      '400',
      '600',
      '800',
      '1000',
    ]);
    expect(axis.high).toBe(5);
    expect(axis.placeOf(300)).toBe(1.5);
  });

  it('the y axis of a nearly idle disk has labels that are numbers, each of them different', () => {
    const values = [Float64Array.of(0, 0.004)];
    const axis = linearAxis(values, 5, formatRate);
    expect([0, 1].map((place) => axis.labelAt(place))).toEqual(['0', '0.01']);
    expect(axis.high).toBe(1);
    for (const largest of [0.004, 0.02, 0.06, 0.3, 0.7, 2, 40, 12_000, 9e8]) {
      const many = linearAxis([Float64Array.of(largest)], 6, formatRate);
      const labels = Array.from({ length: many.high + 1 }, (_, place) => many.labelAt(place));
      expect(new Set(labels).size).toBe(labels.length);
    }
    const more = linearAxis([Float64Array.of(0.03)], 5, formatRate);
    expect([1, 2, 3].map((place) => more.labelAt(place))).toEqual(['0.01', '0.02', '0.03']);
  });

  it('the y axis of a latency chart has powers of ten, several a step where there is no room', () => {
    const values = [Float64Array.of(90e3, 1.1e9)];
    expect(logAxis(values, 9, plain)).toMatchObject({ low: 0, high: 6 });
    const tight = logAxis(values, 3, plain);
    expect([0, 1, 2, 3].map((place) => Number(tight.labelAt(place)))).toEqual([
      1e4, 1e6, 1e8, 1e10,
    ]);
  });

  it('a value that is not a number has no place on a chart', () => {
    const values = [Float64Array.of(NaN)];
    expect(linearAxis(values, 4, plain).placeOf(NaN)).toBeNaN();
    expect(logAxis(values, 4, plain).placeOf(NaN)).toBeNaN();
  });

  it('the y axis of a chart holds every value, in at most the steps there is room for', () => {
    const anyValues = fc.array(fc.double({ min: 0, max: 1e13, noNaN: true }), { minLength: 1 });
    fc.assert(
      fc.property(anyValues, fc.integer({ min: 1, max: 9 }), (values, steps) => {
        for (const axisOf of [linearAxis, logAxis]) {
          const axis = axisOf([Float64Array.from(values)], steps, plain);
          expect(axis.high - axis.low).toBeLessThanOrEqual(steps);
          for (const value of values) {
            const place = axis.placeOf(value);
            expect(place).toBeGreaterThanOrEqual(axis.low);
            expect(place).toBeLessThanOrEqual(axis.high + 1e-6);
          }
        }
      }),
    );
  });

  it("the labels of a chart's y axis are on whole rows at even distances, and use most of the rows", () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 9 }),
        fc.integer({ min: 2, max: 60 }),
        (steps, rows) => {
          const { every, rowsPerStep } = evenSteps(steps, rows);
          expect(Number.isInteger(Math.round(every * rowsPerStep * 1e9) / 1e9)).toBe(true);
          expect(every).toBeLessThanOrEqual(steps);
          expect(rowsPerStep * steps).toBeLessThanOrEqual(rows);
          if (rows >= 4) expect(rowsPerStep * steps).toBeGreaterThanOrEqual(rows * 0.75);
        },
      ),
    );
  });

  it.each([
    [4, 9.5, { every: 1, rowsPerStep: 2 }],
    [5, 9.5, { every: 2, rowsPerStep: 1.5 }],
    [4, 7, { every: 2, rowsPerStep: 1.5 }],
    [1, 7.5, { every: 1, rowsPerStep: 7 }],
  ])('the y axis of a chart divides %i steps over %f rows', (steps, rows, expected) => {
    expect(evenSteps(steps, rows)).toEqual(expected);
  });
});
