import koffi from 'koffi';
import { alignedMemory, check } from './system.ts';
import type { NextIo, UringOutcome } from './uring.ts';

/* libaio is four system calls: include/uapi/linux/aio_abi.h. */
const libc = koffi.load(null);
const raw = {
  setup: libc.func('long syscall(long number, long entries, void *context)'),
  submit: libc.func('long syscall(long number, uint64_t context, long count, void *pointers)'),
  getEvents: libc.func(
    'long syscall(long number, uint64_t context, long least, long most, void *events, void *timeout)',
  ),
  destroy: libc.func('long syscall(long number, uint64_t context)'),
} as unknown as {
  setup: (number: number, entries: number, context: BigUint64Array) => number;
  submit: (number: number, context: bigint, count: number, pointers: BigUint64Array) => number;
  getEvents: (
    number: number,
    context: bigint,
    least: number,
    most: number,
    events: Uint8Array,
    timeout: null,
  ) => number;
  destroy: (number: number, context: bigint) => number;
};

const NUMBERS =
  process.arch === 'arm64'
    ? { setup: 0, destroy: 1, submit: 2, getEvents: 4 }
    : { setup: 206, destroy: 207, submit: 209, getEvents: 208 };

const PREAD = 0;
const PWRITE = 1;
const IOCB_BYTES = 64;
const EVENT_BYTES = 32;

export interface AioJob {
  readonly fd: number;
  /** Requests handed over, and awaited, at once. */
  readonly depth: number;
  readonly count: number;
  readonly maxBytes: number;
  readonly next: NextIo;
}

/** In volleys of `depth` requests, until `count` have completed. */
export function runAio(job: AioJob): UringOutcome {
  const context = new BigUint64Array(1);
  check('io_setup', raw.setup(NUMBERS.setup, job.depth, context));
  const memory = alignedMemory(job.depth * job.maxBytes);
  const startNs = process.hrtime.bigint();
  const outcome = { bytes: 0, failures: 0 };
  try {
    for (let done = 0; done < job.count; done += job.depth) {
      const wanted = volley(context[0]!, memory.address, job, done);
      collect(context[0]!, wanted, outcome);
    }
    return { ...outcome, elapsedNs: Number(process.hrtime.bigint() - startNs) };
  } finally {
    raw.destroy(NUMBERS.destroy, context[0]!);
    memory.dispose();
  }
}

function volley(context: bigint, address: bigint, job: AioJob, from: number): number[] {
  const size = Math.min(job.depth, job.count - from);
  const blocks = Buffer.alloc(size * IOCB_BYTES);
  const base = koffi.address(blocks);
  const wanted = Array.from({ length: size }, (_, slot) => {
    const { write, offset, bytes } = job.next(from + slot);
    const at = slot * IOCB_BYTES;
    blocks.writeBigUInt64LE(BigInt(slot), at);
    blocks.writeUInt16LE(write ? PWRITE : PREAD, at + 16);
    blocks.writeUInt32LE(job.fd, at + 20);
    blocks.writeBigUInt64LE(address + BigInt(slot * job.maxBytes), at + 24);
    blocks.writeBigUInt64LE(BigInt(bytes), at + 32);
    blocks.writeBigInt64LE(BigInt(offset), at + 40);
    return bytes;
  });
  const pointers = BigUint64Array.from(wanted, (_, slot) => base + BigInt(slot * IOCB_BYTES));
  check('io_submit', raw.submit(NUMBERS.submit, context, size, pointers));
  return wanted;
}

function collect(
  context: bigint,
  wanted: readonly number[],
  outcome: { bytes: number; failures: number },
): void {
  const size = wanted.length;
  const events = Buffer.alloc(size * EVENT_BYTES);
  check('io_getevents', raw.getEvents(NUMBERS.getEvents, context, size, size, events, null));
  for (let index = 0; index < size; index++) {
    const slot = Number(events.readBigUInt64LE(index * EVENT_BYTES));
    const result = Number(events.readBigInt64LE(index * EVENT_BYTES + 16));
    if (result === wanted[slot]) outcome.bytes += result;
    else outcome.failures++;
  }
}
