import type { Pass } from './power-gate.ts';

/**
 * Confines the process once it holds no power, and says for `--verbose` whether it is. To be called when
 * the last child has been started, and before anything that the caller named is opened.
 */
export async function confineFor(pass: Pass): Promise<string> {
  const why = pass.kind === 'powerless' ? await confine() : 'privileges are kept';
  return why === undefined ? 'system calls filtered' : `system calls not filtered: ${why}`;
}

/** Why not, if it did not work; the program is no worse off than without it. */
async function confine(): Promise<string | undefined> {
  try {
    const confined = (await import('../kernel/privilege/confine.ts')).confine();
    return confined.ok ? undefined : confined.error;
  } catch (cause) {
    // The native module does not load here.
    if (!(cause instanceof Error)) throw cause;
    return cause.message.split('\n')[0] ?? '';
  }
}
