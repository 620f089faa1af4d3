/** A broken invariant is a bug: it throws; the terminal is then restored and the stack printed. */
export function assert(condition: boolean, message: string): asserts condition {
  if (!condition) throw new Error(`assertion failed: ${message}`);
}

/** The compiler rejects this call while a member of the union is unhandled. */
export function assertUnreachable(value: never): never {
  throw new Error(`unhandled case: ${String(value)}`);
}
