import type { IoheatError } from '../../base/result.ts';
import { ExitCode } from '../../base/result.ts';
import { filesText } from '../../export/report/report-text.ts';
import { problemText } from '../../export/trace/trace-info.ts';
import type { TraceHeader, TraceProblem } from '../../trace/trace-reader.ts';
import { STDIN_FILE } from '../options/options.ts';

export function inputName(file: string): string {
  return file === STDIN_FILE ? 'standard input' : file;
}

/**
 * The error of a trace in which no I/O was found; undefined for a recording without problems, which was closed and says
 * that there was none.
 */
export function nothingRead(
  names: readonly string[],
  kind: TraceHeader['kind'],
  problems: readonly TraceProblem[],
): IoheatError | undefined {
  const [first] = problems;
  if (kind === 'recording' && first === undefined) return undefined;
  const why = first === undefined ? 'it has none' : problemText(first);
  return { exitCode: ExitCode.failed, what: `cannot read any I/O from ${filesText(names)}`, why };
}
