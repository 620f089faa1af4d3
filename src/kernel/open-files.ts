import { readFileSync } from 'node:fs';

/**
 * Whether so few files may be open that the programs, maps and links would not fit: 56 suffice on 6.18.
 * Below, libbpf's probes of the kernel fail before anything else, and it reports what they made it
 * believe, such as EINVAL.
 */
export function isShortOfFiles(limits = readLimits()): boolean {
  const soft = /^Max open files\s+(\d+)/m.exec(limits)?.[1];
  return soft !== undefined && Number(soft) < SUFFICIENT;
}

const SUFFICIENT = 64;

function readLimits(): string {
  return readFileSync('/proc/self/limits', 'utf8');
}
