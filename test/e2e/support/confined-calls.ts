import { readFileSync } from 'node:fs';

/** What a program did after it was confined, from a log of `strace -f`. */
export interface ConfinedCalls {
  /** Names of system calls, with how often each was made. */
  readonly counts: ReadonlyMap<string, number>;
  /** Whole lines of calls that the filter refused, as far as their errno tells. */
  readonly refused: readonly string[];
}

interface Line {
  readonly tid: number;
  readonly call: string;
  readonly text: string;
  readonly isResumed: boolean;
}

const LINE = /^(\d+)\s+(?:<\.\.\. )?(\w+)(\(| resumed>)(.*)$/;
const MAKES_TASK = /^(clone|clone3|fork|vfork)$/;

/**
 * Of the first process and its threads alone: the shell that restores the terminal is a process of its
 * own, and is started before.
 */
export function confinedCalls(path: string): ConfinedCalls {
  const lines = readFileSync(path, 'utf8')
    .split('\n')
    .flatMap((text) => parse(text) ?? []);
  const own = ownThreads(lines);
  const from = lines.findLastIndex(({ tid, call }) => call === 'seccomp' && own.has(tid));
  if (from < 0) throw new Error(`${path}: nothing was confined`);
  const after = lines.slice(from + 1).filter(({ tid }) => own.has(tid));
  const counts = new Map<string, number>();
  for (const { call, isResumed } of after)
    if (!isResumed) counts.set(call, (counts.get(call) ?? 0) + 1);
  const refused = after.filter(({ text }) => /= -1 (EPERM|ENOSYS) /.test(text));
  return { counts, refused: refused.map(({ call, text }) => `${call}: ${text}`) };
}

function parse(text: string): Line | undefined {
  const [, tid, call, mark, rest] = LINE.exec(text) ?? [];
  if (tid === undefined || call === undefined || rest === undefined) return undefined;
  return { tid: Number(tid), call, text: rest, isResumed: mark !== '(' };
}

/** The first process and every thread that it, or one of its threads, has made. */
function ownThreads(lines: readonly Line[]): ReadonlySet<number> {
  const begun = new Map<number, string>();
  const parents = new Map<number, number>();
  for (const { tid, call, text } of lines.filter((line) => MAKES_TASK.test(line.call))) {
    const all = (begun.get(tid) ?? '') + text;
    begun.set(tid, text.endsWith('<unfinished ...>') ? all : '');
    const child = Number(/= (\d+)$/.exec(text)?.[1] ?? 0);
    if (child > 0 && call !== 'vfork' && all.includes('CLONE_THREAD')) parents.set(child, tid);
  }
  const own = new Set([lines[0]?.tid ?? 0]);
  // A thread may be heard of before its own parent is.
  for (let known = 0; known < own.size;) {
    known = own.size;
    for (const [child, parent] of parents) if (own.has(parent)) own.add(child);
  }
  return own;
}
