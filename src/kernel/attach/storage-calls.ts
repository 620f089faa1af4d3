import { CALLS, callOperation, type Call } from '../../model/call.ts';
import { CallBits, Dimension } from '../abi/layout.ts';

/** What the kernel programs know of a system call. Arguments are counted from 1. */
interface StorageCall {
  /** On x64 and on arm64, which lacks some. */
  readonly numbers: readonly [number, number | undefined];
  /** The descriptor. If its file is on storage, whatever the call sleeps for is for storage. */
  readonly fd?: number;
  /** The descriptor of a call that may as well sleep for something else. */
  readonly named?: number;
  /** Where in the file it begins. */
  readonly position?: number;
  /** Bytes asked for. */
  readonly size?: number;
  /** Without a descriptor, and whatever it sleeps for is for storage. */
  readonly always?: boolean;
}

/** In the place of an argument: where the opened file is. */
const OF_FILE = CallBits.filePosition;

/**
 * System calls that read and write files, their data and metadata, and others in which programs wait for it. Numbers
 * of `asm/unistd_64.h` and `asm-generic/unistd.h`.
 */
const STORAGE_CALLS: Readonly<Partial<Record<Call, StorageCall>>> = {
  read: { numbers: [0, 63], fd: 1, position: OF_FILE, size: 3 },
  write: { numbers: [1, 64], fd: 1, position: OF_FILE, size: 3 },
  pread64: { numbers: [17, 67], fd: 1, position: 4, size: 3 },
  pwrite64: { numbers: [18, 68], fd: 1, position: 4, size: 3 },
  readv: { numbers: [19, 65], fd: 1, position: OF_FILE },
  writev: { numbers: [20, 66], fd: 1, position: OF_FILE },
  preadv: { numbers: [295, 69], fd: 1, position: 4 },
  pwritev: { numbers: [296, 70], fd: 1, position: 4 },
  preadv2: { numbers: [327, 286], fd: 1, position: 4 },
  pwritev2: { numbers: [328, 287], fd: 1, position: 4 },
  sendfile: { numbers: [40, 71], fd: 2, size: 4 },
  splice: { numbers: [275, 76], fd: 1, size: 5 },
  copy_file_range: { numbers: [326, 285], fd: 1, size: 5 },
  readahead: { numbers: [187, 213], fd: 1, position: 2, size: 3 },
  fadvise64: { numbers: [221, 223], fd: 1, position: 2, size: 3 },
  fsync: { numbers: [74, 82], fd: 1 },
  fdatasync: { numbers: [75, 83], fd: 1 },
  sync_file_range: { numbers: [277, 84], fd: 1, position: 2, size: 3 },
  msync: { numbers: [26, 227], always: true },
  sync: { numbers: [162, 81], always: true },
  syncfs: { numbers: [306, 267], fd: 1 },
  ftruncate: { numbers: [77, 46], fd: 1 },
  truncate: { numbers: [76, 45] },
  fallocate: { numbers: [285, 47], fd: 1, position: 3, size: 4 },
  getdents64: { numbers: [217, 61], fd: 1 },
  getdents: { numbers: [78, undefined], fd: 1 },
  open: { numbers: [2, undefined] },
  openat: { numbers: [257, 56] },
  openat2: { numbers: [437, 437] },
  creat: { numbers: [85, undefined] },
  close: { numbers: [3, 57] },
  rename: { numbers: [82, undefined] },
  renameat: { numbers: [264, 38] },
  renameat2: { numbers: [316, 276] },
  unlink: { numbers: [87, undefined] },
  unlinkat: { numbers: [263, 35] },
  rmdir: { numbers: [84, undefined] },
  mkdir: { numbers: [83, undefined] },
  mkdirat: { numbers: [258, 34] },
  link: { numbers: [86, undefined] },
  linkat: { numbers: [265, 37] },
  symlink: { numbers: [88, undefined] },
  symlinkat: { numbers: [266, 36] },
  mknod: { numbers: [133, undefined] },
  mknodat: { numbers: [259, 33] },
  readlink: { numbers: [89, undefined] },
  readlinkat: { numbers: [267, 78] },
  stat: { numbers: [4, undefined] },
  lstat: { numbers: [6, undefined] },
  fstat: { numbers: [5, 80] },
  newfstatat: { numbers: [262, 79] },
  statx: { numbers: [332, 291] },
  access: { numbers: [21, undefined] },
  faccessat: { numbers: [269, 48] },
  faccessat2: { numbers: [439, 439] },
  statfs: { numbers: [137, 43] },
  chmod: { numbers: [90, undefined] },
  fchmod: { numbers: [91, 52], fd: 1 },
  fchmodat: { numbers: [268, 53] },
  chown: { numbers: [92, undefined] },
  lchown: { numbers: [94, undefined] },
  fchown: { numbers: [93, 55], fd: 1 },
  fchownat: { numbers: [260, 54] },
  utimensat: { numbers: [280, 88] },
  setxattr: { numbers: [188, 5] },
  lsetxattr: { numbers: [189, 6] },
  fsetxattr: { numbers: [190, 7], fd: 1 },
  getxattr: { numbers: [191, 8] },
  lgetxattr: { numbers: [192, 9] },
  fgetxattr: { numbers: [193, 10], fd: 1 },
  listxattr: { numbers: [194, 11] },
  llistxattr: { numbers: [195, 12] },
  flistxattr: { numbers: [196, 13], fd: 1 },
  removexattr: { numbers: [197, 14] },
  lremovexattr: { numbers: [198, 15] },
  fremovexattr: { numbers: [199, 16], fd: 1 },
  mmap: { numbers: [9, 222] },
  munmap: { numbers: [11, 215] },
  madvise: { numbers: [28, 233] },
  ioctl: { numbers: [16, 29], named: 1 },
  mount: { numbers: [165, 40] },
  umount2: { numbers: [166, 39] },
  swapon: { numbers: [167, 224] },
  swapoff: { numbers: [168, 225] },
  execve: { numbers: [59, 221] },
  execveat: { numbers: [322, 281] },
  exit: { numbers: [60, 93] },
  exit_group: { numbers: [231, 94] },
  io_submit: { numbers: [209, 2] },
  io_uring_enter: { numbers: [426, 426] },
  finit_module: { numbers: [313, 273], named: 1 },
};

/** `Target.calls`: by number of the system call, what `bpf/ioheat.h` calls `call_bits`; 0 for all other calls. */
export function callTable(architecture: string): Uint32Array {
  const table = new Uint32Array(Dimension.calls);
  const column = architecture === 'arm64' ? 1 : 0;
  for (const [name, call] of Object.entries(STORAGE_CALLS)) {
    const number = call.numbers[column];
    if (number !== undefined) table[number] = entryOf(name as Call, call);
  }
  return table;
}

function entryOf(name: Call, { fd, named, position, size, always }: StorageCall): number {
  const { idShift, fdShift, positionShift, sizeShift } = CallBits;
  const place = ((fd ?? named ?? 0) << fdShift) | ((position ?? 0) << positionShift);
  const isStorage =
    (always === true ? CallBits.alwaysStorage : 0) | (fd === undefined ? 0 : CallBits.fileStorage);
  return (
    callOperation(name) |
    (CALLS.indexOf(name) << idShift) |
    place |
    ((size ?? 0) << sizeShift) |
    isStorage
  );
}
