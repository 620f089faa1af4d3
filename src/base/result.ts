/** Expected failures are values; bugs throw. */
export type Result<T, E = IoheatError> =
  { readonly ok: true; readonly value: T } | { readonly ok: false; readonly error: E };

export function ok<T>(value: T): { ok: true; value: T } {
  return { ok: true, value };
}

export function err<E>(error: E): { ok: false; error: E } {
  return { ok: false, error };
}

/** Process exit codes; part of the command-line contract. */
export const ExitCode = { fine: 0, failed: 1, usage: 2, cannotTrace: 3 } as const;
export type ExitCode = (typeof ExitCode)[keyof typeof ExitCode];

/**
 * A failure that a person can act on. `what` failed, `why` if known, and the `remedy`: what to type or change. It ends
 * a command, or is shown on the screen.
 */
export interface IoheatError {
  readonly exitCode: ExitCode;
  readonly what: string;
  readonly why?: string;
  readonly remedy?: string;
}

/** One sentence: what, why, what to do. */
export function formatError(error: IoheatError): string {
  const why = error.why === undefined ? '' : `: ${error.why}`;
  const remedy = error.remedy === undefined ? '' : `; ${error.remedy}`;
  return `${error.what}${why}${remedy}`;
}
