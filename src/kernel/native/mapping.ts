import koffi from 'koffi';
import { ok, type Result } from '../../base/result.ts';
import { checkErrno, type SyscallError } from './syscalls.ts';

const libc = koffi.load(null);
const raw = {
  mmap: libc.func(
    'void *mmap(void *address, size_t length, int protection, int flags, int fd, int64_t offset)',
  ) as unknown as (
    address: null,
    length: number,
    protection: number,
    flags: number,
    fd: number,
    offset: number,
  ) => bigint,
  munmap: libc.func('int munmap(void *address, size_t length)') as unknown as (
    address: bigint,
    length: number,
  ) => number,
  sysconf: libc.func('long sysconf(int name)') as unknown as (name: number) => number,
  fcntl: libc.func('int fcntl(int fd, int command, int argument)') as unknown as (
    fd: number,
    command: number,
    argument: number,
  ) => number,
};

const PROT_READ = 1;
const PROT_WRITE = 2;
const MAP_SHARED = 1;
const MAP_FAILED = 0xffff_ffff_ffff_ffffn;
const SC_PAGESIZE = 30;
const F_DUPFD_CLOEXEC = 1030;

export const PAGE_BYTES = raw.sysconf(SC_PAGESIZE);

/** Memory that the kernel programs write. After `dispose` its buffer must not be touched: that faults. */
export interface Mapping {
  readonly buffer: ArrayBuffer;
  dispose(): void;
}

export interface MappingRequest {
  readonly fd: number;
  readonly bytes: number;
  readonly offset?: number;
  readonly writable: boolean;
}

/** Maps whole pages of a descriptor, which may then be closed. Reading the buffer after `dispose` would crash. */
export function mapMemory(request: MappingRequest): Result<Mapping, SyscallError> {
  const { fd, bytes, offset = 0, writable } = request;
  const protection = writable ? PROT_READ | PROT_WRITE : PROT_READ;
  const address = raw.mmap(null, bytes, protection, MAP_SHARED, fd, offset);
  const failed = address === MAP_FAILED || address === -1n;
  const checked = checkErrno('mmap', failed ? -1 : 0);
  if (!checked.ok) return checked;
  return ok({
    buffer: koffi.view(address, bytes),
    dispose: () => {
      raw.munmap(address, bytes);
    },
  });
}

/** A duplicate of a descriptor that closes on exec. */
export function duplicateFd(fd: number): Result<number, SyscallError> {
  return checkErrno('fcntl', raw.fcntl(fd, F_DUPFD_CLOEXEC, 3));
}

/** Rounds up, because the kernel pads array maps to whole pages. */
export function wholePages(bytes: number): number {
  return Math.ceil(bytes / PAGE_BYTES) * PAGE_BYTES;
}
