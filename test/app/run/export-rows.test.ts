import { expect, it } from 'vitest';
import type { TraceInput } from '../../../src/app/open/trace-input.ts';
import { exportRows } from '../../../src/app/run/export-rows.ts';
import { ok } from '../../../src/base/result.ts';
import { TraceInfo } from '../../../src/export/trace/trace-info.ts';
import { TraceTally } from '../../../src/export/report/trace-tally.ts';
import { RowPicker } from '../../../src/export/rows/row-picker.ts';
import { term } from '../../../src/filter/filter.ts';
import { compileFilter, compileInLayer } from '../../../src/filter/match/match.ts';
import { otherIdentity } from '../../../src/model/folded-identity.ts';
import { IdentityTable } from '../../../src/model/identity-table.ts';
import { keyOf, LOOP, SDA, summaryOf } from '../../history/fixtures.ts';
import { chunkOf, KeptTrace } from '../../trace/replay/kept-trace.ts';

const ALL_TIME = { fromNs: -Infinity, toNs: Infinity };

/** What the export of a trace says about the I/O of one disk: ten I/Os of sda and twenty of loop0 are only counted. */
async function notesOn(disk: string): Promise<readonly string[]> {
  const identities = new IdentityTable();
  const [sda, loop] = [SDA, LOOP].map((dev) => identities.intern(keyOf({ dev })));
  const summaries = [
    summaryOf({ identity: sda!, count: 10 }),
    summaryOf({ identity: loop!, count: 20 }),
  ];
  const devices = [
    { dev: SDA, name: 'sda' },
    { dev: LOOP, name: 'loop0' },
  ];
  const rows = [{ completeNs: 5, key: sda! }];
  const reader = new KeptTrace({ chunks: [chunkOf(rows, { summaries })], devices });
  const info = new TraceInfo(reader, identities);
  const filter = compileFilter(term('disk', '=', disk), identities, info);
  return notesOf({ reader, info, filter, range: ALL_TIME });
}

async function notesOf(input: TraceInput): Promise<readonly string[]> {
  const written = await exportRows(input, 'csv', 'total', {
    write: () => Promise.resolve(ok('open')),
    finish: () => ok(undefined),
    abandon: () => undefined,
  });
  return written.ok ? written.value.warnings : [written.error.what];
}

it('an export of rows tells how many I/Os of the filter are only counted', async () => {
  expect(await notesOn('sda')).toEqual(['10 I/Os left out: only aggregated']);
  expect(await notesOn('loop0')).toEqual(['20 I/Os left out: only aggregated']);
  expect(await notesOn('sdb')).toEqual([expect.stringContaining('no rows written')]);
});

it('an export of rows calls calls what they are', async () => {
  const identities = new IdentityTable();
  const [call, folded] = [keyOf({ layer: 'calls' }), otherIdentity(keyOf({ layer: 'calls' }))];
  const [one, some] = [call, folded].map((key) => identities.intern(key));
  const summaries = [summaryOf({ identity: one!, count: 10 })];
  const rows = [{ completeNs: 5, key: some! }];
  const reader = new KeptTrace({ chunks: [chunkOf(rows, { summaries })] });
  const info = new TraceInfo(reader, identities);
  const filter = compileInLayer(term('comm', '=', 'a'), 'calls', identities, info);
  expect(await notesOf({ reader, info, filter, range: ALL_TIME })).toEqual([
    '1 call left out: may match the filter or not',
    '10 calls left out: only aggregated',
  ]);
});

it('an export and a report tell of I/O whose owner shares an identity with others', async () => {
  const identities = new IdentityTable();
  const key = identities.intern(otherIdentity(keyOf()));
  const reader = new KeptTrace({ chunks: [chunkOf([{ completeNs: 5, key }])] });
  const info = new TraceInfo(reader, identities);
  const filter = compileFilter(term('comm', '=', 'a'), identities, info);
  expect(await notesOf({ reader, info, filter, range: ALL_TIME })).toEqual([
    '1 I/O left out: may match the filter or not',
  ]);
  const tally = new TraceTally(identities, filter, new RowPicker({ filter, ...ALL_TIME }));
  tally.rows(chunkOf([{ completeNs: 5, key }]).rows);
  expect(tally.undecidedCount).toBe(1);
});
