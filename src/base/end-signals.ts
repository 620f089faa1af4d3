import { constants } from 'node:os';

/**
 * Signals that ask the program to end. By default they would end it at once without closing a recording, and SIGQUIT
 * and SIGXCPU would write a core file.
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

/** As a shell reports a program that was ended by a signal. */
export function signalExitCode(signal: EndSignal): number {
  return 128 + constants.signals[signal];
}
