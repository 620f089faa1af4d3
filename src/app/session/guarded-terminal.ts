import { startGuardian } from '../../terminal/guardian.ts';
import type { Guardian } from '../../terminal/guardian.ts';
import { terminalStreams } from './terminal-streams.ts';

/** The terminal, and the guardian that restores it if the program cannot. */
export type GuardedTerminal = ReturnType<typeof terminalStreams> & { readonly guardian: Guardian };

export function guardTerminal(inputIsTrace: boolean): GuardedTerminal {
  const terminal = terminalStreams(inputIsTrace);
  return { ...terminal, guardian: startGuardian(terminal.streams.output.fd) };
}
