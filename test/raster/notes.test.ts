import { expect, test } from 'vitest';
import { Heatmap } from '../../src/heatmap/time/heatmap.ts';
import { createLogScale } from '../../src/heatmap/axis/log-scale.ts';
import { notesOn } from '../../src/raster/notes.ts';
import type { Metric } from '../../src/model/metric.ts';

test.each<[Metric, string]>([
  ['device', '2 no device time (e.g. fsync)'],
  ['total', '2 no total time (e.g. fsync)'],
  ['queue', '2 without queue time'],
])('the note on the map of %s says which I/O has no place on the axis', (metric, note) => {
  const scale = createLogScale({ low: 1e3, high: 1e6 }, 20);
  const map = new Heatmap({ metric, scale, columns: 1, columnNs: 1e9, startNs: 0 });
  const counts = { all: 9, above: 0, below: 0, unmeasurable: 2, undecided: 0, max: 1e5 };
  const totals = { ...counts, bins: new Float64Array(20) };
  expect(notesOn(map, totals)[0]).toBe(note);
});

test('the notes on a zoomed map count what is below the axis in every length', () => {
  const scale = createLogScale({ low: 20e6, high: 30e6 }, 20);
  const map = new Heatmap({ metric: 'total', scale, columns: 1, columnNs: 1e9, startNs: 0 });
  const counts = {
    all: 44_022,
    above: 22,
    below: 43_990,
    unmeasurable: 5,
    undecided: 0,
    max: 89e6,
  };
  expect(notesOn(map, { ...counts, bins: new Float64Array(20) })).toEqual([
    '44k below 20ms; 5 no total time (e.g. fsync); 22 above 30ms (0.05%), max 89ms',
    '44k below 20ms; 22 above 30ms',
    '44k below; 22 above',
  ]);
});
