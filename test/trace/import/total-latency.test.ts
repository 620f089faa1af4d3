import { describe, expect, it } from 'vitest';
import { EventRows } from '../../../src/export/rows/event-row.ts';
import { rowContextOf, TraceInfo } from '../../../src/export/trace/trace-info.ts';
import { compileFilter } from '../../../src/filter/match/match.ts';
import { Verdict } from '../../../src/filter/verdict.ts';
import { IdentityTable } from '../../../src/model/identity-table.ts';
import { METRICS } from '../../../src/model/metric.ts';
import { singleIo } from '../../../src/query/slowest/single-io.ts';
import { openImport } from '../../../src/trace/import/open-import.ts';
import { knownMetric, lacksMetric } from '../../../src/trace/known-metrics.ts';
import { parsed } from '../../filter/fixtures.ts';
import { textInput } from './fixtures/import-text.ts';
import { must } from '../../must.ts';

const LOGS = {
  'biosnoop.bt':
    'TIME(ms)     COMM           PID    LAT(ms)\n' +
    '611          bash           4179        12\n' +
    '620          bash           4180         0\n',
  trace2heatmap: 'time(ms) total(ms)\n611 12\n620 0\n',
};

function read(log: string) {
  const identities = new IdentityTable();
  const opened = must(openImport(textInput(log), identities));
  const { header } = opened;
  const info = new TraceInfo(opened, identities);
  const chunk = opened.next();
  if (typeof chunk === 'string') throw new Error(chunk);
  return { header, info, rows: chunk.rows };
}

describe.each(Object.entries(LOGS))('a log of %s with total latencies alone', (_, log) => {
  it('a log with total latencies alone has total latency as metric, and no part of it', () => {
    const { header } = read(log);
    expect(header.unknown).toEqual(expect.arrayContaining(['device', 'queue']));
    expect(knownMetric('total', header)).toBe('total');
    const lacked = METRICS.filter((metric) => lacksMetric(metric, header));
    expect(lacked).toEqual(expect.arrayContaining(['device', 'queue', 'size', 'offset']));
    expect(lacked).not.toContain('total');
  });

  it('a log with total latencies alone is filtered by these', () => {
    const { info, rows } = read(log);
    const filter = compileFilter(parsed('lat>10ms'), info.identities, info);
    expect([...filter.judgeRows(rows, 0, 2)].slice(0, 2)).toEqual([Verdict.yes, Verdict.no]);
  });

  it('an I/O of a log with total latencies alone has neither queue nor device latency', () => {
    const { header, info, rows } = read(log);
    const times = { queueNs: undefined, deviceNs: undefined, totalNs: 12e6 };
    expect(singleIo({ rows, row: 0 }, info)).toMatchObject(times);
    expect(new EventRows(rowContextOf(header, info)).at(rows, 0)).toMatchObject(times);
  });
});
