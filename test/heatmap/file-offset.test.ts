import { describe, expect, it } from 'vitest';
import { boxConditions } from '../../src/filter/box.ts';
import type { Box } from '../../src/filter/box.ts';
import { NO_FILTER } from '../../src/filter/filter.ts';
import type { Filter } from '../../src/filter/filter.ts';
import { formatFilter } from '../../src/filter/language/format.ts';
import { compileFilter } from '../../src/filter/match/match.ts';
import { LiveHeatmap } from '../../src/heatmap/time/live-heatmap.ts';
import { boxOfCells } from '../../src/heatmap/cells/box-of-cells.ts';
import { totalsOf } from '../../src/heatmap/time/totals.ts';
import { createHistory } from '../../src/history/history.ts';
import { allOf } from '../../src/filter/filter.ts';
import { inspectBox } from '../query/fixtures/at-once.ts';
import { parsed } from '../filter/fixtures.ts';
import { columnsOf, createInfo, uniformSummary } from '../history/fixtures.ts';

const MIB = 2 ** 20;
const COLUMNS = 10;
const COLUMN_NS = 1e9;
const ROW = { deviceNs: 1e6, queueNs: 1e3, sector: 8, bytes: 4096, key: 0 };

/** Reads of two files at different places, one of an unknown place, and `aggregated` known only as counts. */
function bench(filter: Filter = NO_FILTER, aggregated = 0) {
  const info = createInfo();
  const { files } = info.identities;
  const fileOf = (inode: number, path: string): number =>
    files.intern({ kind: 'file', dev: 1, inode, generation: 0, path });
  const [table, log] = [fileOf(1, '/db/table'), fileOf(2, '/db/log')];
  const history = createHistory({ info, budgetBytes: 2 ** 24 });
  const places = [0, 64 * MIB, 200 * MIB];
  const rows = places.map((fileOffset, i) => ({
    ...{ ...ROW, file: table, fileOffset },
    completeNs: (i + 1) * COLUMN_NS,
  }));
  const other = { ...ROW, file: log, fileOffset: 3 * 2 ** 30, completeNs: 5 * COLUMN_NS };
  const unknown = { ...ROW, file: table, completeNs: 6 * COLUMN_NS };
  history.append(columnsOf([...rows, other, unknown]));
  if (aggregated > 0)
    history.appendAggregate(
      uniformSummary(6.5 * COLUMN_NS, 0, aggregated, { ...ROW, completeNs: 0 }),
    );
  const compiled = compileFilter(filter, info.identities, info);
  const live = new LiveHeatmap(history, {
    ...{ metric: 'file-offset', scale: 'log', outlierCut: 0, columnNs: COLUMN_NS },
    ...{ columns: COLUMNS, bins: 40, filter: compiled, disks: [{ dev: 1, sizeBytes: 2 ** 40 }] },
  });
  live.update(COLUMNS * COLUMN_NS - 1);
  const inspect = (box: Box) => inspectBox(history, box, compiled, info);
  return { live, inspect, info, history };
}

describe('the map of offsets in a file', () => {
  it('the map of offsets in a file has the I/O of one file at its place in it, on a linear axis that fits the file', () => {
    const { live } = bench(parsed('file=/db/table'));
    const { map } = live;
    expect(map.scale).toMatchObject({ kind: 'linear', domain: { low: 0, high: 256 * MIB } });
    const places = [1, 2, 3].map((column) =>
      Array.from({ length: map.bins }, (_, bin) => bin).filter((bin) => map.count(column, bin) > 0),
    );
    expect(places).toEqual([[0], [10], [31]]);
  });

  it('the map of offsets in a file counts I/O of unknown places next to the map, also what is known only as counts', () => {
    const { live } = bench(NO_FILTER, 7);
    expect(totalsOf(live.map)).toMatchObject({ unmeasurable: 8 });
    const ofFile = bench(parsed('file=/db/table'), 7).live;
    expect(totalsOf(ofFile.map)).toMatchObject({ unmeasurable: 1, undecided: 7 });
  });

  it('the map of offsets in a file has boxes whose contents are those of the filter that they become', () => {
    const { live, inspect, info, history } = bench(parsed('file=/db/table'), 7);
    const box = boxOfCells(live.map, 0, COLUMNS - 1, 8, 20);
    const report = inspect(box);
    expect(report).toMatchObject({ count: 1, leastCount: 1 });
    expect(report.slowest[0]).toMatchObject({ fileOffset: 64 * MIB });
    const conditions = allOf(boxConditions(box));
    expect(formatFilter(conditions)).toMatch(/^fileoffset>=\S+ fileoffset<\S+$/);
    const asked = allOf([parsed('file=/db/table'), conditions]);
    const whole: Box = {
      metric: 'total',
      startNs: 0,
      endNs: COLUMNS * COLUMN_NS,
      low: 0,
      high: Infinity,
    };
    const compiled = compileFilter(asked, info.identities, info);
    expect(inspectBox(history, whole, compiled, info)).toMatchObject({ leastCount: 1 });
  });

  it('the map of offsets in a file does not take aggregated I/O for I/O outside of a box', () => {
    const { live, inspect } = bench(NO_FILTER, 7);
    const { leastCount, mostCount } = inspect(boxOfCells(live.map, 0, COLUMNS - 1, 0, 5));
    expect([leastCount, mostCount]).toEqual([3, 10]);
  });
});
