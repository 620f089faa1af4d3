import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { boxConditions } from '../../src/filter/box.ts';
import { allOf, NO_FILTER } from '../../src/filter/filter.ts';
import { formatFilter } from '../../src/filter/language/format.ts';
import { compileFilter } from '../../src/filter/match/match.ts';
import { boxOfCells } from '../../src/heatmap/cells/box-of-cells.ts';
import { JointMap } from '../../src/heatmap/joint/joint-map.ts';
import { withShares } from '../../src/heatmap/time/heatmap-spec.ts';
import type { HeatmapDisk, HeatmapSpec } from '../../src/heatmap/time/heatmap-spec.ts';
import { LiveHeatmap } from '../../src/heatmap/time/live-heatmap.ts';
import { createHistory } from '../../src/history/history.ts';
import { inspectBox } from '../query/fixtures/at-once.ts';
import { columnsOf, createInfo, LOOP, SDA, someKeys } from '../history/fixtures.ts';
import type { Row } from '../history/fixtures.ts';

fc.configureGlobal({ seed: 20_100_701 });

const SMALL = { dev: SDA, name: 'sda', sizeBytes: 2 ** 31 };
const LARGE = { dev: LOOP, name: 'loop0', sizeBytes: 2 ** 38 };
const SECTORS = [SMALL.sizeBytes / 512, LARGE.sizeBytes / 512];

/** Keys by turns on the small and the large disk. */
const KEYS = someKeys();

function pictureOf(
  rows: readonly Partial<Row>[],
  disks: readonly HeatmapDisk[],
  changes: Partial<HeatmapSpec> = {},
  detailRows?: number,
) {
  const info = createInfo(KEYS);
  const budget = { budgetBytes: 2 ** 24, sliceNs: 1e6, ...(detailRows && { detailRows }) };
  const history = createHistory({ info, ...budget });
  for (let from = 0; from < rows.length; from += 4)
    history.append(columnsOf(rows.slice(from, from + 4)));
  const filter = compileFilter(NO_FILTER, info.identities, info);
  const asked = { metric: 'offset', scale: 'linear', outlierCut: 0, filter, disks } as const;
  const size = { columnNs: 1e9, columns: 4, bins: 50 };
  const spec = withShares({ ...asked, ...size, ...changes }, info.identities);
  const live = new LiveHeatmap(history, spec);
  live.update(3.5e9);
  return { live, map: live.map, history, info, spec };
}

/** Filled bins of the third column. */
function filledBins({ live: { map } }: ReturnType<typeof pictureOf>): number[] {
  return Array.from({ length: map.bins }, (_, bin) => bin).filter((bin) => map.count(2, bin) > 0);
}

const atNs = { completeNs: 2.5e9 };

describe('offsets on several disks', () => {
  it('offsets on disks of different size are drawn as shares of each disk', () => {
    const rows = [0, 1].flatMap((key) =>
      [0, 0.25, 0.5].map((share) => ({ ...atNs, key, sector: share * SECTORS[key]! })),
    );
    const last = [0, 1].map((key) => ({ ...atNs, key, sector: SECTORS[key]! - 8 }));
    const picture = pictureOf([...rows, ...last], [SMALL, LARGE]);
    expect(picture.map.axisValues).toBe('diskShare');
    expect(picture.map.scale.domain).toEqual({ low: 0, high: 1 });
    expect(filledBins(picture)).toEqual([0, 12, 25, 49]);
    expect(picture.map.count(2, 49)).toBe(2);
  });

  it.each([
    ['one disk', [LARGE]],
    ['disks of the same size', [LARGE, { ...SMALL, sizeBytes: LARGE.sizeBytes }]],
    ['a disk of unknown size among them', [LARGE, { dev: SDA }]],
  ])('offsets are drawn in bytes for %s', (_, disks) => {
    const { map } = pictureOf([{ ...atNs, key: 1, sector: 8 }], disks);
    expect(map.axisValues).toBe('offset');
    expect(map.scale.domain.high).toBeGreaterThanOrEqual(2 ** 20);
  });

  it('I/O beyond the end of its disk, which has shrunk, is in the outlier row', () => {
    const { map } = pictureOf([{ ...atNs, key: 0, sector: SECTORS[0]! * 3 }], [SMALL, LARGE]);
    expect(map.aboveCount(2)).toBe(1);
  });

  it('an axis zoomed to shares or to bytes stays what it is when the disks change', () => {
    const rows = [{ ...atNs, key: 1, sector: SECTORS[1]! / 2 }];
    const shares = { valueRange: { low: 0.4, high: 0.6, isShare: true } };
    expect(pictureOf(rows, [LARGE], shares).map.scale.domain).toEqual({ low: 0.4, high: 0.6 });
    const bytes = { valueRange: { low: 2 ** 30, high: 2 ** 31 } };
    const { map } = pictureOf(rows, [SMALL, LARGE], bytes);
    expect(map.axisValues).toBe('offset');
    expect(map.scale.domain).toEqual({ low: 2 ** 30, high: 2 ** 31 });
    const unknown = pictureOf(rows, [{ dev: LOOP }], shares);
    expect(unknown.map.axisValues).toBe('offset');
    expect(unknown.spec.valueRange).toBeUndefined();
  });

  it('a box of shares, and the filter made from it, hold exactly the I/Os that the map counts there', () => {
    const anyRow = fc.record({
      completeNs: fc.integer({ min: 0, max: 4e9 - 1 }),
      key: fc.nat(KEYS.length - 1),
      // Also exactly on the edges of bins.
      share: fc.oneof(
        fc.double({ min: 0, max: 0.999, noNaN: true }),
        fc.nat(49).map((n) => n / 50),
      ),
    });
    const anyCorners = fc.tuple(fc.nat(3), fc.nat(3), fc.nat(50), fc.nat(50));
    const anySize = fc.integer({ min: 50, max: 2 ** 32 });
    const property = fc.property(
      fc.array(anyRow, { maxLength: 100 }),
      anyCorners,
      anySize,
      (drawn, [column0, column1, bin0, bin1], sectors) => {
        const sizes = [sectors, SECTORS[1]!];
        const small = { ...SMALL, sizeBytes: sectors * 512 };
        const rows = drawn.map(({ share, ...row }) => {
          return { ...row, sector: Math.floor(share * sizes[row.key % 2]!) };
        });
        const { map, history, info } = pictureOf(rows, [small, LARGE]);
        const box = boxOfCells(map, column0, column1, bin0, bin1);
        let count = 0;
        for (
          let column = Math.min(column0, column1);
          column <= Math.max(column0, column1);
          column++
        )
          for (let bin = Math.min(bin0, bin1); bin <= Math.max(bin0, bin1); bin++)
            count += map.count(column, bin);
        const all = compileFilter(NO_FILTER, info.identities, info);
        expect(inspectBox(history, box, all, info).count).toBe(count);
        const named = {
          ...info,
          device: (dev: number) => [small, LARGE].find((d) => d.dev === dev),
        };
        const asked = compileFilter(allOf(boxConditions(box)), info.identities, named);
        const everyValue = { ...box, metric: 'utilization', low: 0, high: Infinity } as const;
        expect(inspectBox(history, everyValue, asked, info).count).toBe(count);
      },
    );
    fc.assert(property, { numRuns: 300 });
  });

  it('a box of shares holds what the map shows also where I/O is aggregated', () => {
    const rows = Array.from({ length: 400 }, (_, i) => {
      const key = i % 2;
      return {
        completeNs: i * 9e6,
        key,
        sector: Math.floor((SECTORS[key]! * ((i * 37) % 400)) / 400),
      };
    });
    const { map, history, info } = pictureOf(rows, [SMALL, LARGE], { bins: 20 }, 40);
    const filter = compileFilter(NO_FILTER, info.identities, info);
    for (let bin = 0; bin < map.bins; bin++) {
      const shown = [0, 1, 2, 3].reduce((sum, column) => sum + map.count(column, bin), 0);
      const report = inspectBox(history, boxOfCells(map, 0, 3, bin, bin), filter, info);
      expect(report.count).toBe(shown);
      expect(report.fromSlices).toBeGreaterThan(0);
    }
  });

  it('the filter made from a box names the bytes of each disk, once for disks of the same size', () => {
    const box = { metric: 'offset', startNs: 0, endNs: 1e9, low: 0.5, high: 0.75 } as const;
    const twin = { ...SMALL, dev: 9, name: 'sdb' };
    const text = (disks: (typeof SMALL)[]): string =>
      formatFilter(allOf(boxConditions({ ...box, disks })));
    expect(text([SMALL, twin, LARGE])).toBe(
      'disk=sda,sdb offset>=1g offset<1.5g or disk=loop0 offset>=128g offset<192g',
    );
    const hosted = { ...twin, name: 'sda', host: 'web2' };
    expect(text([{ ...SMALL, host: 'web1' } as typeof SMALL, hosted])).toBe(
      '(disk=sda host=web1 or disk=sda host=web2) offset>=1g offset<1.5g',
    );
  });

  it('a map of offset and latency has shares on its x axis, for disks of different size', () => {
    const rows = [0, 1].map((key) => ({ ...atNs, key, sector: SECTORS[key]! / 2 }));
    const { history, info } = pictureOf(rows, [SMALL, LARGE]);
    const filter = compileFilter(NO_FILTER, info.identities, info);
    const asked = { metric: 'total', scale: 'log', outlierCut: 0, filter } as const;
    const size = { columnNs: 1e9, columns: 10, bins: 10, across: 'offset' } as const;
    const spec = { ...asked, ...size, disks: [SMALL, LARGE] };
    const joint = new JointMap(history, { ...spec, ...withShares(spec, info.identities) });
    joint.update(3.5e9);
    expect(joint.acrossValues).toBe('diskShare');
    expect(joint.map.columnTotal(5)).toBe(2);
  });
});
