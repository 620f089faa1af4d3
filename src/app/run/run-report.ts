import type { IoheatError, Result } from '../../base/result.ts';
import { err, ExitCode, ok } from '../../base/result.ts';
import { sanitizeText } from '../../base/sanitize.ts';
import { readTrace } from '../../export/trace/read-trace.ts';
import { reportJson } from '../../export/report/report-json.ts';
import { stylesFor } from '../process/command-styles.ts';
import { filesText, reportText } from '../../export/report/report-text.ts';
import { reportOf } from '../../export/report/report.ts';
import type { Report } from '../../export/report/report.ts';
import { TraceTally } from '../../export/report/trace-tally.ts';
import { RowPicker } from '../../export/rows/row-picker.ts';
import { problemText } from '../../export/trace/trace-info.ts';
import { STDIN_FILE } from '../options/options.ts';
import type { Options } from '../options/options.ts';
import type { ReportOptions } from '../options/trace-command.ts';
import { forPeople, print } from '../process/print.ts';
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
  const { report, isEmpty } = await readReport(input.value, files);
  input.value.reader.dispose();
  if (isEmpty && !isRecordedSilence(report)) return err(unreadable(report));
  const text = forPeople(reportText(report, stylesFor(process.stdout).bold));
  const printed = await print(options.json ? safeForTerminal(reportJson(report)) : text);
  return printed.ok ? ok(ExitCode.fine) : printed;
}

/** True for a recording that was closed and holds no I/O. */
function isRecordedSilence({ header, problems }: Report): boolean {
  return header.kind === 'recording' && problems.length === 0;
}

function unreadable({ files, problems: [first] }: Report): IoheatError {
  const why = first === undefined ? 'it is not in a recognized format' : problemText(first);
  return { exitCode: ExitCode.failed, what: `cannot read any I/O from ${filesText(files)}`, why };
}

async function readReport(
  input: TraceInput,
  files: readonly string[],
): Promise<{ report: Report; isEmpty: boolean }> {
  const { reader, info, filter, range } = input;
  const picker = new RowPicker({ filter, ...range });
  const tally = new TraceTally(info.identities, filter, picker);
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
    files: files.map((file) => (file === STDIN_FILE ? 'standard input' : file)),
    header: reader.header,
    filter: filter.filter,
    layer: filter.layer,
    info,
    end,
    problems: reader.problems(),
    recorded: reader.recorded,
    range,
  });
  return { report, isEmpty };
}

/** Names in the report may contain control characters, which a terminal would interpret. */
function safeForTerminal(text: string): string {
  return process.stdout.isTTY ? text.split('\n').map(sanitizeText).join('\n') : text;
}
