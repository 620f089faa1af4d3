/** A broken invariant is a bug: it throws, after which the terminal is restored and the stack shown. */
export function assert(condition: boolean, message: string): asserts condition {
  if (!condition) throw new Error(`assertion failed: ${message}`);
}

/** Closes a union: the compiler refuses the call while a member is unhandled. */
export function assertUnreachable(value: never): never {
  throw new Error(`unhandled case: ${String(value)}`);
}
