import { expect, it } from 'vitest';
import { TraceTally } from '../../../src/export/report/trace-tally.ts';
import { RowPicker } from '../../../src/export/rows/row-picker.ts';
import { NO_FILTER } from '../../../src/filter/filter.ts';
import { compileInLayer } from '../../../src/filter/match/match.ts';
import { callFlags } from '../../../src/model/call.ts';
import { OP_UNKNOWN } from '../../../src/model/operation.ts';
import { columnsOf, createInfo, keyOf } from '../../history/fixtures.ts';

it('the layers of a report are those with I/O in its time, whatever matches its filter', () => {
  const waits = keyOf({ layer: 'waits', cmdFlags: callFlags('read') });
  const calls = keyOf({ layer: 'calls', cmdFlags: callFlags('read') });
  const info = createInfo([keyOf({}), waits, calls]);
  const { identities } = info;
  const filter = compileInLayer(NO_FILTER, 'disks', identities, info);
  const tally = new TraceTally(
    identities,
    filter,
    new RowPicker({ filter, fromNs: 5e9, toNs: 9e9 }),
  );
  const row = { deviceNs: 1000, queueNs: 0, sector: 0, bytes: 4096 };
  tally.rows(
    columnsOf([
      { ...row, completeNs: 4e9, key: 2 },
      { ...row, completeNs: 5e9, key: 0 },
      { ...row, completeNs: 6e9, key: 1 },
      { ...row, completeNs: 9e9, key: 2 },
    ]),
  );
  expect([...tally.layers]).toEqual(['disks', 'waits']);
});

it('beyond 2000 processes, further ones share the row of their name, and beyond 500 names, one row', () => {
  const keys = Array.from({ length: 3_000 }, (_, tgid) =>
    keyOf({ tgid, tid: tgid, comm: tgid < 2_200 ? 'cc1' : `c${tgid}` }),
  );
  const info = createInfo(keys);
  const { identities } = info;
  const filter = compileInLayer(NO_FILTER, 'disks', identities, info);
  const tally = new TraceTally(
    identities,
    filter,
    new RowPicker({ filter, fromNs: -Infinity, toNs: Infinity }),
  );
  tally.rows(columnsOf(keys.map((_, key) => ({ completeNs: key, key }))));
  const rows = [...tally.processes.values()];
  const counted = (
    test: (tgid: number | undefined, comm: string | undefined) => boolean,
  ): number[] =>
    rows.filter(({ tgid, comm }) => test(tgid, comm)).map(({ tally: row }) => row.count);
  expect(counted((tgid) => tgid !== undefined)).toEqual(Array(2_000).fill(1));
  expect(counted((tgid, comm) => tgid === undefined && comm === 'cc1')).toEqual([200]);
  expect(counted((tgid, comm) => tgid === undefined && comm !== 'cc1')).toHaveLength(500);
  expect(counted((_, comm) => comm === undefined)).toEqual([800 - 499]);
});

it('a failed I/O whose operation is unknown is not one of other operations', () => {
  const keys = [keyOf({ cmdFlags: OP_UNKNOWN, error: -5 }), keyOf({ cmdFlags: 34, error: -5 })];
  const info = createInfo(keys);
  const filter = compileInLayer(NO_FILTER, 'disks', info.identities, info);
  const picker = new RowPicker({ filter, fromNs: -Infinity, toNs: Infinity });
  const tally = new TraceTally(info.identities, filter, picker);
  const row = { deviceNs: 1000, queueNs: 0, sector: 0, bytes: 4096, completeNs: 1e9 };
  tally.rows(columnsOf([0, 0, 1].map((key) => ({ ...row, key }))));
  const errors = [...tally.errors.values()];
  expect(errors.map(({ opClass, count }) => [opClass, count])).toEqual([
    [undefined, 2],
    ['other', 1],
  ]);
});
