import type { IoheatError, Result } from '../../base/result.ts';
import { err, ExitCode, ok } from '../../base/result.ts';
import { sanitizeText } from '../../base/sanitize.ts';
import { readTrace } from '../../export/read-trace.ts';
import { reportJson } from '../../export/report/report-json.ts';
import { reportText } from '../../export/report/report-text.ts';
import { reportOf } from '../../export/report/report.ts';
import type { Report } from '../../export/report/report.ts';
import { TraceTally } from '../../export/report/trace-tally.ts';
import { RowPicker } from '../../export/rows/row-picker.ts';
import { problemText } from '../../export/trace-info.ts';
import { formatFilter } from '../../filter/language/format.ts';
import type { Options } from '../options.ts';
import { print } from '../print.ts';
import { openInput, waitForMore } from './trace-input.ts';
import type { TraceInput } from './trace-input.ts';

export interface ReportRequest {
  readonly file: string;
  readonly from: string | undefined;
  readonly to: string | undefined;
}

/** `ioheat report`: a page about a trace. */
export async function runReport(
  options: Options,
  request: ReportRequest,
): Promise<Result<ExitCode>> {
  const input = await openInput({ ...request, filter: options.filter });
  if (!input.ok) return input;
  const { report, isEmpty } = await readReport(input.value, request.file);
  input.value.reader.dispose();
  if (isEmpty && !isRecordedSilence(report)) return err(unreadable(report));
  const printed = await print(options.json ? safeJson(reportJson(report)) : reportText(report));
  return printed.ok ? ok(ExitCode.fine) : printed;
}

/** A recording that was closed and says that there was no I/O. */
function isRecordedSilence({ header, problems }: Report): boolean {
  return header.kind === 'recording' && problems.length === 0;
}

function unreadable({ file, problems: [first] }: Report): IoheatError {
  const why = first === undefined ? 'no row is in a known format' : problemText(first);
  return { exitCode: ExitCode.failed, what: `cannot read any I/O from ${file}`, why };
}

async function readReport(
  input: TraceInput,
  file: string,
): Promise<{ report: Report; isEmpty: boolean }> {
  const { reader, info, filter, range } = input;
  const picker = new RowPicker({ filter, ...range });
  const tally = new TraceTally(info.keys, filter, picker);
  let isEmpty = true;
  const end = await readTrace(
    reader,
    {
      rows: (rows) => {
        isEmpty = false;
        tally.rows(rows);
      },
      summary: (summary) => {
        isEmpty = false;
        const isMeant = summary.endNs > range.fromNs && summary.startNs < range.toNs;
        if (isMeant) tally.summary(summary);
      },
    },
    waitForMore,
  );
  const report = reportOf(tally, {
    file: file === '-' ? 'standard input' : file,
    header: reader.header,
    filter: formatFilter(filter.filter),
    info,
    end,
    problems: reader.problems(),
    recorded: reader.recorded,
    range,
  });
  return { report, isEmpty };
}

/** Names may hold what terminals act on. */
function safeJson(text: string): string {
  return process.stdout.isTTY ? text.split('\n').map(sanitizeText).join('\n') : text;
}
