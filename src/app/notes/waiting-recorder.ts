import { readFileSync, readlinkSync } from 'node:fs';
import { isSystemError } from '../../base/system-error.ts';
import { jsonIfValid } from '../../base/json-if-valid.ts';

/** A recorder that waits for notes, as described in its file. */
export interface WaitingRecorder {
  readonly pid: number;
  /** When its process started, in clock ticks since boot: a PID is used again. */
  readonly started: string;
  /** A PID means a process only in its own namespace, such as that of a container. */
  readonly namespace: string;
  /** A description: `record io.ioheat`. */
  readonly what: string;
}

export const RECORDER = '.recorder';
export const NOTE = '.note';
/** The extension of a note that is being written. */
export const DRAFT = '.new';

const MOST_WORDS = 300;

export function thisRecorder(what: string): WaitingRecorder {
  const { pid } = process;
  return { pid, started: startOf(pid) ?? '', namespace: ownNamespace(), what };
}

/** Parses the file of a recorder; undefined for anything else. */
export function parseRecorder(text: string): WaitingRecorder | undefined {
  const json = jsonIfValid(text);
  if (typeof json !== 'object' || json === null) return undefined;
  const { pid, started, namespace, what } = json as Readonly<Record<string, unknown>>;
  if (!Number.isSafeInteger(pid) || typeof started !== 'string') return undefined;
  if (typeof namespace !== 'string' || typeof what !== 'string') return undefined;
  return { pid: pid as number, started, namespace, what: what.slice(0, MOST_WORDS) };
}

/** Whether its process has ended, as far as that can be seen from here. */
export function hasEnded({ pid, started, namespace }: WaitingRecorder): boolean {
  return namespace === ownNamespace() && startOf(pid) !== started;
}

/** The index of the start time among the 52 fields after the name, which may contain anything. */
const START_FIELD = 19;

function startOf(pid: number): string | undefined {
  const stat = readOr(() => readFileSync(`/proc/${pid}/stat`, 'utf8'));
  return stat?.slice(stat.lastIndexOf(')') + 2).split(' ')[START_FIELD];
}

function ownNamespace(): string {
  return readOr(() => readlinkSync('/proc/self/ns/pid')) ?? '';
}

/** Reads a file; undefined if there is no such file. */
function readOr(read: () => string): string | undefined {
  try {
    return read();
  } catch (cause) {
    if (!isSystemError(cause)) throw cause;
    return undefined;
  }
}
