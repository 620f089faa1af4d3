import type { IoheatError } from '../../base/result.ts';
import { ExitCode } from '../../base/result.ts';

export function usageError(what: string, why?: string, remedy = 'see ioheat --help'): IoheatError {
  return { exitCode: ExitCode.usage, what, remedy, ...(why !== undefined && { why }) };
}
