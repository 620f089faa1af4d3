import { describe, expect, it } from 'vitest';
import { JointMap } from '../../src/heatmap/joint/joint-map.ts';
import { LaneMap } from '../../src/heatmap/lanes/lane-map.ts';
import { LiveHeatmap } from '../../src/heatmap/time/live-heatmap.ts';
import { createHistory, MIN_BUDGET_BYTES } from '../../src/history/history.ts';
import type { History } from '../../src/history/history.ts';
import { createColumns } from '../../src/model/completion-columns.ts';
import type { CompletionColumns } from '../../src/model/completion-columns.ts';
import { compileFilter } from '../../src/filter/match/match.ts';
import { LANE_FIGURES, OUTLIER_CUTS, SCALE_KINDS } from '../../src/model/metric.ts';
import { SeededRandom } from '../random.ts';
import { createInfo, LOOP, SDA, someKeys } from '../history/fixtures.ts';
import { parsed } from '../filter/fixtures.ts';
import { contentsOf, laneOwners } from './fixtures.ts';

const SECOND = 1e9;
/** More than what a counting stops at, several times over, and than what the history keeps singly. */
const ROWS_PER_SECOND = 16_384;
const SECONDS = 40;
const COLUMNS = 40;
/** Far more than it takes. */
const MOST_PARTS = 300;
const FILTERS = ['', 'disk=sda', 'lat>200us', 'pid!=1 size>=4k'];

const immediately = (): boolean => true;

function createRows(random: SeededRandom, atNs: number, count: number): CompletionColumns {
  const rows = createColumns(count);
  rows.length = count;
  for (let row = 0; row < count; row++) {
    rows.completeNs[row] = Math.floor(atNs + (row / count) * SECOND - random.below(2e6));
    rows.deviceNs[row] = 100e3 * 2 ** (4 * random.next()) * (random.below(5000) === 0 ? 300 : 1);
    rows.queueNs[row] = random.below(20) === 0 ? NaN : 5e3 * 2 ** (3 * random.next());
    rows.sector[row] = random.below(20) === 0 ? NaN : random.below(2 ** 21);
    rows.bytes[row] = 512 * random.below(64);
    rows.identity[row] = random.below(8);
  }
  return rows;
}

interface Shown {
  append(rows: CompletionColumns): void;
  update(nowNs: number, shouldYield?: () => boolean): void;
  readonly isCounting: boolean;
  readonly countedShare: number;
}

/** Counts in parts while I/O arrives and the oldest goes; gives back what it then shows. */
function play<T extends Shown>(
  seed: number,
  create: (history: History, random: SeededRandom, info: ReturnType<typeof createInfo>) => () => T,
): { readonly inParts: T; readonly atOnce: T; readonly history: History; readonly parts: number } {
  const random = new SeededRandom(seed, 1);
  const info = createInfo(someKeys());
  const history = createHistory({ info, budgetBytes: MIN_BUDGET_BYTES });
  const fresh = create(history, random, info);
  for (let second = 0; second < SECONDS; second++)
    history.append(createRows(random, second * SECOND, ROWS_PER_SECOND));
  const inParts = fresh();
  let nowNs = SECONDS * SECOND;
  let parts = 0;
  inParts.update(nowNs, immediately);
  for (; inParts.isCounting && parts < MOST_PARTS; parts++) {
    expect(inParts.countedShare).toBeGreaterThan(0);
    if (parts % 2 === 0 && parts < 40) {
      const rows = createRows(random, nowNs, 1 + random.below(4 * ROWS_PER_SECOND));
      history.append(rows);
      inParts.append(rows);
      nowNs += SECOND;
    }
    inParts.update(nowNs, immediately);
  }
  expect(inParts.countedShare).toBe(1);
  const atOnce = fresh();
  atOnce.update(nowNs);
  return { inParts, atOnce, history, parts };
}

const SEEDS = [1, 2, 3, 4, 5];
const DISKS = [
  { dev: SDA, sizeBytes: 2 ** 30 },
  { dev: LOOP, sizeBytes: 2 ** 30 },
];

function pick<T>(random: SeededRandom, from: readonly T[]): T {
  return from[random.below(from.length)]!;
}

describe('a picture that is counted in parts', () => {
  it.each(SEEDS)('a heat map counted in turns equals one counted at once (seed %i)', (seed) => {
    let areKeysEnough = false as boolean;
    const { inParts, atOnce, history, parts } = play(seed, (past, random, info) => {
      const spec = {
        metric: pick(random, ['device', 'queue', 'total', 'size', 'offset'] as const),
        scale: pick(random, SCALE_KINDS),
        outlierCut: pick(random, OUTLIER_CUTS),
        columnNs: pick(random, [SECOND, 2 * SECOND, 3 * SECOND]),
        columns: COLUMNS,
        bins: 30,
        filter: compileFilter(parsed(pick(random, FILTERS)), info.identities, info),
        disks: DISKS,
      };
      areKeysEnough = spec.filter.quantities.length === 0;
      return () => new LiveHeatmap(past, spec);
    });
    expect(parts).toBeGreaterThan(3);
    expect(inParts.map.startNs).toBe(atOnce.map.startNs);
    expect(inParts.map.scale.domain).toEqual(atOnce.map.scale.domain);
    expect(inParts.observedNs).toBe(atOnce.observedNs);
    const [mine, all] = [columnsOf(inParts), columnsOf(atOnce)];
    const borderNs = history.detailStartNs;
    let compared = 0;
    for (let column = 0; column < COLUMNS; column++) {
      // Single I/Os that were judged before they went say more than sums do of the same I/O.
      if (areKeysEnough)
        expect(inParts.map.columnTotal(column)).toBe(atOnce.map.columnTotal(column));
      if (inParts.map.startNs + column * inParts.map.columnNs < borderNs) continue;
      expect(mine[column]).toEqual(all[column]);
      compared++;
    }
    expect(compared).toBeGreaterThan(2);
  });

  it.each(SEEDS)(
    'a map of two values counted in turns equals one counted at once (seed %i)',
    (seed) => {
      const { inParts, atOnce, parts } = play(seed, (past, random, info) => {
        const spec = {
          metric: pick(random, ['device', 'total'] as const),
          across: pick(random, ['size', 'offset'] as const),
          scale: pick(random, SCALE_KINDS),
          outlierCut: pick(random, OUTLIER_CUTS),
          columnNs: pick(random, [SECOND / 4, SECOND, 3 * SECOND]),
          columns: COLUMNS,
          bins: 30,
          filter: compileFilter(parsed(pick(random, FILTERS)), info.identities, info),
          disks: DISKS,
        };
        return () => new JointMap(past, spec);
      });
      expect(parts).toBeGreaterThan(0);
      expect(contentsOf(inParts.map)).toEqual(contentsOf(atOnce.map));
      expect(inParts.across.domain).toEqual(atOnce.across.domain);
      expect(countsOf(inParts)).toEqual(countsOf(atOnce));
      expect(inParts.observedNs).toBe(atOnce.observedNs);
    },
  );

  it.each(SEEDS)('disk lanes counted in turns equal those counted at once (seed %i)', (seed) => {
    const { inParts, atOnce, parts } = play(seed, (past, random, info) => {
      const spec = {
        metric: pick(random, ['device', 'total'] as const),
        figure: pick(random, LANE_FIGURES),
        columnNs: pick(random, [SECOND, 2 * SECOND, 3 * SECOND]),
        columns: COLUMNS,
        filter: compileFilter(parsed(pick(random, FILTERS.slice(0, 2))), info.identities, info),
        owners: laneOwners(
          'disk',
          info,
          DISKS.map(({ dev }) => dev),
        ),
      };
      return () => new LaneMap(past, spec);
    });
    expect(parts).toBeGreaterThan(3);
    for (let lane = 0; lane < DISKS.length; lane++)
      for (let column = 0; column < COLUMNS; column++)
        expect(inParts.counts.count(lane, column)).toBe(atOnce.counts.count(lane, column));
    expect(inParts.counts.unmeasuredTotal).toBe(atOnce.counts.unmeasuredTotal);
    expect(inParts.observedNs).toBe(atOnce.observedNs);
  });
});

function columnsOf({ map }: LiveHeatmap): unknown[] {
  return contentsOf(map) as unknown[];
}

function countsOf({ leftOut, aggregated }: JointMap): unknown {
  const { left, right, withoutAcross, unmeasurable, undecided } = leftOut;
  return { left, right, withoutAcross, unmeasurable, undecided, aggregated };
}
