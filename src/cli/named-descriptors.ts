import { existsSync } from 'node:fs';

/** As a shell writes `<(zcat log.gz)`, and as people write it. */
const NAMED = /^\/(?:dev|proc\/self)\/fd\/(\d{1,6})$/;

/**
 * Descriptors that the caller opened and names on the command line. Node marks all that it inherits to
 * close on exec, so that a program which executes itself has to keep these.
 */
export function namedDescriptors(argv: readonly string[]): number[] {
  const fds = argv.map((word) => Number(NAMED.exec(word.replace(/^--[\w-]+=/, ''))?.[1] ?? -1));
  return [...new Set(fds.filter((fd) => fd > 2 && existsSync(`/proc/self/fd/${fd}`)))];
}
