import type { IoheatError, Result } from './result.ts';
import { err, ExitCode, ok } from './result.ts';
import { codeOf } from './system-error.ts';

const NOT_FOUND = 'ERR_MODULE_NOT_FOUND';
const CHANGED = 'its files changed';
const REMEDY = 'start it again';

/** An error about code that is not there any more, because another version was installed while this one runs. */
export function missingCode(cause: unknown): IoheatError | undefined {
  if (codeOf(cause) !== NOT_FOUND) return undefined;
  const what = 'cannot load more of ioheat';
  return { exitCode: ExitCode.failed, what, why: CHANGED, remedy: REMEDY };
}

/** Runs what loads code when it is first needed. */
export async function withLateCode<T>(run: () => Promise<T>): Promise<Result<T>> {
  try {
    return ok(await run());
  } catch (cause) {
    const missing = missingCode(cause);
    if (missing === undefined) throw cause;
    return err(missing);
  }
}

/** Why code was not loaded, and where there is something to do about it, what. */
export function whyNotLoaded(cause: unknown): string {
  if (codeOf(cause) === NOT_FOUND) return `${CHANGED}; ${REMEDY}`;
  const reason = cause instanceof Error ? cause.message : String(cause);
  return reason.split('\n')[0] ?? '';
}
