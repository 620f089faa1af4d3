import { CALLS, callOperation, type Call } from '../../model/call.ts';
import { CallBits, Dimension, WantedBits } from '../abi/layout.ts';

/** What the kernel programs know of a system call. Numbers of arguments start at 1. */
interface StorageCall {
  /** The number on x64 and that on arm64, which lacks some calls. */
  readonly numbers: readonly [number, number | undefined];
  /** The argument with the descriptor. If its file is on storage, the call sleeps for nothing but storage. */
  readonly fd?: number;
  /** The same, for a call that may also sleep for something else. */
  readonly named?: number;
  /** The argument with the offset in the file, or `OF_FILE`. */
  readonly position?: number;
  /** The argument with the number of bytes. */
  readonly size?: number;
  /** Whether a call without a descriptor sleeps for nothing but storage. */
  readonly always?: boolean;
  /**
   * The argument with the name of a file. Where the call has two names, it is the first one whose file exists before or
   * after the call.
   */
  readonly path?: number;
  /** Whether the result is the number of bytes moved, or a descriptor. */
  readonly returns?: 'bytes' | 'descriptor';
  /** The argument with the flags of open(), or a value of `CallBits` for calls that have them elsewhere. */
  readonly flags?: number;
  /** Whether only waits in this call are traced, because the call itself is not about files. */
  readonly isElsewhere?: boolean;
}

/** Replaces the number of an argument: the position is that of the opened file. */
const OF_FILE = CallBits.filePosition;

/**
 * System calls on files (their data, metadata, directories and extended attributes), and others in which programs wait
 * for storage. The numbers are from `asm/unistd_64.h` and `asm-generic/unistd.h`.
 */
const STORAGE_CALLS: Readonly<Partial<Record<Call, StorageCall>>> = {
  read: { numbers: [0, 63], fd: 1, position: OF_FILE, size: 3, returns: 'bytes' },
  write: { numbers: [1, 64], fd: 1, position: OF_FILE, size: 3, returns: 'bytes' },
  pread64: { numbers: [17, 67], fd: 1, position: 4, size: 3, returns: 'bytes' },
  pwrite64: { numbers: [18, 68], fd: 1, position: 4, size: 3, returns: 'bytes' },
  readv: { numbers: [19, 65], fd: 1, position: OF_FILE, returns: 'bytes' },
  writev: { numbers: [20, 66], fd: 1, position: OF_FILE, returns: 'bytes' },
  preadv: { numbers: [295, 69], fd: 1, position: 4, returns: 'bytes' },
  pwritev: { numbers: [296, 70], fd: 1, position: 4, returns: 'bytes' },
  preadv2: { numbers: [327, 286], fd: 1, position: 4, returns: 'bytes' },
  pwritev2: { numbers: [328, 287], fd: 1, position: 4, returns: 'bytes' },
  sendfile: { numbers: [40, 71], fd: 2, size: 4, returns: 'bytes' },
  splice: { numbers: [275, 76], fd: 1, size: 5, returns: 'bytes' },
  copy_file_range: { numbers: [326, 285], fd: 1, size: 5, returns: 'bytes' },
  readahead: { numbers: [187, 213], fd: 1, position: 2, size: 3 },
  fadvise64: { numbers: [221, 223], fd: 1, position: 2, size: 3 },
  fsync: { numbers: [74, 82], fd: 1 },
  fdatasync: { numbers: [75, 83], fd: 1 },
  sync_file_range: { numbers: [277, 84], fd: 1, position: 2, size: 3 },
  msync: { numbers: [26, 227], always: true },
  sync: { numbers: [162, 81], always: true },
  syncfs: { numbers: [306, 267], fd: 1 },
  ftruncate: { numbers: [77, 46], fd: 1, position: 2 },
  truncate: { numbers: [76, 45], path: 1 },
  fallocate: { numbers: [285, 47], fd: 1, position: 3, size: 4 },
  getdents64: { numbers: [217, 61], fd: 1 },
  getdents: { numbers: [78, undefined], fd: 1 },
  open: { numbers: [2, undefined], path: 1, returns: 'descriptor', flags: 2 },
  openat: { numbers: [257, 56], path: 2, returns: 'descriptor', flags: 3 },
  openat2: { numbers: [437, 437], path: 2, returns: 'descriptor', flags: CallBits.openHow },
  creat: { numbers: [85, undefined], path: 1, returns: 'descriptor', flags: CallBits.openCreates },
  close: { numbers: [3, 57], named: 1 },
  rename: { numbers: [82, undefined], path: 1 },
  renameat: { numbers: [264, 38], path: 2 },
  renameat2: { numbers: [316, 276], path: 2 },
  unlink: { numbers: [87, undefined], path: 1 },
  unlinkat: { numbers: [263, 35], path: 2 },
  rmdir: { numbers: [84, undefined], path: 1 },
  mkdir: { numbers: [83, undefined], path: 1 },
  mkdirat: { numbers: [258, 34], path: 2 },
  link: { numbers: [86, undefined], path: 1 },
  linkat: { numbers: [265, 37], path: 2 },
  symlink: { numbers: [88, undefined], path: 2 },
  symlinkat: { numbers: [266, 36], path: 3 },
  mknod: { numbers: [133, undefined], path: 1 },
  mknodat: { numbers: [259, 33], path: 2 },
  readlink: { numbers: [89, undefined], path: 1 },
  readlinkat: { numbers: [267, 78], path: 2 },
  stat: { numbers: [4, undefined], path: 1 },
  lstat: { numbers: [6, undefined], path: 1 },
  fstat: { numbers: [5, 80], fd: 1 },
  newfstatat: { numbers: [262, 79], path: 2 },
  statx: { numbers: [332, 291], path: 2 },
  access: { numbers: [21, undefined], path: 1 },
  faccessat: { numbers: [269, 48], path: 2 },
  faccessat2: { numbers: [439, 439], path: 2 },
  statfs: { numbers: [137, 43], path: 1 },
  chmod: { numbers: [90, undefined], path: 1 },
  fchmod: { numbers: [91, 52], fd: 1 },
  fchmodat: { numbers: [268, 53], path: 2 },
  chown: { numbers: [92, undefined], path: 1 },
  lchown: { numbers: [94, undefined], path: 1 },
  fchown: { numbers: [93, 55], fd: 1 },
  fchownat: { numbers: [260, 54], path: 2 },
  utimensat: { numbers: [280, 88], path: 2 },
  setxattr: { numbers: [188, 5], path: 1 },
  lsetxattr: { numbers: [189, 6], path: 1 },
  fsetxattr: { numbers: [190, 7], fd: 1 },
  getxattr: { numbers: [191, 8], path: 1 },
  lgetxattr: { numbers: [192, 9], path: 1 },
  fgetxattr: { numbers: [193, 10], fd: 1 },
  listxattr: { numbers: [194, 11], path: 1 },
  llistxattr: { numbers: [195, 12], path: 1 },
  flistxattr: { numbers: [196, 13], fd: 1 },
  removexattr: { numbers: [197, 14], path: 1 },
  lremovexattr: { numbers: [198, 15], path: 1 },
  fremovexattr: { numbers: [199, 16], fd: 1 },
  mmap: { numbers: [9, 222], isElsewhere: true },
  munmap: { numbers: [11, 215], isElsewhere: true },
  madvise: { numbers: [28, 233], isElsewhere: true },
  ioctl: { numbers: [16, 29], named: 1, isElsewhere: true },
  mount: { numbers: [165, 40], isElsewhere: true },
  umount2: { numbers: [166, 39], isElsewhere: true },
  swapon: { numbers: [167, 224], isElsewhere: true },
  swapoff: { numbers: [168, 225], isElsewhere: true },
  execve: { numbers: [59, 221], isElsewhere: true },
  execveat: { numbers: [322, 281], isElsewhere: true },
  exit: { numbers: [60, 93], isElsewhere: true },
  exit_group: { numbers: [231, 94], isElsewhere: true },
  io_submit: { numbers: [209, 2], isElsewhere: true },
  io_uring_enter: { numbers: [426, 426], isElsewhere: true },
  lseek: { numbers: [8, 62], fd: 1 },
  fstatfs: { numbers: [138, 44], fd: 1 },
  finit_module: { numbers: [313, 273], named: 1, isElsewhere: true },
};

/** The value of `Target.calls`: `call_bits` of `bpf/ioheat.h` by number of the system call, 0 for all other calls. */
export function callTable(architecture: string): Uint32Array {
  const table = new Uint32Array(Dimension.calls);
  const column = architecture === 'arm64' ? 1 : 0;
  for (const [name, call] of Object.entries(STORAGE_CALLS)) {
    const number = call.numbers[column];
    if (number !== undefined) table[number] = entryOf(name as Call, call);
  }
  return table;
}

/**
 * The value of `Target.wanted`: `wanted_bits` of `bpf/ioheat.h` by number of the system call, 0 for calls not traced.
 */
export function wantedCalls(architecture: string): Uint8Array {
  const table = new Uint8Array(Dimension.calls);
  const column = architecture === 'arm64' ? 1 : 0;
  for (const [name, call] of Object.entries(STORAGE_CALLS)) {
    const number = call.numbers[column];
    if (number !== undefined && call.isElsewhere !== true) table[number] = wantedOf(name, call);
  }
  return table;
}

function wantedOf(name: string, { path = 0, returns }: StorageCall): number {
  const { wanted, opens, closes, moves, pathShift } = WantedBits;
  return (
    wanted |
    (returns === 'descriptor' ? opens : 0) |
    (returns === 'bytes' ? moves : 0) |
    (name === 'close' ? closes : 0) |
    (path << pathShift)
  );
}

function entryOf(
  name: Call,
  { fd, named, position, size, always, flags = 0 }: StorageCall,
): number {
  const { idShift, fdShift, positionShift, sizeShift, openShift } = CallBits;
  const place = ((fd ?? named ?? 0) << fdShift) | ((position ?? 0) << positionShift);
  const isStorage =
    (always === true ? CallBits.alwaysStorage : 0) | (fd === undefined ? 0 : CallBits.fileStorage);
  return (
    callOperation(name) |
    (CALLS.indexOf(name) << idShift) |
    place |
    ((size ?? 0) << sizeShift) |
    (flags << openShift) |
    isStorage
  );
}
