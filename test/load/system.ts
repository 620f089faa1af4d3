import { closeSync, openSync } from 'node:fs';
import { getSystemErrorName } from 'node:util';
import koffi from 'koffi';

/*
 * The system calls that loads need and Node lacks. Variadic ones are declared with the arguments used
 * here, which x86-64 and arm64 Linux pass alike.
 */
const libc = koffi.load(null);
const raw = {
  mmap: libc.func(
    'void *mmap(void *address, size_t length, int protection, int flags, int fd, int64_t offset)',
  ),
  munmap: libc.func('int munmap(void *address, size_t length)'),
  ioctlNumber: libc.func('ioctl', 'int', ['int', 'ulong', 'long']),
  ioctlMemory: libc.func('ioctl', 'int', ['int', 'ulong', 'void *']),
  prctl: libc.func('int prctl(int option, void *text, long a, long b, long c)'),
  prctlNumber: libc.func('prctl', 'int', ['int', 'ulong', 'ulong', 'ulong', 'ulong']),
  mount: libc.func(
    'int mount(const char *source, const char *target, const char *type, ulong flags, const char *data)',
  ),
  madvise: libc.func('int madvise(void *address, size_t length, int advice)'),
  dup2: libc.func('int dup2(int from, int to)'),
  uringSetup: libc.func('long syscall(long number, long entries, void *parameters)'),
  uringEnter: libc.func(
    'long syscall(long number, long fd, long submit, long complete, long flags, void *mask, long size)',
  ),
} as unknown as Raw;

interface Raw {
  mmap: (
    address: null,
    length: number,
    protection: number,
    flags: number,
    fd: number,
    offset: number,
  ) => bigint;
  munmap: (address: bigint, length: number) => number;
  ioctlNumber: (fd: number, request: number, argument: number) => number;
  ioctlMemory: (fd: number, request: number, argument: Uint8Array) => number;
  prctlNumber: (option: number, a: number, b: number, c: number, d: number) => number;
  prctl: (option: number, text: Uint8Array, a: number, b: number, c: number) => number;
  mount: (source: string, target: string, type: string, flags: number, data: string) => number;
  madvise: (address: bigint, length: number, advice: number) => number;
  dup2: (from: number, to: number) => number;
  uringSetup: (number: number, entries: number, parameters: Uint8Array) => number;
  uringEnter: (
    number: number,
    fd: number,
    submit: number,
    complete: number,
    flags: number,
    mask: null,
    size: number,
  ) => number;
}

/** A system call that failed; tests have no remedy, so it throws. */
export class SystemError extends Error {
  readonly code: string;
  constructor(call: string, errno: number) {
    const code = getSystemErrorName(-errno);
    super(`${call}: ${code}`);
    this.code = code;
  }
}

export function check(call: string, rc: number): number {
  if (rc < 0) throw new SystemError(call, koffi.errno());
  return rc;
}

const PROT_READ_WRITE = 3;
const MAP_SHARED = 0x01;
const MAP_PRIVATE = 0x02;
const MAP_POPULATE = 0x8000;
const MAP_ANONYMOUS = 0x20;

export interface Memory {
  readonly address: bigint;
  readonly buffer: ArrayBuffer;
  dispose(): void;
}

function map(bytes: number, flags: number, fd: number, offset: number): Memory {
  const address = raw.mmap(null, bytes, PROT_READ_WRITE, flags, fd, offset);
  check('mmap', address === 0xffff_ffff_ffff_ffffn ? -1 : 0);
  return {
    address,
    buffer: koffi.view(address, bytes),
    dispose: () => {
      raw.munmap(address, bytes);
    },
  };
}

/** Page-aligned, as O_DIRECT wants it. */
export function alignedMemory(bytes: number): Memory {
  return map(bytes, MAP_PRIVATE | MAP_ANONYMOUS | MAP_POPULATE, -1, 0);
}

/** `populate`: all of it is there at once, and not only what is touched. */
export function mapShared(fd: number, bytes: number, offset: number, populate = true): Memory {
  return map(bytes, MAP_SHARED | (populate ? MAP_POPULATE : 0), fd, offset);
}

export function ioctl(name: string, fd: number, request: number, argument: number | Uint8Array) {
  const rc =
    typeof argument === 'number'
      ? raw.ioctlNumber(fd, request, argument)
      : raw.ioctlMemory(fd, request, argument);
  return check(name, rc);
}

/** Over the folder `target`, served by whoever reads the requests from `fd` (of `/dev/fuse`). */
export function mountFuse(target: string, fd: number): void {
  const data = `fd=${fd},rootmode=40755,user_id=0,group_id=0,default_permissions`;
  check('mount', raw.mount('ioheat-slow-file', target, 'fuse', 0, data));
}

const MADV_RANDOM = 1;

/** A fault reads the page that is touched, and none around it. */
export function adviseRandom(memory: Memory): void {
  check('madvise', raw.madvise(memory.address, memory.buffer.byteLength, MADV_RANDOM));
}

/** Lets go of what a descriptor stands for; whoever closes it later finds one there. */
export function closeKeepingNumber(fd: number): void {
  const nothing = openSync('/dev/null', 'r');
  try {
    check('dup2', raw.dup2(nothing, fd));
  } finally {
    closeSync(nothing);
  }
}

const PR_SET_PDEATHSIG = 1;
const SIGKILL = 9;

/** The calling process ends when the one that started it does, even if it is stopped then. */
export function dieWithParent(): void {
  check('prctl', raw.prctlNumber(PR_SET_PDEATHSIG, SIGKILL, 0, 0, 0));
}

const PR_SET_NAME = 15;

/** Names the calling thread, byte for byte; the kernel keeps 15 of them. */
export function setThreadName(name: Uint8Array): void {
  check('prctl', raw.prctl(PR_SET_NAME, Buffer.concat([name, Buffer.alloc(16)]), 0, 0, 0));
}

const IO_URING_SETUP = 425;
const IO_URING_ENTER = 426;
const ENTER_GETEVENTS = 1;
const ENTER_SQ_WAKEUP = 2;

export function ioUringSetup(entries: number, parameters: Uint8Array): number {
  return check('io_uring_setup', raw.uringSetup(IO_URING_SETUP, entries, parameters));
}

/**
 * Hands over `submit` entries and waits until at least `complete` have finished. `wake`: the kernel's
 * own thread takes them, and may have to be woken.
 */
export function ioUringEnter(fd: number, submit: number, complete: number, wake = false): number {
  const flags = ENTER_GETEVENTS | (wake ? ENTER_SQ_WAKEUP : 0);
  const rc = raw.uringEnter(IO_URING_ENTER, fd, submit, complete, flags, null, 0);
  return check('io_uring_enter', rc);
}
