import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { compileFilter } from '../../src/filter/match/match.ts';
import { LaneMap } from '../../src/heatmap/lanes/lane-map.ts';
import type { LaneSpec } from '../../src/heatmap/lanes/lane-map.ts';
import { LaneRanking } from '../../src/heatmap/lanes/lane-ranking.ts';
import { laneSubjects } from '../../src/heatmap/lanes/lane-subjects.ts';
import { createHistory, MIN_BUDGET_BYTES } from '../../src/history/history.ts';
import type { History } from '../../src/history/history.ts';
import { aggregateIdentity } from '../../src/model/folded-identity.ts';
import { IdentityMark } from '../../src/model/identity.ts';
import type { Identity } from '../../src/model/identity.ts';
import type { LaneKind } from '../../src/model/metric.ts';
import { columnsOf, createInfo, keyOf, uniformSummary } from '../history/fixtures.ts';
import { parsed } from '../filter/fixtures.ts';

fc.configureGlobal({ seed: 20_101_124, endOnFailure: true });

const SECOND = 1e9;
const COLUMNS = 16;
const NOBODY = { tgid: 0, tid: 0, comm: '', cgroup: 0, marks: IdentityMark.ownerUnknown };
const COUNTED = IdentityMark.ownerUnknown | IdentityMark.noDetail;

const WEB = keyOf({ tgid: 10, tid: 10, comm: 'nginx', cgroup: 1 });
const DB = keyOf({ tgid: 20, tid: 21, comm: 'wal', cgroup: 2 });
/** By number of the identity. */
const IDENTITIES: readonly Identity[] = [
  WEB,
  DB,
  keyOf({ tgid: 20, tid: 20, comm: 'postgres', cgroup: 2 }),
  // Started again: another cgroup of the same name.
  keyOf({ tgid: 30, tid: 30, comm: 'nginx', cgroup: 3 }),
  keyOf({ tgid: 40, tid: 40, comm: 'sh', cgroup: 4 }),
  keyOf(NOBODY),
  aggregateIdentity(WEB),
  aggregateIdentity(DB),
  keyOf({ ...NOBODY, marks: COUNTED }),
];
const ROWS = 6;
const [WEB_COUNT, DB_COUNT, UNOWNED_COUNT] = [6, 7, 8];
/** What filters name the cgroup and the process of each identity by. */
const CGROUPS = ['web', 'db', 'db', 'web', '4', undefined, 'web', 'db', undefined];
const PROCESSES = [10, 20, 20, 30, 40, undefined, 10, 20, undefined];

interface Parts {
  readonly history: History;
  readonly ranking: LaneRanking;
  readonly lanes: LaneMap;
  readonly spec: LaneSpec;
}

const NAMES: ReadonlyMap<number, string> = new Map([
  [1, 'web'],
  [2, 'db'],
  [3, 'web'],
]);

function createParts(
  kind: LaneKind,
  keys: readonly (string | number)[],
  asked = '',
  names = NAMES,
): Parts {
  const info = { ...createInfo(IDENTITIES), cgroups: { name: (id: number) => names.get(id) } };
  const history = createHistory({ info, budgetBytes: MIN_BUDGET_BYTES });
  const filter = compileFilter(parsed(asked), info.identities, info);
  const subjects = laneSubjects(kind, info);
  const size = { columnNs: SECOND, columns: COLUMNS, filter };
  const spec = { ...size, metric: 'total', figure: 'mean', owners: { subjects, keys } } as const;
  const ranking = new LaneRanking(history, { ...size, subjects, most: 2 });
  return { history, ranking, spec, lanes: new LaneMap(history, spec) };
}

/** I/Os of each identity, as rows or counts, in the second before `atNs`. */
function add(
  { history, ranking, lanes }: Parts,
  counts: readonly (readonly [identity: number, count: number])[],
  atNs = SECOND,
  latencyNs = 1e6,
): void {
  const timing = { completeNs: atNs - 1, deviceNs: latencyNs, queueNs: 0 };
  for (const [key, count] of counts)
    if (key < ROWS) {
      const rows = columnsOf(Array.from({ length: count }, () => ({ ...timing, key })));
      history.append(rows);
      for (const picture of [ranking, lanes]) picture.append(rows);
    } else {
      const row = { ...timing, sector: 0, bytes: 4096, key };
      const summary = uniformSummary(atNs - 1, key, count, row);
      history.appendAggregate(summary);
      for (const picture of [ranking, lanes]) picture.appendAggregate(summary);
    }
}

function totalsOf({ lanes: { counts } }: Parts): number[] {
  return Array.from({ length: counts.lanes }, (_, lane) => counts.laneTotal(lane));
}

const anyCounts = fc.array(
  fc.tuple(fc.nat(IDENTITIES.length - 1), fc.integer({ min: 1, max: 20 })),
  { maxLength: 30 },
);

describe.each([
  { kind: 'cgroup', of: CGROUPS, keys: ['web', '4'] },
  { kind: 'process', of: PROCESSES, keys: [20, 40] },
] as const)('lanes of each $kind', ({ kind, of, keys }) => {
  it('every I/O is in one lane, that of its owner or the last, whether seen or counted before or after', () => {
    fc.assert(
      fc.property(anyCounts, anyCounts, (before, after) => {
        const parts = createParts(kind, keys);
        add(parts, before);
        parts.lanes.update(SECOND);
        add(parts, after);
        parts.lanes.update(SECOND);
        const all = [...before, ...after];
        const sum = (isIn: (identity: number) => boolean): number =>
          all.reduce((total, [identity, count]) => total + (isIn(identity) ? count : 0), 0);
        expect(totalsOf(parts)).toEqual([
          ...keys.map((key) => sum((identity) => of[identity] === key)),
          sum((identity) => !keys.some((key) => of[identity] === key)),
        ]);
        const unowned = sum((identity) => identity === UNOWNED_COUNT);
        expect(parts.lanes.counts.laneUnknownTotal).toBe(unowned);
      }),
      { numRuns: 200 },
    );
  });
});

describe('which cgroups and processes have lanes', () => {
  it('those with the most I/O, whether it was seen or only counted', () => {
    const parts = createParts('cgroup', []);
    add(parts, [
      [0, 5],
      [1, 4],
      [4, 6],
      [5, 50],
      [UNOWNED_COUNT, 50],
    ]);
    parts.ranking.update(SECOND);
    const numbersOf = (identities: readonly number[]): number[] =>
      identities.map((identity) => IDENTITIES[identity]!.cgroup - 1);
    expect(parts.ranking.places).toEqual(numbersOf([4, 0]));
    expect(parts.ranking.others).toBe(1);
    const counted = createParts('cgroup', []);
    counted.ranking.update(SECOND);
    add(counted, [
      [0, 5],
      [4, 6],
      [DB_COUNT, 7],
      [WEB_COUNT, 3],
    ]);
    counted.ranking.update(SECOND);
    expect(counted.ranking.places).toEqual(numbersOf([0, 1]));
  });

  it('those of the time shown: a process that has stopped has none', () => {
    const parts = createParts('process', []);
    add(parts, [
      [WEB_COUNT, 50],
      [0, 50],
    ]);
    parts.ranking.update(SECOND);
    expect(parts.ranking.places).toEqual([0]);
    add(parts, [[4, 1]], 40 * SECOND);
    parts.ranking.update(40 * SECOND);
    expect(parts.ranking.places).toEqual([3]);
  });

  it('lanes of cgroups and processes have, of what is only counted, the part that certainly matches the filter', () => {
    const parts = createParts('cgroup', [], 'lat>2ms');
    add(parts, [[DB_COUNT, 90]], SECOND, 1e6);
    add(parts, [[WEB_COUNT, 2]], SECOND, 9e6);
    parts.ranking.update(SECOND);
    expect([parts.ranking.places, parts.ranking.others]).toEqual([[0], 0]);
  });
});

describe('the names of lanes', () => {
  it('threads share the lane of their process, which has the name of its main thread', () => {
    const subjects = laneSubjects('process', createInfo(IDENTITIES));
    expect(subjects.name(subjects.of(1))).toBe('20 wal');
    expect(subjects.of(2)).toBe(subjects.of(1));
    expect(subjects.name(subjects.of(1))).toBe('20 postgres');
  });

  it('a cgroup has its name as soon as it is known, and its number until then', () => {
    const names = new Map<number, string>();
    const info = { ...createInfo([WEB]), cgroups: { name: (id: number) => names.get(id) } };
    const subjects = laneSubjects('cgroup', info);
    expect([subjects.key(subjects.of(0)), subjects.name(0)]).toEqual(['1', 'cgroup 1']);
    names.set(1, 'web.service');
    expect([subjects.key(subjects.of(0)), subjects.name(0)]).toEqual([
      'web.service',
      'web.service',
    ]);
  });

  it('what a cgroup did before its name was known moves to the lane of that name', () => {
    const names = new Map([[1, 'web']]);
    const parts = createParts('cgroup', ['web'], '', names);
    add(parts, [
      [0, 5],
      [3, 7],
      [4, 2],
    ]);
    parts.lanes.update(SECOND);
    expect(totalsOf(parts)).toEqual([5, 9]);
    names.set(3, 'web');
    parts.lanes.show(parts.spec);
    parts.lanes.update(SECOND);
    expect(totalsOf(parts)).toEqual([12, 2]);
    names.set(4, 'sh');
    const { version } = parts.lanes;
    parts.lanes.show(parts.spec);
    parts.lanes.update(SECOND);
    expect(parts.lanes.version).toBe(version);
  });
});
