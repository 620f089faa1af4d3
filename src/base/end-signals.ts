import { constants } from 'node:os';

/**
 * Signals that ask the program to end. By default each would end it on the spot, with a recording left
 * open, and SIGQUIT and SIGXCPU with a core file.
 */
export const END_SIGNALS = [
  'SIGHUP',
  'SIGINT',
  'SIGQUIT',
  'SIGTERM',
  'SIGALRM',
  'SIGUSR2',
  'SIGXCPU',
] as const;
export type EndSignal = (typeof END_SIGNALS)[number];

/** As a shell reports a program that a signal has ended. */
export function signalExitCode(signal: EndSignal): number {
  return 128 + constants.signals[signal];
}
