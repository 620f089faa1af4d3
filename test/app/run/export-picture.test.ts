import { expect, test } from 'vitest';
import { readFigure } from '../../../src/app/run/export-picture.ts';
import { TraceInfo } from '../../../src/export/trace/trace-info.ts';
import { NO_FILTER } from '../../../src/filter/filter.ts';
import { compileFilter } from '../../../src/filter/match/match.ts';
import { MIN_BUDGET_BYTES } from '../../../src/history/history.ts';
import { IdentityTable } from '../../../src/model/identity-table.ts';
import { keyOf } from '../../history/fixtures.ts';
import { chunkOf, KeptTrace } from '../../trace/replay/kept-trace.ts';

/** More rows than fit into the memory. */
const ROWS = 400_000;

/** The warnings of a picture of `seconds` of even I/O. */
async function warningsOf(seconds: number, columnNs: number, rows = ROWS): Promise<string[]> {
  const identities = new IdentityTable();
  const key = identities.intern(keyOf());
  const times = Array.from({ length: rows }, (_, i) => 0.25e9 + (i / rows) * seconds * 1e9);
  const chunks = [];
  for (let at = 0; at < rows; at += 10_000)
    chunks.push(chunkOf(times.slice(at, at + 10_000).map((completeNs) => ({ completeNs, key }))));
  const reader = new KeptTrace({ chunks });
  const info = new TraceInfo(reader, identities);
  const filter = compileFilter(NO_FILTER, identities, info);
  const range = { fromNs: -Infinity, toNs: Infinity };
  const view = { intervalNs: columnNs };
  const request = { format: 'text', view, columns: 60, rows: 20 } as const;
  const asked = { ...request, historyBytes: MIN_BUDGET_BYTES };
  const figure = await readFigure({ reader, info, filter, range }, asked);
  return [...figure.facts.warnings];
}

test('a picture of a long trace says over which stretches its oldest I/O is spread', async () => {
  const spread = 'Too long to keep each I/O: the start is spread evenly over stretches of up to';
  expect(await warningsOf(300, 500e6)).toEqual([`${spread} 1s`]);
  expect(await warningsOf(300, 1e9)).toEqual([]);
  // Slices older than ten minutes are ten seconds wide.
  expect(await warningsOf(1800, 1e9)).toEqual([`${spread} 10s`]);
  expect(await warningsOf(1800, 15e9)).toEqual([`${spread} 10s`]);
  expect(await warningsOf(1800, 30e9)).toEqual([]);
});

test('a picture of I/O that is all known individually has no such warning', async () => {
  expect(await warningsOf(1800, 1e9, 1000)).toEqual([]);
});
