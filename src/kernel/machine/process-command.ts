import type { ReadText } from './read-text.ts';

/**
 * The words of a command line, or of the title that a process wrote over it. Any process can make it long: a regular
 * expression for its end would take seconds for 64 KiB of blanks.
 */
export function commandWords(cmdline: string): readonly string[] {
  let end = cmdline.length;
  while (end > 0 && '\0 '.includes(cmdline[end - 1]!)) end--;
  return cmdline.slice(0, end).split('\0');
}

/**
 * Whether a process has ended and waits for its parent. Such a process has no memory and therefore no command line,
 * like a kernel thread.
 */
export function isZombie(status: string): boolean {
  return /^State:\s+[ZX]/m.test(status);
}

/** The effective user ID, the second of four: it determines what the process may do. */
export function effectiveUid(status: string): number | undefined {
  const uid = /^Uid:\s+\d+\s+(\d+)/m.exec(status)?.[1];
  return uid === undefined ? undefined : Number(uid);
}

/** Login names by user ID. */
export function userNames(passwd: ReadText): ReadonlyMap<number, string> {
  if ('lacks' in passwd) return new Map();
  const users = passwd.text.split('\n').map((line) => line.split(':'));
  // If several lines have the same user ID, the first one counts.
  return new Map(
    users.flatMap(([name, , uid]) => (uid ? [[Number(uid), name!] as const] : [])).toReversed(),
  );
}
