import { expect, it } from 'vitest';
import { readFigure } from '../../../src/app/run/export-picture.ts';
import { TraceInfo } from '../../../src/export/trace/trace-info.ts';
import { compileFilter } from '../../../src/filter/match/match.ts';
import type { Figure } from '../../../src/export/picture/figure.ts';
import type { Settings } from '../../../src/view/settings.ts';
import type { TraceHeader } from '../../../src/trace/trace-reader.ts';
import { SDA } from '../../history/fixtures.ts';
import { chunkOf, KeptTrace, tableOf } from '../../trace/replay/kept-trace.ts';

/** The picture of a log with one I/O of 1 ms that lacks the queue latency. */
async function pictureOf(header: Partial<TraceHeader>, view: Settings = {}): Promise<Figure> {
  const identities = tableOf('dd', SDA);
  const rows = [{ completeNs: 5e6, deviceNs: 1e6, queueNs: NaN }];
  const reader = new KeptTrace({
    header: { unknown: ['queue'], ...header },
    chunks: [chunkOf(rows)],
  });
  const info = new TraceInfo(reader, identities);
  const filter = compileFilter({ kind: 'everything' }, identities, info);
  return readFigure(
    { reader, info, filter, range: { fromNs: -Infinity, toNs: Infinity } },
    { format: 'text', view, columns: 40, rows: 20, historyBytes: 2 ** 24 },
  );
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

it('the picture of a log with total latencies alone says that they are', async () => {
  expect((await pictureOf({ latency: 'total' })).facts.warnings).toEqual([
    'The latencies of this log are total latencies, from submission to completion',
  ]);
});
