import { closeSync, openSync, readFileSync, readSync } from 'node:fs';

const CHUNK_BYTES = 1 << 20;

export interface MemoryScan {
  /** What was searched for and found. */
  readonly found: ReadonlySet<bigint>;
  readonly bytes: number;
  /** Names of the mappings that were read, as `/proc/PID/maps` has them. */
  readonly mappings: ReadonlySet<string>;
}

/** Looks through everything that a process can read in its own memory, at each multiple of four bytes. */
export function scanMemory(pid: number, values: readonly bigint[]): MemoryScan {
  const wanted = new Set(values);
  const highWords = new Set(values.map((value) => Number(value >> 32n)));
  const found = new Set<bigint>();
  const mappings = new Set<string>();
  const fd = openSync(`/proc/${pid}/mem`, 'r');
  // Eight bytes more, as a value may lie across two chunks.
  const buffer = Buffer.alloc(CHUNK_BYTES + 8);
  const words = new Uint32Array(buffer.buffer, buffer.byteOffset, buffer.length / 4);
  let scanned = 0;
  try {
    for (const { start, end, name } of readableMappings(pid))
      for (let at = start; at < end; at += BigInt(CHUNK_BYTES)) {
        const bytes = readAt(fd, buffer, at, end);
        if (bytes > 0) mappings.add(name);
        scanned += bytes;
        for (let word = 1; word < bytes >> 2; word++)
          if (highWords.has(words[word]!)) {
            const value = (BigInt(words[word]!) << 32n) | BigInt(words[word - 1]!);
            if (wanted.has(value)) found.add(value);
          }
      }
  } finally {
    closeSync(fd);
  }
  return { found, bytes: scanned, mappings };
}

/** 0 where the kernel lets nobody read: pages of devices, beyond the end of a mapped file. */
function readAt(fd: number, buffer: Buffer, at: bigint, end: bigint): number {
  const left = end - at;
  const length = left < buffer.length ? Number(left) : buffer.length;
  try {
    return readSync(fd, buffer, 0, length, at);
  } catch (cause) {
    if (cause instanceof Error && 'code' in cause && cause.code === 'EIO') return 0;
    throw cause;
  }
}

interface MappedRange {
  readonly start: bigint;
  readonly end: bigint;
  readonly name: string;
}

const LINE = /^([0-9a-f]+)-([0-9a-f]+) r\S+ \S+ \S+ \d+ *(.*)$/;
/** Not of the process: the same page in every one, at the top of the address space. */
const VSYSCALL = '[vsyscall]';

function readableMappings(pid: number): MappedRange[] {
  return readFileSync(`/proc/${pid}/maps`, 'utf8')
    .split('\n')
    .map((line) => LINE.exec(line))
    .filter((match) => match !== null)
    .map(([, start, end, name]) => ({
      start: BigInt(`0x${start!}`),
      end: BigInt(`0x${end!}`),
      name: name!,
    }))
    .filter(({ name }) => name !== VSYSCALL);
}
