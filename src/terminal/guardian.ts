import { spawn, type ChildProcess } from 'node:child_process';
import type { Socket } from 'node:net';
import { leaveSequence } from './modes.ts';

/** Gives the terminal back when the program is ended in a way that leaves it no say: SIGKILL, a crash. */
export interface Guardian {
  /** Settles when the terminal's own settings are noted, or cannot be. */
  readonly ready: Promise<void>;
  /** The program has the terminal: from now on it must be given back. */
  taken(): void;
  given(): void;
}

const ANY_ROW = 9999;

/*
 * A shell that waits for its standard input to end, which it does with the program, however that
 * dies. It lives in a session of its own, where nothing that is sent to the terminal's programs
 * reaches it. The settings of the terminal are left to a shell that does job control, which sets them
 * itself: it has then made itself the foreground of the terminal (field 6 behind the name).
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

/** `fd`: the terminal, in the state to which it is to return. */
export function startGuardian(fd: number): Guardian {
  // Not known which kind of mouse reports were asked for last: both are ended.
  const leave = leaveSequence('click', ANY_ROW, true) + leaveSequence('drag', ANY_ROW, false);
  const shell = spawn('/bin/sh', ['-c', SCRIPT, 'ioheat-guardian', asFormat(leave)], {
    stdio: ['pipe', 'pipe', 'ignore', fd],
    detached: true,
  });
  const tell = (state: string): void => {
    // Reaches the pipe before this returns, as long as that has room.
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

/** For printf, so that a list of processes shows nothing that acts on a terminal. */
function asFormat(sequence: string): string {
  return sequence.replace(
    /[\x00-\x1f]/g,
    (control) => `\\${control.charCodeAt(0).toString(8).padStart(3, '0')}`,
  );
}

/** Then it no longer keeps the program alive. Should it be missing or die, the program goes on. */
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

/** Without a guardian the program is as good as without this file. */
function ignore(): void {
  return undefined;
}
