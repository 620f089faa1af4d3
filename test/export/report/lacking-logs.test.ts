import { describe, expect, it } from 'vitest';
import { reportJson } from '../../../src/export/report/report-json.ts';
import { reportText } from '../../../src/export/report/report-text.ts';
import { reportOf } from '../../../src/export/report/report.ts';
import type { Report } from '../../../src/export/report/report.ts';
import { TraceTally } from '../../../src/export/report/trace-tally.ts';
import { RowPicker } from '../../../src/export/rows/row-picker.ts';
import { readTrace } from '../../../src/export/trace/read-trace.ts';
import { TraceInfo } from '../../../src/export/trace/trace-info.ts';
import { NO_FILTER } from '../../../src/filter/filter.ts';
import { compileFilter } from '../../../src/filter/match/match.ts';
import { IdentityTable } from '../../../src/model/identity-table.ts';
import { openImport } from '../../../src/trace/import/open-import.ts';
import { JoinedReader } from '../../../src/trace/replay/joined-reader.ts';
import { textInput } from '../../trace/import/fixtures/import-text.ts';
import { must } from '../../must.ts';

const EVERYTHING = { fromNs: -Infinity, toNs: Infinity };

async function reportOn(...logs: readonly string[]): Promise<Report> {
  const identities = new IdentityTable();
  const traces = logs.map((log, i) => {
    const own = new IdentityTable();
    const opened = must(openImport(textInput(log), own));
    return { name: `log ${i}`, reader: opened, identities: own };
  });
  const reader = new JoinedReader(traces, { identities, oneHost: false });
  const info = new TraceInfo(reader, identities);
  const filter = compileFilter(NO_FILTER, identities, info);
  const tally = new TraceTally(identities, filter, new RowPicker({ filter, ...EVERYTHING }));
  const taker = { rows: tally.rows.bind(tally), summary: tally.summary.bind(tally) };
  const end = await readTrace(reader, taker, () => Promise.resolve());
  const about = { files: ['log'], header: reader.header, filter: NO_FILTER, layer: undefined };
  const rest = { info, end, problems: [], recorded: undefined, range: EVERYTHING };
  return reportOf(tally, { ...about, ...rest });
}

describe('the report on a log of two columns', () => {
  it('has the sum of sizes without operations, and neither bytes read nor written', async () => {
    const report = await reportOn('time(ms) size(bytes)\n1 4096\n2 8192\n5 4096\n');
    expect(reportText(report)).toContain(
      '3 I/Os: 750/s, 4.1 MB/s\n16 kB read or written, failures',
    );
    expect(reportText(report)).toMatch(/^unknown +750 +4.1 MB\/s +- +- +- /m);
    expect(JSON.parse(reportJson(report))).toMatchObject({
      totals: {
        ...{ ios: 3, ios_by_op: null, read_bytes: null, written_bytes: null },
        ...{ bytes_per_second: 4_096_000, share_of_waiting: null },
      },
    });
  });

  it('has no sizes where there are only times', async () => {
    const report = await reportOn('time(ms) total(ms)\n1 1\n2 3\n5 0\n');
    expect(reportText(report)).toContain('3 I/Os: 750/s\nbytes read and written unknown');
    expect(report.total).toMatchObject({ movedBytes: undefined, waitShare: 1 });
  });
});

describe('the report on several logs, one of which lacks operations and sizes', () => {
  const BIOSNOOP = [
    'TIME(s)     COMM           PID    DISK      T SECTOR     BYTES  LAT(ms)',
    '0.000000 fio 7 sda R 8 4096 0.5',
    '0.002000 fio 7 sda W 8 8192 0.5',
  ].join('\n');
  const TIMES = 'time(ms) device(ms)\n1 1\n2 3\n';

  it('adds up what is known, marks sums as at least so much, and has all of a disk that has all', async () => {
    const report = await reportOn(BIOSNOOP, TIMES);
    const text = reportText(report);
    expect(text).toContain('4 I/Os (1 read, 1 write, 2 unknown): 2k/s, ≥6.1 MB/s\n');
    expect(text).toContain('≥4.1 kB read, ≥8.2 kB written, failures unknown');
    expect(text).toMatch(/^sda +1k +6.1 MB\/s +50% /m);
    expect(text).toMatch(/^unknown +1k +- +- /m);
    const { totals, disks } = JSON.parse(reportJson(report)) as {
      totals: Record<string, unknown>;
      disks: readonly Record<string, unknown>[];
    };
    const none = { ios_by_op: null, read_bytes: null, written_bytes: null, bytes_per_second: null };
    expect(totals).toMatchObject({ ios: 4, ...none });
    expect(disks.find(({ disk }) => disk === 'sda')).toMatchObject({
      ios: 2,
      read_bytes: 4096,
      written_bytes: 8192,
    });
  });
});
