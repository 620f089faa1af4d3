import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { LiveHeatmap } from '../../../src/heatmap/time/live-heatmap.ts';
import { sampleRows } from '../../../src/heatmap/time/sample.ts';
import { createHistory } from '../../../src/history/history.ts';
import { createColumns } from '../../../src/model/completion-columns.ts';
import { NO_FILTER } from '../../../src/filter/filter.ts';
import { compileFilter } from '../../../src/filter/match/match.ts';
import { columnsOf, createInfo, SDA, someKeys } from '../../history/fixtures.ts';
import type { Row } from '../../history/fixtures.ts';
import { contentsOf, countPlainly } from '../fixtures.ts';

const ROWS = 20_000;
const SECOND = 1e9;
const METRICS = ['device', 'total', 'size', 'offset'] as const;

function rowsWith(extreme: number, changes: Partial<Row>): Row[] {
  return Array.from({ length: ROWS }, (_, i) => ({
    completeNs: i * 1e6,
    deviceNs: 100_000 + (i % 7) * 1000,
    queueNs: 5000,
    sector: (i % 100) * 8,
    bytes: 4096,
    key: 0,
    ...(i === extreme ? changes : {}),
  }));
}

function createMap(rows: readonly Row[], metric: (typeof METRICS)[number]) {
  const info = createInfo(someKeys());
  const history = createHistory({ info });
  history.append(columnsOf(rows));
  const spec = {
    scale: 'log',
    outlierCut: 0,
    columnNs: SECOND,
    columns: 30,
    bins: 40,
    filter: compileFilter(NO_FILTER, info.identities, info),
    disks: [{ dev: SDA }],
  } as const;
  const live = new LiveHeatmap(history, { ...spec, metric });
  live.update(20 * SECOND);
  return {
    live,
    show: (outlierCut: 0 | 0.05) => {
      live.show({ ...spec, metric, outlierCut });
    },
  };
}

describe('a sample of rows', () => {
  it('a sample has about one row in eight, from everywhere, and none twice', () => {
    fc.assert(
      fc.property(fc.nat(9000), fc.nat(90_000), (from, length) => {
        const chunk = { rows: createColumns(0), from, to: from + length };
        const sample = [...sampleRows([chunk], length)];
        const ends = [from, ...sample.map(({ to }) => to)];
        sample.forEach((part, i) => {
          expect(part.from).toBeGreaterThanOrEqual(ends[i]!);
        });
        sample.forEach((part) => {
          expect(part.to).toBeLessThanOrEqual(chunk.to);
        });
        const taken = sample.reduce((sum, part) => sum + part.to - part.from, 0);
        expect(taken).toBeLessThanOrEqual(length / 8 + 1024);
        expect(taken).toBeGreaterThanOrEqual(Math.floor(length / 8));
      }),
    );
  });
});

describe('the axis of a new picture', () => {
  const extremes: fc.Arbitrary<Partial<Row>> = fc.constantFrom(
    { deviceNs: 200 },
    { deviceNs: Math.fround(3e9) },
    { sector: 2 ** 31 },
    { bytes: 2 ** 24 },
  );

  it('the axis of a new picture holds every value, also one outside the sample', () => {
    fc.assert(
      fc.property(
        fc.nat(ROWS - 1),
        extremes,
        fc.constantFrom(...METRICS),
        (at, changes, metric) => {
          const rows = rowsWith(at, changes);
          const { map } = createMap(rows, metric).live;
          expect(contentsOf(map)).toEqual(countPlainly(map, rows));
          for (let column = 0; column < map.columns; column++) {
            expect(map.aboveCount(column)).toBe(0);
            expect(map.belowCount(column)).toBe(0);
          }
        },
      ),
      { numRuns: 30 },
    );
  });

  it('the axis after changing the outlier mode is the same as if opened with it', () => {
    const rows = rowsWith(9999, { deviceNs: Math.fround(3e9) });
    const { live, show } = createMap(rows, 'device');
    const whole = live.map.scale.domain;
    show(0.05);
    live.update(20 * SECOND);
    expect(live.map.scale.domain.high).toBeLessThan(whole.high);
    expect(contentsOf(live.map)).toEqual(countPlainly(live.map, rows));
    show(0);
    live.update(20 * SECOND);
    expect(live.map.scale.domain).toEqual(whole);
    expect(contentsOf(live.map)).toEqual(countPlainly(live.map, rows));
  });
});
