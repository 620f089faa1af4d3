/** An error that Node or the kernel names by a code: `ENOENT`, `EAGAIN`. Anything else that is thrown is a bug. */
export interface SystemError extends Error {
  readonly code: string;
}

export function isSystemError(cause: unknown): cause is SystemError {
  return cause instanceof Error && 'code' in cause && typeof cause.code === 'string';
}

/** Why it happened, in the words of the system: Node adds the code before them, and the call and its path after them. */
export function reasonOf({ code, message }: SystemError): string {
  const words = /^(?<code>\w+): (?<reason>.+?), \w+(?: '.*')?$/s.exec(message)?.groups;
  return words?.['code'] === code ? words['reason']! : message;
}

/** The code of a system error; undefined for anything else. */
export function codeOf(cause: unknown): string | undefined {
  return isSystemError(cause) ? cause.code : undefined;
}

/** The code of a system error; anything else is thrown again. */
export function codeOrThrow(cause: unknown): string {
  if (isSystemError(cause)) return cause.code;
  throw cause;
}
