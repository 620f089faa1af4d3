import { homedir } from 'node:os';
import { isSystemError } from './system-error.ts';

/** The home directory; `/` for a user without HOME and without an account, for whom Node throws. */
export function homeFolder(): string {
  try {
    return homedir();
  } catch (cause) {
    if (!isSystemError(cause)) throw cause;
    return '/';
  }
}
