import { isatty } from 'node:tty';
import { END_SIGNALS, signalExitCode } from '../base/end-signals.ts';
import type { EndSignal } from '../base/end-signals.ts';
import { sanitizeText } from '../base/sanitize.ts';
import type { TerminalOutput } from './terminal-output.ts';
import { writeNow } from './write-now.ts';

const STOP_SIGNAL = 'SIGTSTP';
const STDERR = 2;

/**
 * From now on, however the process ends (except by SIGKILL or a crash of Node itself), the terminal
 * is given back first. A signal that asks for the end gives it back, then calls `end`, by default with
 * 128 + its number, as a shell reports it; so does a terminal that hangs up, as if SIGHUP had come. A
 * bug ends the process with 1, its stack on stderr.
 */
export function installRestoreOnExit(
  output: TerminalOutput,
  end: (signal: EndSignal) => void = exitBySignal,
): void {
  // Before all others: the last of them leaves the standard descriptors.
  process.prependListener('exit', () => {
    output.restore();
  });
  const endBy = (signal: EndSignal): void => {
    output.restore();
    end(signal);
  };
  for (const signal of END_SIGNALS) process.on(signal, endBy);
  // Unhandled rejections arrive here too. Before all others, which may end the program.
  process.prependListener('uncaughtException', (error: unknown) => {
    exitByBug(output, error);
  });
  onHangUp(output, endBy);
  installJobControl(output);
}

/** For Ctrl-Z, which in raw mode is an ordinary key: stops the process until the shell wakes it. */
export function suspendProcess(output: TerminalOutput): void {
  output.suspend();
  const listeners = process.listeners(STOP_SIGNAL);
  // Without a listener the signal does what it does by default, inside `kill`. It does nothing if
  // no shell is there to wake the process, which SIGSTOP would leave stopped for ever.
  process.removeAllListeners(STOP_SIGNAL);
  process.kill(process.pid, STOP_SIGNAL);
  for (const listener of listeners) process.on(STOP_SIGNAL, listener);
  output.resume();
}

function installJobControl(output: TerminalOutput): void {
  process.on(STOP_SIGNAL, () => {
    suspendProcess(output);
  });
  // Also after SIGSTOP, which left no chance to give the terminal back.
  process.on('SIGCONT', () => {
    output.resume();
  });
}

function onHangUp(output: TerminalOutput, endBy: (signal: EndSignal) => void): void {
  const hangUp = (): void => {
    endBy('SIGHUP');
  };
  const { output: stdout, input: stdin } = output.streams;
  stdout.on('error', hangUp);
  stdin?.on('error', hangUp);
  stdin?.on('end', hangUp);
  stdin?.on('close', hangUp);
}

function exitBySignal(signal: EndSignal): never {
  process.exit(signalExitCode(signal));
}

function exitByBug(output: TerminalOutput, error: unknown): never {
  const isRestored = output.restore();
  // A terminal that does not take its own restoring would not take the stack either, and block.
  if (isRestored || !isatty(STDERR)) writeNow(STDERR, Buffer.from(describe(error)));
  process.exit(1);
}

/** Errors may quote names from outside, so their text is as unsafe as those. */
function describe(error: unknown): string {
  const text = error instanceof Error ? (error.stack ?? error.message) : String(error);
  return `${text.split('\n').map(sanitizeText).join('\n')}\n`;
}
