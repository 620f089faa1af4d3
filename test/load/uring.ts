import { closeSync } from 'node:fs';
import { alignedMemory, ioUringEnter, ioUringSetup, mapShared, type Memory } from './system.ts';

/* include/uapi/linux/io_uring.h */
const PARAMETERS_BYTES = 120;
const SETUP_FLAGS_AT = 8;
const SQPOLL_IDLE_AT = 16;
const SETUP_SQPOLL = 2;
const SQPOLL_IDLE_MS = 100;
const SQ_OFFSETS_AT = 40;
const CQ_OFFSETS_AT = 80;
const OFF_SQ_RING = 0;
const OFF_CQ_RING = 0x8000000;
const OFF_SQES = 0x10000000;
const SQE_WORDS = 16;
const CQE_WORDS = 4;
const OP_READ = 22;
const OP_WRITE = 23;

/** The next I/O of a load; `index` counts from 0. */
export type NextIo = (index: number) => {
  readonly write: boolean;
  readonly offset: number;
  readonly bytes: number;
};

export interface UringJob {
  readonly fd: number;
  /** Requests kept in flight. */
  readonly depth: number;
  /** Requests per system call. */
  readonly batch: number;
  readonly count: number;
  /** The largest `bytes` of any I/O. */
  readonly maxBytes: number;
  /** A thread of the kernel's own looks for requests (IORING_SETUP_SQPOLL). */
  readonly sqPoll?: boolean;
  readonly next: NextIo;
}

export interface UringOutcome {
  readonly bytes: number;
  /** Completions with another result than the bytes asked for. */
  readonly failures: number;
  readonly elapsedNs: number;
}

/** Keeps `depth` requests in flight until `count` have completed. */
export function runUring(job: UringJob): UringOutcome {
  const ring = new Uring(job.depth, job.sqPoll ?? false);
  const memory = alignedMemory(job.depth * job.maxBytes);
  try {
    const startNs = process.hrtime.bigint();
    const done = drive(ring, memory, job);
    return { ...done, elapsedNs: Number(process.hrtime.bigint() - startNs) };
  } finally {
    ring.dispose();
    memory.dispose();
  }
}

function drive(ring: Uring, memory: Memory, job: UringJob): { bytes: number; failures: number } {
  const free = Array.from({ length: job.depth }, (_, slot) => slot);
  const wanted = new Int32Array(job.depth);
  const outcome = { bytes: 0, failures: 0 };
  let submitted = 0;
  let completed = 0;
  const finish = (slot: number, result: number): void => {
    free.push(slot);
    completed++;
    if (result === wanted[slot]) outcome.bytes += result;
    else outcome.failures++;
  };
  while (completed < job.count) {
    let queued = 0;
    while (free.length > 0 && submitted < job.count) {
      const slot = free.pop()!;
      const { write, offset, bytes } = job.next(submitted++);
      wanted[slot] = bytes;
      const address = memory.address + BigInt(slot * job.maxBytes);
      ring.queue({ opcode: write ? OP_WRITE : OP_READ, fd: job.fd, address, offset, bytes, slot });
      queued++;
    }
    ring.enter(queued, Math.min(job.batch, submitted - completed));
    ring.reap(finish);
  }
  return outcome;
}

interface Entry {
  readonly opcode: number;
  readonly fd: number;
  readonly address: bigint;
  readonly offset: number;
  readonly bytes: number;
  readonly slot: number;
}

/** Submission and completion ring of one io_uring, used by one thread. */
class Uring {
  private readonly fd: number;
  private readonly mappings: readonly Memory[];
  private readonly entries: Uint32Array;
  private readonly sq: Uint32Array;
  private readonly cq: Uint32Array;
  private readonly sqTail: number;
  private readonly sqMask: number;
  private readonly sqArray: number;
  private readonly cqHead: number;
  private readonly cqTail: number;
  private readonly cqMask: number;
  private readonly cqes: number;

  constructor(
    depth: number,
    private readonly sqPoll: boolean,
  ) {
    const parameters = Buffer.alloc(PARAMETERS_BYTES);
    if (sqPoll) {
      parameters.writeUInt32LE(SETUP_SQPOLL, SETUP_FLAGS_AT);
      parameters.writeUInt32LE(SQPOLL_IDLE_MS, SQPOLL_IDLE_AT);
    }
    this.fd = ioUringSetup(depth, parameters);
    const word = (at: number): number => parameters.readUInt32LE(at);
    const sqEntries = word(0);
    const cqEntries = word(4);
    const array = word(SQ_OFFSETS_AT + 24);
    const cqes = word(CQ_OFFSETS_AT + 20);
    const sqRing = mapShared(this.fd, array + 4 * sqEntries, OFF_SQ_RING);
    const cqRing = mapShared(this.fd, cqes + 16 * cqEntries, OFF_CQ_RING);
    const sqes = mapShared(this.fd, 64 * sqEntries, OFF_SQES);
    this.mappings = [sqRing, cqRing, sqes];
    this.sq = new Uint32Array(sqRing.buffer, 0, (array + 4 * sqEntries) / 4);
    this.cq = new Uint32Array(cqRing.buffer, 0, (cqes + 16 * cqEntries) / 4);
    this.entries = new Uint32Array(sqes.buffer);
    this.sqTail = word(SQ_OFFSETS_AT + 4) / 4;
    this.sqMask = sqEntries - 1;
    this.sqArray = array / 4;
    this.cqHead = word(CQ_OFFSETS_AT) / 4;
    this.cqTail = word(CQ_OFFSETS_AT + 4) / 4;
    this.cqMask = cqEntries - 1;
    this.cqes = cqes / 4;
  }

  queue(entry: Entry): void {
    const tail = this.sq[this.sqTail]!;
    const index = tail & this.sqMask;
    const at = index * SQE_WORDS;
    const words = this.entries;
    words.fill(0, at, at + SQE_WORDS);
    words[at] = entry.opcode;
    words[at + 1] = entry.fd;
    words[at + 2] = entry.offset >>> 0;
    words[at + 3] = Math.floor(entry.offset / 2 ** 32);
    words[at + 4] = Number(entry.address & 0xffff_ffffn);
    words[at + 5] = Number(entry.address >> 32n);
    words[at + 6] = entry.bytes;
    words[at + 8] = entry.slot;
    this.sq[this.sqArray + index] = index;
    Atomics.store(this.sq, this.sqTail, (tail + 1) >>> 0);
  }

  enter(submit: number, complete: number): void {
    ioUringEnter(this.fd, submit, complete, this.sqPoll);
  }

  reap(finish: (slot: number, result: number) => void): void {
    const tail = Atomics.load(this.cq, this.cqTail);
    let head = this.cq[this.cqHead]!;
    for (; head !== tail; head = (head + 1) >>> 0) {
      const at = this.cqes + (head & this.cqMask) * CQE_WORDS;
      finish(this.cq[at]!, this.cq[at + 2]! | 0);
    }
    Atomics.store(this.cq, this.cqHead, head);
  }

  dispose(): void {
    this.mappings.forEach((mapping) => {
      mapping.dispose();
    });
    closeSync(this.fd);
  }
}
