import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { compileFilter } from '../../src/filter/match/match.ts';
import { LaneRanking } from '../../src/heatmap/lanes/lane-ranking.ts';
import { laneSubjects } from '../../src/heatmap/lanes/lane-subjects.ts';
import type { LaneSubjects } from '../../src/heatmap/lanes/lane-subjects.ts';
import { LaneMap } from '../../src/heatmap/lanes/lane-map.ts';
import { fillPlaces, placeSubjects, topSubjects } from '../../src/heatmap/lanes/place-subjects.ts';
import { createHistory, MIN_BUDGET_BYTES } from '../../src/history/history.ts';
import type { History } from '../../src/history/history.ts';
import type { HistoryInfo } from '../../src/history/slices/identity-facts.ts';
import { fileNumber, fileText, MERGED_FILES, OTHER_FILES } from '../../src/model/file.ts';
import { otherIdentity } from '../../src/model/folded-identity.ts';
import { IdentityMark } from '../../src/model/identity.ts';
import { columnsOf, createInfo, keyOf, summaryOf } from '../history/fixtures.ts';
import type { Row } from '../history/fixtures.ts';
import { parsed } from '../filter/fixtures.ts';

fc.configureGlobal({ seed: 20_100_702, endOnFailure: true });

const SECOND = 1e9;
const COLUMNS = 16;

interface SetUp {
  readonly info: HistoryInfo;
  readonly history: History;
  /** Numbers of /srv/a, /srv/b and so on. */
  readonly files: readonly number[];
  readonly subjects: LaneSubjects;
}

function setUp(count: number): SetUp {
  const info = createInfo([keyOf()]);
  const files = Array.from({ length: count }, (_, i) =>
    info.identities.files.intern({
      kind: 'file',
      dev: 1,
      inode: 10 + i,
      generation: 0,
      path: `/srv/${String.fromCharCode(97 + i)}`,
    }),
  );
  const history = createHistory({ info, budgetBytes: MIN_BUDGET_BYTES });
  return { info, history, subjects: laneSubjects('file', info), files };
}

function rankingOf({ info, history, subjects }: SetUp, most: number, filter = ''): LaneRanking {
  const compiled = compileFilter(parsed(filter), info.identities, info);
  return new LaneRanking(history, {
    subjects,
    columnNs: SECOND,
    columns: COLUMNS,
    most,
    filter: compiled,
  });
}

function lanesOf(
  { info, history, subjects }: SetUp,
  texts: readonly string[],
  filter = '',
): LaneMap {
  const compiled = compileFilter(parsed(filter), info.identities, info);
  return new LaneMap(history, {
    owners: { subjects, keys: texts },
    metric: 'total',
    figure: 'mean',
    columnNs: SECOND,
    columns: COLUMNS,
    filter: compiled,
  });
}

/** As many I/Os of each file as asked for, in the second before `atNs`. */
function rowsOf(counts: readonly (readonly [file: number, count: number])[], atNs: number): Row[] {
  return counts.flatMap(([file, count]) =>
    Array.from({ length: count }, (_, i) => ({
      completeNs: atNs - 1 - i,
      deviceNs: 1e6,
      queueNs: 0,
      sector: 0,
      bytes: 4096,
      key: 0,
      file,
    })),
  );
}

describe('which files have lanes', () => {
  it('those with the most I/O come first', () => {
    const counts = [3, 0, 0, 7, 9, 7];
    expect(topSubjects(counts, 3, [])).toEqual([4, 3, 5]);
    expect(topSubjects(counts, 3, [4])).toEqual([3, 5, 0]);
  });

  it('"other files" never has a lane, whatever its I/O', () => {
    const parts = setUp(1);
    const [a] = parts.files as [number];
    const { files } = parts.info.identities;
    const nobody = { kind: 'file', dev: 1, inode: 0, generation: 0 } as const;
    const counts = [
      [OTHER_FILES, 9],
      [files.intern({ ...nobody, path: '/srv/' }), 8],
      [a, 2],
    ] as const;
    parts.history.append(columnsOf(rowsOf(counts, SECOND)));
    const ranking = rankingOf(parts, 3);
    ranking.update(SECOND);
    expect([ranking.places, ranking.others]).toEqual([[a], 0]);
  });

  it('files that replaced each other under one path take one place, with the I/O of all', () => {
    const parts = setUp(3);
    const [a, b, c] = parts.files as [number, number, number];
    const { files } = parts.info.identities;
    const replaced = [1, 2, 3, 4].map((generation) =>
      files.intern({ kind: 'file', dev: 1, inode: 99, generation, path: '/srv/a' }),
    );
    const ofEach = replaced.map((file) => [file, 5] as const);
    parts.history.append(columnsOf(rowsOf([[a, 2], ...ofEach, [b, 4], [c, 21]], SECOND)));
    const ranking = rankingOf(parts, 3);
    ranking.update(SECOND);
    expect(ranking.places.map((file) => parts.subjects.key(file))).toEqual([
      '/srv/a',
      '/srv/c',
      '/srv/b',
    ]);
    expect([ranking.others, ranking.hasRest]).toEqual([0, false]);
  });

  it('there is a rest if a file has no lane, and if I/O is of no file or known only as a count', () => {
    const parts = setUp(2);
    const [a, b] = parts.files as [number, number];
    const one = [[a, 2]] as const;
    parts.history.append(columnsOf(rowsOf(one, SECOND)));
    const hasRest = (most: number, filter = '', atNs = SECOND): boolean => {
      const ranking = rankingOf(parts, most, filter);
      ranking.update(atNs);
      return ranking.hasRest;
    };
    expect([hasRest(2), hasRest(0)]).toEqual([false, true]);
    parts.history.append(columnsOf(rowsOf([[OTHER_FILES, 1]], 40 * SECOND)));
    parts.history.append(columnsOf(rowsOf([[b, 1]], 40 * SECOND)));
    expect(hasRest(2, '', 40 * SECOND)).toBe(true);
    expect(hasRest(2, 'file=/srv/b', 40 * SECOND)).toBe(false);
    const span = { startNs: 79 * SECOND, endNs: 80 * SECOND };
    parts.history.appendAggregate(summaryOf({ ...span, count: 7, identity: 0 }));
    expect(hasRest(2, '', 80 * SECOND)).toBe(true);
    expect(hasRest(2, '', 120 * SECOND)).toBe(false);
  });

  it('the rest is unknown if all of it is of no process, and may be of more of them if some was folded or aggregated', () => {
    const named = keyOf({ tgid: 7, tid: 7, comm: 'mysqld' });
    const unknown = keyOf({ tgid: 0, tid: 0, marks: IdentityMark.ownerUnknown });
    const info = createInfo([named, unknown, otherIdentity(named)]);
    const history = createHistory({ info, budgetBytes: MIN_BUDGET_BYTES });
    const parts = { info, history, files: [], subjects: laneSubjects('process', info) };
    const restAt = (atNs: number, most = 3): boolean[] => {
      const ranking = rankingOf(parts, most);
      ranking.update(atNs);
      return [ranking.hasRest, ranking.restIsUnknown, ranking.hasMoreOthers];
    };
    const row = (key: number, atNs: number): Partial<Row> => ({ key, completeNs: atNs - 1 });
    history.append(columnsOf([row(0, SECOND)]));
    expect(restAt(SECOND)).toEqual([false, false, false]);
    history.append(columnsOf([row(0, 40 * SECOND), row(1, 40 * SECOND)]));
    expect(restAt(40 * SECOND)).toEqual([true, true, false]);
    expect(restAt(40 * SECOND, 0)).toEqual([true, false, false]);
    history.append(columnsOf([row(1, 80 * SECOND), row(2, 80 * SECOND)]));
    expect(restAt(80 * SECOND)).toEqual([true, false, true]);
  });

  it('a file keeps its lane until another has more than twice its I/Os, which takes over its place', () => {
    const places = placeSubjects([], [0, 0, 10, 20, 30], 2);
    expect(places).toEqual([4, 3]);
    expect(placeSubjects(places, [0, 0, 50, 25, 30], 2)).toEqual([4, 3]);
    expect(placeSubjects(places, [0, 0, 51, 25, 30], 2)).toEqual([4, 2]);
  });

  it('a file without I/O loses its lane, and one with I/O gets a free lane at once', () => {
    expect(placeSubjects([4, 3, 2], [0, 0, 1, 0, 1], 3)).toEqual([4, 2]);
    expect(fillPlaces([4], [0, 0, 5, 9, 1], 3)).toEqual([4, 3, 2]);
    expect(fillPlaces([4, 3], [0, 0, 5, 9, 1], 2)).toEqual([4, 3]);
  });

  it('whatever happens, no file has two lanes and every lane has a file with I/O', () => {
    const anyCounts = fc.array(fc.nat(9), { minLength: 3, maxLength: 12 });
    fc.assert(
      fc.property(
        fc.array(anyCounts, { maxLength: 8 }),
        fc.integer({ min: 0, max: 5 }),
        (all, most) => {
          let places: readonly number[] = [];
          for (const counts of all) {
            const padded = Array.from({ length: 12 }, (_, file) => counts[file] ?? 0);
            places = placeSubjects(places, padded, most);
            expect(new Set(places).size).toBe(places.length);
            expect(places.length).toBeLessThanOrEqual(most);
            for (const file of places) expect(padded[file]).toBeGreaterThan(0);
            const withIo = padded.filter((count) => count > 0).length;
            expect(places.length).toBe(Math.min(most, withIo));
          }
        },
      ),
    );
  });

  it('lanes stay where they are from one second to the next', () => {
    const parts = setUp(4);
    const [a, b, c, d] = parts.files as [number, number, number, number];
    const ranking = rankingOf(parts, 3);
    const seen: string[] = [];
    for (let second = 1; second <= 60; second++) {
      // The three take turns in having the most I/O; the fourth never has twice that of another.
      const busy = [a, b, c].map((file, i) => [file, second % 3 === i ? 15 : 10] as const);
      const rows = columnsOf(rowsOf([...busy, [d, 12]], second * SECOND));
      parts.history.append(rows);
      ranking.append(rows);
      ranking.update(second * SECOND);
      seen.push(ranking.places.join());
    }
    expect(new Set(seen).size).toBe(1);
    expect(ranking.others).toBe(1);
  });

  it('a file that became busy has a lane soon, and one whose I/O has left the picture has none', () => {
    const parts = setUp(2);
    const [a, b] = parts.files as [number, number];
    const ranking = rankingOf(parts, 1);
    const atSecond = (second: number, file: number): readonly number[] => {
      const rows = columnsOf(rowsOf([[file, 10]], second * SECOND));
      parts.history.append(rows);
      ranking.append(rows);
      ranking.update(second * SECOND);
      return ranking.places;
    };
    for (let second = 1; second <= 4; second++) expect(atSecond(second, a)).toEqual([a]);
    let taken = 0;
    for (let second = 5; taken === 0; second++) if (atSecond(second, b)[0] === b) taken = second;
    // More than twice the I/O of the first four seconds, at the next eighth of the picture.
    expect(taken).toBeLessThanOrEqual(15);
  });

  it('only I/O that passes the filter has lanes', () => {
    const parts = setUp(3);
    const [a, b] = parts.files as [number, number, number];
    parts.history.append(
      columnsOf(
        rowsOf(
          [
            [a, 3],
            [b, 9],
          ],
          SECOND,
        ),
      ),
    );
    const ranking = rankingOf(parts, 3, 'file=/srv/a');
    ranking.update(SECOND);
    expect(ranking.places).toEqual([a]);
    expect(ranking.others).toBe(0);
  });

  it('ranking in turns ends like ranking at once', () => {
    const parts = setUp(6);
    for (let second = 1; second <= 30; second++)
      parts.history.append(
        columnsOf(
          rowsOf(
            parts.files.map((file, i) => [file, 1500 + i] as const),
            second * SECOND,
          ),
        ),
      );
    const [inParts, atOnce] = [rankingOf(parts, 4), rankingOf(parts, 4)];
    atOnce.update(30 * SECOND);
    inParts.update(30 * SECOND, () => true);
    expect(inParts.isCounting).toBe(true);
    expect(inParts.places).toEqual([]);
    while (inParts.isCounting) inParts.update(30 * SECOND, () => true);
    expect(inParts.places).toEqual(atOnce.places);
  });
});

describe('lanes of files', () => {
  it('every I/O is in one lane: that of its file, or the last', () => {
    const anyFiles = fc.array(fc.nat(5), { maxLength: 100 });
    fc.assert(
      fc.property(anyFiles, fc.boolean(), (chosen, isFiltered) => {
        const parts = setUp(5);
        const numbers = [...parts.files, 0];
        const filter = isFiltered ? 'file!=/srv/a' : '';
        const files = chosen.map((i) => numbers[i]! + (i === 2 ? MERGED_FILES : 0));
        const lanes = lanesOf(parts, ['/srv/b', '/srv/c'], filter);
        lanes.update(SECOND);
        const rows = columnsOf(files.map((file) => rowsOf([[file, 1]], SECOND)[0]!));
        parts.history.append(rows);
        lanes.append(rows);
        lanes.update(SECOND);
        const table = parts.info.identities.files;
        const texts = files
          .map((file) => fileText(table.get(fileNumber(file))))
          .filter((text) => !isFiltered || text !== '/srv/a');
        const inFile = (text: string): number => texts.filter((other) => other === text).length;
        const [b, c] = [inFile('/srv/b'), inFile('/srv/c')];
        const shown = [0, 1, 2].map((lane) => lanes.counts.laneTotal(lane));
        expect(shown).toEqual([b, c, texts.length - b - c]);
      }),
      { numRuns: 100 },
    );
  });

  it('files of the same path share a lane, as they share a filter', () => {
    const parts = setUp(1);
    const [a] = parts.files as [number];
    const again = { kind: 'file', dev: 1, inode: 99, generation: 0, path: '/srv/a' } as const;
    const replaced = parts.info.identities.files.intern(again);
    parts.history.append(
      columnsOf(
        rowsOf(
          [
            [a, 2],
            [replaced, 3],
          ],
          SECOND,
        ),
      ),
    );
    const lanes = lanesOf(parts, ['/srv/a']);
    lanes.update(SECOND);
    expect(lanes.counts.laneTotal(0)).toBe(5);
  });

  it('I/O that is only known as a count is in the last lane, and counted as aggregated', () => {
    const parts = setUp(1);
    const lanes = lanesOf(parts, ['/srv/a']);
    lanes.update(SECOND);
    const summary = summaryOf({ startNs: 0, endNs: SECOND, count: 7, identity: 0 });
    parts.history.appendAggregate(summary);
    lanes.appendAggregate(summary);
    lanes.update(SECOND);
    expect([0, 1].map((lane) => lanes.counts.laneTotal(lane))).toEqual([0, 7]);
    expect(lanes.counts.laneUnknownTotal).toBe(7);
    lanes.update(40 * SECOND);
    expect(lanes.counts.laneUnknownTotal).toBe(0);
  });

  it('other files in the lanes count the picture again', () => {
    const parts = setUp(2);
    const [a, b] = parts.files as [number, number];
    parts.history.append(
      columnsOf(
        rowsOf(
          [
            [a, 2],
            [b, 3],
          ],
          SECOND,
        ),
      ),
    );
    const lanes = lanesOf(parts, ['/srv/a']);
    lanes.update(SECOND);
    const { info, subjects } = parts;
    const filter = compileFilter(parsed(''), info.identities, info);
    const size = { metric: 'total', figure: 'mean', columnNs: SECOND, columns: COLUMNS } as const;
    lanes.show({ ...size, filter, owners: { subjects, keys: ['/srv/b', '/srv/a'] } });
    lanes.update(SECOND);
    expect([0, 1, 2].map((lane) => lanes.counts.laneTotal(lane))).toEqual([3, 2, 0]);
  });
});
