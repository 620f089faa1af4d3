import { join } from 'node:path';
import { known, lacking } from '../../model/card.ts';
import type { CardFacts, Fact } from '../../model/card.ts';
import { containerTitle } from './cgroup-title.ts';
import type { ContainerNames } from './container-names.ts';
import { isInitialNamespace } from './pid-namespace.ts';
import { commandWords, isZombie, userNames } from './process-command.ts';
import { readName } from './process-name.ts';
import { readText } from './read-text.ts';
import type { ReadText } from './read-text.ts';

export interface ProcessFiles {
  readonly proc?: string;
  readonly passwd?: string;
  readonly containers?: ContainerNames | undefined;
}

/**
 * A process as `/proc` shows it to this user. `comm`: its name at the time of its I/O; threads have their
 * own, and the process may be another program by now. Process ids of
 * the kernel mean nothing in another PID namespace, where nothing is looked up. Undefined for a process that has ended;
 * with `hidepid`, those of others look the same.
 */
export function readProcessCard(
  tgid: number,
  comm: string,
  { proc = '/proc', passwd = '/etc/passwd', containers }: ProcessFiles = {},
): CardFacts | undefined {
  if (!isInitialNamespace(proc)) return { command: lacking('in another PID namespace') };
  const folder = join(proc, String(tgid));
  const status = readText(join(folder, 'status'));
  if ('lacks' in status && status.lacks === 'absent') return undefined;
  const field = fieldsOf(status);
  const now = readName(join(folder, 'comm')) ?? comm;
  return {
    ...(now !== comm && { name: known(`${now} (its I/O as ${comm})`) }),
    ...commandFact(readText(join(folder, 'cmdline')), status, now),
    user: field('Uid', (uids) => userText(uids, passwd)),
    ...cgroupFacts(readText(join(folder, 'cgroup')), containers),
    threads: field('Threads', (count) => count),
  };
}

/** The fact that a file is missing: the process may end while it is read. */
function absence({ lacks }: Extract<ReadText, { lacks: string }>): Fact {
  return lacking(lacks === 'absent' ? 'the process has ended' : lacks);
}

/** Looks up fields of `/proc/PID/status`. */
function fieldsOf(status: ReadText): (name: string, textOf: (text: string) => string) => Fact {
  if ('lacks' in status) return () => absence(status);
  const fields = new Map(
    status.text.split('\n').map((line) => [line.split(':')[0], line.slice(line.indexOf(':') + 1)]),
  );
  return (name, textOf) => {
    const text = fields.get(name)?.trim();
    return text === undefined ? lacking('unknown') : known(textOf(text));
  };
}

/** The command line, or the title that the process wrote over it. */
function commandFact(cmdline: ReadText, status: ReadText, comm: string): CardFacts {
  if ('lacks' in status) return { command: absence(status) };
  if ('lacks' in cmdline) return { command: absence(cmdline) };
  const words = commandWords(cmdline.text);
  const [first = ''] = words;
  if (words.length === 1 && first === '') return { command: withoutCommand(status.text) };
  const isTitle = words.length === 1 && isWrittenOver(first, comm);
  return { [isTitle ? 'title' : 'command']: known(words.join(' ')) };
}

function withoutCommand(status: string): Fact {
  return lacking(isZombie(status) ? 'the process has ended' : 'none: a kernel thread');
}

/** Length of a thread's name without the final NUL (`TASK_COMM_LEN`). */
const COMM_LENGTH = 15;

/**
 * Whether the command line is a title: one word with a blank in it is either a title, as postgres and nginx write it,
 * or the path of a program, whose last part is then the name of the process.
 */
function isWrittenOver(word: string, comm: string): boolean {
  if (!word.includes(' ')) return false;
  if (!/^[./]/.test(word)) return true;
  const last = word.slice(word.lastIndexOf('/') + 1);
  return last.slice(0, COMM_LENGTH) !== comm;
}

/** The effective user, the second of four IDs: it determines what the process may do. */
function userText(uids: string, passwd: string): string {
  const uid = uids.split(/\s+/)[1] ?? uids;
  const name = userNames(readText(passwd)).get(Number(uid));
  return name === undefined ? uid : `${name} (${uid})`;
}

/** The cgroup, by its path in the unified hierarchy, and the container. */
function cgroupFacts(file: ReadText, containers?: ContainerNames): CardFacts {
  if ('lacks' in file) return { cgroup: absence(file), container: absence(file) };
  const path = /^0::(.*)$/m.exec(file.text)?.[1];
  const none = lacking('not in the unified hierarchy');
  if (path === undefined) return { cgroup: none, container: none };
  const container = containerTitle(path, containers);
  return {
    cgroup: known(path),
    container: container === undefined ? lacking('none') : known(container),
  };
}
