import { readdirSync, readFileSync, readlinkSync } from 'node:fs';
import { codeOf } from '../../../src/base/system-error.ts';

const LISTEN = '0A';

/** TCP sockets on which a process listens, as the kernel writes their addresses. */
export function listeningOf(pid: number): string[] {
  const inodes = ifThere(() => readdirSync(`/proc/${pid}/fd`), [])
    .map((fd) => ifThere(() => readlinkSync(`/proc/${pid}/fd/${fd}`), ''))
    .flatMap((link) => /^socket:\[(\d+)\]$/.exec(link)?.[1] ?? []);
  return ['tcp', 'tcp6']
    .map((name) => readFileSync(`/proc/net/${name}`, 'utf8'))
    .flatMap((table) => table.trim().split('\n').slice(1))
    .map((line) => line.trim().split(/\s+/))
    .filter((words) => words[3] === LISTEN && inodes.includes(words[9]!))
    .map((words) => words[1]!);
}

/** A process may end, and a descriptor be closed, while they are looked at. */
function ifThere<T>(read: () => T, otherwise: T): T {
  try {
    return read();
  } catch (cause) {
    if (codeOf(cause) === 'ENOENT') return otherwise;
    throw cause;
  }
}
