import { spawn, type ChildProcess } from 'node:child_process';
import type { Socket } from 'node:net';
import { leaveSequence } from './modes.ts';

/** Restores the terminal when the program ends without a chance to do so: SIGKILL, a crash. */
export interface Guardian {
  /** Settles when the settings of the terminal are saved, or cannot be. */
  readonly ready: Promise<void>;
  /** Call when the program has changed the terminal: from now on it must be restored. */
  taken(): void;
  given(): void;
}

const ANY_ROW = 9999;

/*
 * A shell that waits for the end of its standard input, which the end of the program causes in any case. It runs in
 * its own session, so that signals to the terminal's programs do not reach it. The settings of the terminal are
 * left alone if a shell with job control sets them itself: it has then made itself the foreground process of the
 * terminal (field 6 after the name).
 */
const SCRIPT = `
of() { IFS= read -r all <"/proc/$1/stat" && printf %s "\${all##*) }"; }
set -- $(of $PPID) "$1"
parent=$2 group=$3
for leave; do :; done
modes=$(stty -g <&3)
echo ready
state=given
while read -r line; do state=$line; done
[ "$state" = taken ] || exit 0
printf "$leave" >&3
set -- $(of "$parent")
[ "$group" = "\${6:-$group}" ] && stty "$modes" <&3
`;

/** Starts the guardian; `fd` is the terminal in the state to restore. */
export function startGuardian(fd: number): Guardian {
  // It is unknown which mouse mode was requested last, so both are turned off.
  const leave = leaveSequence('click', ANY_ROW, true) + leaveSequence('drag', ANY_ROW, false);
  const shell = spawn('/bin/sh', ['-c', SCRIPT, 'ioheat-guardian', asFormat(leave)], {
    stdio: ['pipe', 'pipe', 'ignore', fd],
    detached: true,
  });
  const tell = (state: string): void => {
    // The write reaches the pipe before it returns, as long as there is room in the pipe.
    shell.stdin?.write(`${state}\n`);
  };
  return {
    ready: isReady(shell),
    taken: () => {
      tell('taken');
    },
    given: () => {
      tell('given');
    },
  };
}

/** The sequence as a format for printf, so that a list of processes shows nothing that a terminal interprets. */
function asFormat(sequence: string): string {
  return sequence.replace(
    /[\x00-\x1f]/g,
    (control) => `\\${control.charCodeAt(0).toString(8).padStart(3, '0')}`,
  );
}

/**
 * Resolves when the start of the shell no longer keeps the program running. If the shell is missing or dies, the
 * program continues.
 */
function isReady(shell: ChildProcess): Promise<void> {
  return new Promise((resolve) => {
    const settle = (): void => {
      shell.unref();
      for (const stream of [shell.stdin, shell.stdout]) (stream as Socket | null)?.unref();
      resolve();
    };
    shell.once('error', settle).once('exit', settle);
    shell.stdin?.on('error', ignore);
    shell.stdout?.once('data', settle);
  });
}

/** Without a guardian, the terminal is only restored by the program itself. */
function ignore(): void {
  return undefined;
}
