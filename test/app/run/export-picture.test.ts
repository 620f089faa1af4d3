import { expect, it } from 'vitest';
import { readFigure } from '../../../src/app/run/export-picture.ts';
import type { Figure } from '../../../src/export/picture/figure.ts';
import { TraceInfo } from '../../../src/export/trace/trace-info.ts';
import { NO_FILTER } from '../../../src/filter/filter.ts';
import { compileFilter } from '../../../src/filter/match/match.ts';
import { MIN_BUDGET_BYTES } from '../../../src/history/history.ts';
import { IdentityTable } from '../../../src/model/identity-table.ts';
import type { TraceHeader } from '../../../src/trace/trace-reader.ts';
import type { Settings } from '../../../src/view/settings.ts';
import { keyOf, SDA } from '../../history/fixtures.ts';
import { chunkOf, KeptTrace, tableOf } from '../../trace/replay/kept-trace.ts';

const ALL_TIME = { fromNs: -Infinity, toNs: Infinity };

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
  const view = { intervalNs: columnNs };
  const request = { format: 'text', view, columns: 60, rows: 20 } as const;
  const asked = { ...request, historyBytes: MIN_BUDGET_BYTES };
  const { figure } = await readFigure({ reader, info, filter, range: ALL_TIME }, asked);
  return [...figure.facts.warnings];
}

it('a picture of a long trace says over which stretches its oldest I/O is spread', async () => {
  const spread = 'Too long to keep each I/O: the start is spread evenly over stretches of up to';
  expect(await warningsOf(300, 500e6)).toEqual([`${spread} 1s`]);
  expect(await warningsOf(300, 1e9)).toEqual([]);
  // Slices older than ten minutes are ten seconds wide.
  expect(await warningsOf(1800, 1e9)).toEqual([`${spread} 10s`]);
  expect(await warningsOf(1800, 15e9)).toEqual([`${spread} 10s`]);
  expect(await warningsOf(1800, 30e9)).toEqual([]);
});

it('a picture of I/O that is all known individually has no such warning', async () => {
  expect(await warningsOf(1800, 1e9, 1000)).toEqual([]);
});

/** The picture of a log with one I/O of 1 ms that lacks the queue latency. */
async function pictureOf(header: Partial<TraceHeader>, view: Settings = {}): Promise<Figure> {
  const identities = tableOf('dd', SDA);
  const rows = [{ completeNs: 5e6, deviceNs: 1e6, queueNs: NaN }];
  const reader = new KeptTrace({
    header: { unknown: ['queue'], ...header },
    chunks: [chunkOf(rows)],
  });
  const info = new TraceInfo(reader, identities);
  const filter = compileFilter(NO_FILTER, identities, info);
  const { figure } = await readFigure(
    { reader, info, filter, range: ALL_TIME },
    { format: 'text', view, columns: 40, rows: 20, historyBytes: 2 ** 24 },
  );
  return figure;
}

it('the picture of a log without queue latencies is of device latency, as in a replay', async () => {
  const { live, totals, facts } = await pictureOf({});
  expect(live.map.metric).toBe('device');
  expect(totals).toMatchObject({ all: 1, unmeasurable: 0 });
  expect(facts.warnings).toEqual([]);
});

it('a picture has the metric that was chosen, whatever the log has', async () => {
  expect((await pictureOf({}, { metric: 'queue' })).live.map.metric).toBe('queue');
});

it('the picture of a log with total latencies alone is of total latency, in one map per layer', async () => {
  const header = { latency: 'total', unknown: ['device', 'queue'] } as const;
  expect((await pictureOf(header)).live.map.metric).toBe('total');
  const layers = await pictureOf(header, { layout: 'layers' });
  expect(layers.maps.map(({ live }) => live.map.metric)).toEqual(['total']);
  expect(layers.contents.slowest).toMatchObject([{ queueNs: undefined, deviceNs: undefined }]);
});

it('a picture that is weighted by what the log lacks says so', async () => {
  const lacksAll = { unknown: ['queue', 'device', 'bytes'] } as const;
  const warnings = async (weight: Settings['weight'], header: Partial<TraceHeader> = lacksAll) =>
    (await pictureOf(header, { weight })).facts.warnings;
  const none = 'No I/O of this trace has a';
  expect(await warnings('bytes')).toEqual([`${none} size to weight it by`]);
  expect(await warnings('time')).toEqual([`${none} latency to weight it by`]);
  expect(await warnings('count')).toEqual([]);
  expect(await warnings('bytes', { unknown: ['queue'] })).toEqual([]);
});
