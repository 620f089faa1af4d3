import { isatty } from 'node:tty';
import { END_SIGNALS, signalExitCode } from '../base/end-signals.ts';
import type { EndSignal } from '../base/end-signals.ts';
import { ReadFailure } from '../base/read-failure.ts';
import { sanitizeText } from '../base/sanitize.ts';
import type { TerminalOutput } from './terminal-output.ts';
import { writeNow } from './write-now.ts';

const STOP_SIGNAL = 'SIGTSTP';
const CONTINUE_SIGNAL = 'SIGCONT';
const STDERR = 2;
/** Of kill(2): all processes of the caller's process group. */
const OWN_GROUP = 0;

/**
 * From now on, the terminal is restored first, however the process ends (except by SIGKILL or a crash of Node
 * itself). A signal that asks the program to end restores it, then calls `end`, by default with 128 + its number, as
 * a shell reports it; a terminal that hangs up is handled as SIGHUP. A bug ends the process with 1, with its stack
 * on stderr; so does a file that cannot be read any more, without a stack.
 */
export function installRestoreOnExit(
  output: TerminalOutput,
  end: (signal: EndSignal) => void = exitBySignal,
): void {
  // Before all other listeners, because the last one closes the standard descriptors.
  process.prependListener('exit', () => {
    output.restore();
  });
  const endBy = (signal: EndSignal): void => {
    output.restore();
    end(signal);
  };
  for (const signal of END_SIGNALS) process.on(signal, endBy);
  // Also handles unhandled rejections. Before all other listeners, which may end the program.
  process.prependListener('uncaughtException', (error: unknown) => {
    exitByBug(output, error);
  });
  onHangUp(output, endBy);
  installJobControl(output);
}

/**
 * Handles Ctrl-Z, which in raw mode is an ordinary key. As from a terminal, the signal goes to all programs of the job,
 * such as the other end of a pipe or a script: the shell waits until the last of them has stopped.
 */
export function suspendJob(output: TerminalOutput): void {
  suspend(output, OWN_GROUP);
}

/** Stops until the shell continues the job. */
function suspend(output: TerminalOutput, target: number): void {
  output.suspend();
  const signals = [STOP_SIGNAL, CONTINUE_SIGNAL] as const;
  const listeners = signals.map(takeListeners);
  // Without a listener the signal has its default effect, inside `kill`. It has none if there is no shell to continue
  // the process, which SIGSTOP would leave stopped for ever. The terminal is taken once, here.
  process.kill(target, STOP_SIGNAL);
  for (const listenAgain of listeners) listenAgain();
  output.resume();
}

/** Removes the listeners of a signal; the returned function adds them again. */
function takeListeners(signal: NodeJS.Signals): () => void {
  const listeners = process.listeners(signal);
  process.removeAllListeners(signal);
  return () => {
    for (const listener of listeners) process.on(signal, listener);
  };
}

function installJobControl(output: TerminalOutput): void {
  process.on(STOP_SIGNAL, () => {
    suspend(output, process.pid);
  });
  // SIGCONT also comes after SIGSTOP, before which the terminal could not be restored.
  process.on(CONTINUE_SIGNAL, () => {
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
  // A terminal that could not be restored would not accept the stack either, and would block.
  if (isRestored || !isatty(STDERR)) writeNow(STDERR, Buffer.from(describe(error)));
  process.exit(1);
}

/** Errors may quote names from outside, so their text is sanitised too. */
function describe(error: unknown): string {
  if (error instanceof ReadFailure) return `ioheat: ${sanitizeText(error.message)}\n`;
  const text = error instanceof Error ? (error.stack ?? error.message) : String(error);
  return `${text.split('\n').map(sanitizeText).join('\n')}\n`;
}
