import { existsSync } from 'node:fs';

/** The path of a descriptor, as a shell passes `<(zcat log.gz)`, and as people type it. */
const NAMED = /^\/(?:dev|proc\/self)\/fd\/(\d{1,6})$/;

/**
 * Descriptors that the caller opened and names on the command line. Node sets close-on-exec on all that
 * it inherits, so a program that re-executes itself has to keep these.
 */
export function namedDescriptors(argv: readonly string[]): number[] {
  const fds = argv.map((word) => Number(NAMED.exec(word.replace(/^--?[\w-]+=/, ''))?.[1] ?? -1));
  return [...new Set(fds.filter((fd) => fd > 2 && existsSync(`/proc/self/fd/${fd}`)))];
}
