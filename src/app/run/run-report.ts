import type { Result } from '../../base/result.ts';
import { err, ExitCode, ok } from '../../base/result.ts';
import { sanitizeText } from '../../base/sanitize.ts';
import { readTrace } from '../../export/trace/read-trace.ts';
import type { TraceEnd } from '../../export/trace/read-trace.ts';
import { reportJson } from '../../export/report/report-json.ts';
import { stylesFor } from '../process/command-styles.ts';
import { reportText } from '../../export/report/report-text.ts';
import { reportOf } from '../../export/report/report.ts';
import type { Report } from '../../export/report/report.ts';
import { TraceTally } from '../../export/report/trace-tally.ts';
import { RowPicker } from '../../export/rows/row-picker.ts';
import type { Options } from '../options/options.ts';
import type { ReportOptions } from '../options/trace-command.ts';
import { forPeople, print } from '../process/print.ts';
import { inputName, nothingRead } from '../open/nothing-read.ts';
import { openInput, waitForMore } from '../open/trace-input.ts';
import type { TraceInput } from '../open/trace-input.ts';

/** `ioheat report`: one page about a trace. */
export async function runReport(options: Options, asked: ReportOptions): Promise<Result<ExitCode>> {
  const { files, merge: oneHost, filter, view } = options;
  const input = await openInput({
    ...{ files, oneHost, filter, layer: view.layer },
    ...{ from: asked.from, to: asked.to },
  });
  if (!input.ok) return input;
  const { report, end } = await readReport(input.value, files);
  input.value.reader.dispose();
  const { header, problems } = report;
  const failure = end.isEmpty ? nothingRead(report.files, header.kind, problems) : undefined;
  if (failure !== undefined) return err(failure);
  const text = forPeople(reportText(report, stylesFor(process.stdout).bold));
  const printed = await print(options.json ? safeForTerminal(reportJson(report)) : text);
  return printed.ok ? ok(ExitCode.fine) : printed;
}

async function readReport(
  input: TraceInput,
  files: readonly string[],
): Promise<{ report: Report; end: TraceEnd }> {
  const { reader, info, filter, range } = input;
  const picker = new RowPicker({ filter, ...range });
  const tally = new TraceTally(info.identities, filter, picker);
  const end = await readTrace(
    reader,
    {
      rows: (rows) => {
        tally.rows(rows);
      },
      summary: (summary) => {
        const isMeant = summary.endNs > range.fromNs && summary.startNs < range.toNs;
        if (isMeant) tally.summary(summary);
      },
    },
    waitForMore,
  );
  const report = reportOf(tally, {
    files: files.map(inputName),
    header: reader.header,
    filter: filter.filter,
    layer: filter.layer,
    info,
    end,
    problems: reader.problems(),
    recorded: reader.recorded,
    range,
  });
  return { report, end };
}

/** Names in the report may contain control characters, which a terminal would interpret. */
function safeForTerminal(text: string): string {
  return process.stdout.isTTY ? text.split('\n').map(sanitizeText).join('\n') : text;
}
