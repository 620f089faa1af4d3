import { readFileSync } from 'node:fs';

/**
 * Whether the limit of open files is too low for the programs, maps and links. On Linux 6.18, 72 suffice. With a lower
 * limit libbpf's feature probes fail first, and libbpf reports a misleading error, such as EINVAL.
 */
export function isShortOfFiles(): boolean {
  const limits = readFileSync('/proc/self/limits', 'utf8');
  const soft = /^Max open files\s+(\d+)/m.exec(limits)?.[1];
  return soft !== undefined && Number(soft) < SUFFICIENT;
}

const SUFFICIENT = 81;
