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
import { textInput } from '../../trace/import/fixtures/import-text.ts';

const EVERYTHING = { fromNs: -Infinity, toNs: Infinity };

async function reportOn(log: string): Promise<Report> {
  const identities = new IdentityTable();
  const opened = openImport(textInput(log), identities);
  if (!opened.ok) throw new Error(opened.error.what);
  const reader = opened.value;
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
