import { accessSync, constants, statSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { isSystemError } from '../../base/system-error.ts';
import { ExitCode, type IoheatError } from '../../base/result.ts';
import { grantsTracing, inInitialNamespace, ownRights } from './capabilities.ts';

/** How this process was started, for the command in the remedy. */
export interface ProgramStart {
  readonly execPath: string;
  readonly execArgv: readonly string[];
  /** Script first, then its arguments: `process.argv` without its first element. */
  readonly args: readonly string[];
}

export function ownStart(): ProgramStart {
  return { execPath: process.execPath, execArgv: process.execArgv, args: process.argv.slice(1) };
}

/** Characters that a terminal would interpret, hide or move. */
const UNSHOWABLE = '\\p{C}\\p{Zl}\\p{Zp}';
const HAS_UNSHOWABLE = new RegExp(`[${UNSHOWABLE}]`, 'u');
const TO_ESCAPE = new RegExp(`[\\\\'${UNSHOWABLE}]`, 'gu');

/** Quotes a word for a POSIX shell; characters that a terminal does not show as themselves become `$'\xHH'`. */
export function shellQuote(word: string): string {
  if (/^[A-Za-z0-9_/.,:=@%+-]+$/.test(word)) return word;
  if (!HAS_UNSHOWABLE.test(word)) return `'${word.replaceAll("'", `'\\''`)}'`;
  const escaped = word.replace(TO_ESCAPE, (character) =>
    character === '\\' || character === "'"
      ? `\\${character}`
      : Array.from(Buffer.from(character), hexEscape).join(''),
  );
  return `$'${escaped}'`;
}

function hexEscape(byte: number): string {
  return `\\x${byte.toString(16).padStart(2, '0')}`;
}

/**
 * The command that starts the same program as root. Full paths, because sudo's `secure_path` and root's PATH often
 * lack a node that a user installed.
 */
export function rootCommand(start: ProgramStart, hasSudo: boolean): string {
  const command = [start.execPath, ...start.execArgv, ...start.args].map(shellQuote).join(' ');
  return hasSudo ? `sudo ${command}` : `su -c ${shellQuote(command)}`;
}

/** Whether PATH has an executable of this name. */
export function isOnPath(name: string, path: string = process.env['PATH'] ?? ''): boolean {
  return path.split(delimiter).some((folder) => folder !== '' && isExecutable(join(folder, name)));
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return statSync(path).isFile();
  } catch (cause) {
    if (isSystemError(cause)) return false;
    throw cause;
  }
}

/** The situation on which the advice depends. */
export interface RightsSituation {
  readonly euid: number;
  readonly effective: bigint;
  readonly inInitialUserNamespace: boolean | undefined;
  readonly hasSudo: boolean;
  readonly start: ProgramStart;
}

/** Why this process may not trace and what to type instead. */
export function explainRights(situation: RightsSituation = ownSituation()): IoheatError {
  const what = 'not permitted to trace the kernel';
  const exitCode = ExitCode.cannotTrace;
  if (situation.inInitialUserNamespace === false && grantsTracing(situation.effective)) {
    return {
      exitCode,
      what,
      why: 'its capabilities count only inside a user namespace (a rootless container)',
      remedy: 'run it on the host, or in a container started by root',
    };
  }
  const why = 'it has neither CAP_BPF with CAP_PERFMON nor CAP_SYS_ADMIN';
  if (situation.euid === 0) {
    return {
      exitCode,
      what,
      why: `${why}, although it is root`,
      remedy:
        'give the container or service both capabilities, for docker: --cap-add BPF --cap-add PERFMON',
    };
  }
  const command = rootCommand(situation.start, situation.hasSudo);
  return { exitCode, what, why, remedy: `run: ${command}` };
}

function ownSituation(): RightsSituation {
  return {
    euid: process.geteuid?.() ?? 0,
    effective: ownRights()?.effective ?? 0n,
    inInitialUserNamespace: inInitialNamespace('user'),
    hasSudo: isOnPath('sudo'),
    start: ownStart(),
  };
}
