import type { Result } from '../src/base/result.ts';

/** The value of what a test needs and does not expect to fail; otherwise throws all that the failure says. */
export function must<T>(result: Result<T, object>): T {
  if (!result.ok) throw new Error(Object.values(result.error).join(': '));
  return result.value;
}
