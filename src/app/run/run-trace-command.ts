import type { Result } from '../../base/result.ts';
import type { ExitCode } from '../../base/result.ts';
import type { TraceCommand } from '../options/trace-command.ts';

export async function runTraceCommand(chosen: TraceCommand): Promise<Result<ExitCode>> {
  if (chosen.command === 'report') {
    return (await import('./run-report.ts')).runReport(chosen.options, chosen.asked);
  }
  return (await import('./run-export.ts')).runExport(chosen.options, chosen.asked);
}
