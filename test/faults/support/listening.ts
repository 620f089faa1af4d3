import { existsSync, readdirSync, readFileSync, readlinkSync } from 'node:fs';

const LISTEN = '0A';

/** TCP sockets on which a process listens, as the kernel writes their addresses. */
export function listeningOf(pid: number): string[] {
  const inodes = readdirSync(`/proc/${pid}/fd`)
    .map((fd) => linkOf(`/proc/${pid}/fd/${fd}`))
    .flatMap((link) => /^socket:\[(\d+)\]$/.exec(link)?.[1] ?? []);
  return ['tcp', 'tcp6']
    .map((name) => readFileSync(`/proc/net/${name}`, 'utf8'))
    .flatMap((table) => table.trim().split('\n').slice(1))
    .map((line) => line.trim().split(/\s+/))
    .filter((words) => words[3] === LISTEN && inodes.includes(words[9]!))
    .map((words) => words[1]!);
}

/** A descriptor may be gone since it was listed. */
function linkOf(path: string): string {
  return existsSync(path) ? readlinkSync(path) : '';
}
