import { startGuardian } from '../../terminal/guardian.ts';
import type { Guardian } from '../../terminal/guardian.ts';
import { terminalStreams } from './terminal-streams.ts';

/** The terminal, and the guardian that restores it if the program cannot. */
export type Seat = ReturnType<typeof terminalStreams> & { readonly guardian: Guardian };

export function takeSeat(inputIsTrace: boolean): Seat {
  const terminal = terminalStreams(inputIsTrace);
  return { ...terminal, guardian: startGuardian(terminal.streams.output.fd) };
}
