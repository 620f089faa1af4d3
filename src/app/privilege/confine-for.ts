import type { Pass } from './privilege-gate.ts';

/**
 * Confines the process once it has no privileges, and returns a line for `--verbose`. Call it after the
 * last child has been started, and before anything that the caller named is opened.
 */
export async function confineFor(pass: Pass): Promise<string> {
  const why = pass.kind === 'unprivileged' ? await confine() : 'privileges are kept';
  return why === undefined ? 'system calls filtered' : `system calls not filtered: ${why}`;
}

/** Confines the process; returns why not, if it failed. The program then runs unconfined. */
async function confine(): Promise<string | undefined> {
  try {
    const confined = (await import('../../kernel/privilege/confine.ts')).confine();
    return confined.ok ? undefined : confined.error;
  } catch (cause) {
    // The native module does not load here.
    if (!(cause instanceof Error)) throw cause;
    return cause.message.split('\n')[0] ?? '';
  }
}
