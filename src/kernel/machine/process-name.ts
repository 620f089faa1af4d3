import { decodeComm } from './decode-comm.ts';
import { readBytes } from './read-text.ts';

const NEWLINE = 0x0a;
/** More than the longest name of a worker of the kernel. */
const MOST_BYTES = 64;

/** The name in a `comm` file of `/proc`, decoded as that of I/O; undefined if it cannot be read. */
export function readName(path: string): string | undefined {
  const read = readBytes(path, MOST_BYTES);
  if ('lacks' in read) return undefined;
  const { bytes } = read;
  return decodeComm(bytes.at(-1) === NEWLINE ? bytes.subarray(0, -1) : bytes);
}

/**
 * Whether a name of `/proc` is that of a thread whose I/O has the name `comm`. For a worker, `/proc` adds what it works
 * on: `kworker/u8:1+loop1`, `kworker/u8:1-flush`.
 */
export function isNameOf(name: string, comm: string): boolean {
  if (name === comm) return true;
  const isWorker = comm.startsWith('kworker/') && name.startsWith(comm);
  return isWorker && '+-'.includes(name[comm.length]!);
}
