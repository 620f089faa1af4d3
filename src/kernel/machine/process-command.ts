import type { ReadText } from './read-text.ts';

/** The words of a command line, or of the title that a process wrote over it. */
export function commandWords(cmdline: string): readonly string[] {
  return cmdline.replace(/[\0 ]+$/, '').split('\0');
}

/** Only user space has memory of its own; a process that has ended and waits for its parent has none. */
export function isZombie(status: string): boolean {
  return /^State:\s+[ZX]/m.test(status);
}

/** Real, effective, saved, and that of the file system: what it may do is what the second may. */
export function effectiveUid(status: string): number | undefined {
  const uid = /^Uid:\s+\d+\s+(\d+)/m.exec(status)?.[1];
  return uid === undefined ? undefined : Number(uid);
}

/** Login names by user ID. */
export function userNames(passwd: ReadText): ReadonlyMap<number, string> {
  if ('lacks' in passwd) return new Map();
  const users = passwd.text.split('\n').map((line) => line.split(':'));
  // The first line of a user ID holds.
  return new Map(
    users.flatMap(([name, , uid]) => (uid ? [[Number(uid), name!] as const] : [])).toReversed(),
  );
}
