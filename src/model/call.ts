import { IdentityMark, type Identity } from './identity.ts';
import { isOfPrograms, layerOf } from './layer.ts';
import type { Layer } from './layer.ts';
import { Op } from './operation.ts';

/**
 * System calls on storage, requests to io_uring (`uring-`), and other reasons why a program waits for storage.
 * Recordings store the position in this list, so new calls are appended.
 */
export const CALLS = [
  'other',
  'page-fault',
  'read',
  'write',
  'pread64',
  'pwrite64',
  'readv',
  'writev',
  'preadv',
  'pwritev',
  'preadv2',
  'pwritev2',
  'sendfile',
  'splice',
  'copy_file_range',
  'readahead',
  'fadvise64',
  'fsync',
  'fdatasync',
  'sync_file_range',
  'msync',
  'sync',
  'syncfs',
  'ftruncate',
  'truncate',
  'fallocate',
  'getdents64',
  'getdents',
  'open',
  'openat',
  'openat2',
  'creat',
  'close',
  'rename',
  'renameat',
  'renameat2',
  'unlink',
  'unlinkat',
  'rmdir',
  'mkdir',
  'mkdirat',
  'link',
  'linkat',
  'symlink',
  'symlinkat',
  'mknod',
  'mknodat',
  'readlink',
  'readlinkat',
  'stat',
  'lstat',
  'fstat',
  'newfstatat',
  'statx',
  'access',
  'faccessat',
  'faccessat2',
  'statfs',
  'chmod',
  'fchmod',
  'fchmodat',
  'chown',
  'lchown',
  'fchown',
  'fchownat',
  'utimensat',
  'setxattr',
  'lsetxattr',
  'fsetxattr',
  'getxattr',
  'lgetxattr',
  'fgetxattr',
  'listxattr',
  'llistxattr',
  'flistxattr',
  'removexattr',
  'lremovexattr',
  'fremovexattr',
  'mmap',
  'munmap',
  'madvise',
  'ioctl',
  'mount',
  'umount2',
  'swapon',
  'swapoff',
  'execve',
  'execveat',
  'exit',
  'exit_group',
  'io_submit',
  'io_uring_enter',
  'finit_module',
  'lseek',
  'fstatfs',
  'uring-read',
  'uring-write',
  'uring-readv',
  'uring-writev',
  'uring-read-fixed',
  'uring-write-fixed',
  'uring-readv-fixed',
  'uring-writev-fixed',
  'uring-fsync',
  'uring-sync_file_range',
  'uring-fallocate',
  'uring-fadvise',
  'uring-ftruncate',
  'uring-openat',
  'uring-openat2',
  'uring-close',
  'uring-statx',
  'uring-renameat',
  'uring-unlinkat',
  'uring-mkdirat',
  'uring-symlinkat',
  'uring-linkat',
  'uring-setxattr',
  'uring-getxattr',
  'uring-fsetxattr',
  'uring-fgetxattr',
  'uring-splice',
] as const;
export type Call = (typeof CALLS)[number];

/** Position of the call's number in `Identity.cmdFlags`: above the flags that a request has. */
export const CALL_SHIFT = 21;
const CALL_MASK = 0xff;

/** The operation of calls that neither read, write nor flush. */
export const OTHER_CALL = 0xfe;

const READS: readonly Call[] = [
  'page-fault',
  'read',
  'pread64',
  'readv',
  'preadv',
  'preadv2',
  'sendfile',
  'splice',
  'readahead',
  'execve',
  'execveat',
  'finit_module',
  'uring-read',
  'uring-readv',
  'uring-read-fixed',
  'uring-readv-fixed',
  'uring-splice',
];
const WRITES: readonly Call[] = [
  'write',
  'pwrite64',
  'writev',
  'pwritev',
  'pwritev2',
  'uring-write',
  'uring-writev',
  'uring-write-fixed',
  'uring-writev-fixed',
];
const FLUSHES: readonly Call[] = [
  'fsync',
  'fdatasync',
  'sync_file_range',
  'msync',
  'sync',
  'syncfs',
  'uring-fsync',
  'uring-sync_file_range',
];

/** The operation of a call, or of a wait in it: the low bits of `Identity.cmdFlags`. */
export function callOperation(call: Call): number {
  if (READS.includes(call)) return Op.read;
  if (WRITES.includes(call)) return Op.write;
  return FLUSHES.includes(call) ? Op.flush : OTHER_CALL;
}

/** An identity with one of these marks stands for several. */
const FOLDED = IdentityMark.noDetail | IdentityMark.other;

/** The part of an identity that says which call it is. */
export type CallIdentity = Pick<Identity, 'cmdFlags' | 'marks' | 'layer'>;

/** The call of an identity; undefined for I/O of disks and volumes, and where calls were counted together. */
export function callOf(identity: CallIdentity): Call | undefined {
  if (!isOfPrograms(layerOf(identity)) || (identity.marks & FOLDED) !== 0) return undefined;
  return CALLS[(identity.cmdFlags >>> CALL_SHIFT) & CALL_MASK] ?? 'other';
}

/** The `Identity.cmdFlags` of this call, and of a wait in it. */
export function callFlags(call: Call): number {
  return ((CALLS.indexOf(call) << CALL_SHIFT) | callOperation(call)) >>> 0;
}

const TEXT = /^(?:wait|call) (.*)$/;

/** The operation of a call or wait in the columns of recordings: `wait fsync`, `call fsync`. */
export function callText(call: Call, layer: Layer): string {
  return `${layer === 'waits' ? 'wait' : 'call'} ${call}`;
}

/** `cmdFlags` of a text made by `callText`; undefined for other texts. */
export function parseCallText(text: string): number | undefined {
  const name = TEXT.exec(text)?.[1];
  if (name === undefined) return undefined;
  const call = CALLS.find((one) => one === name) ?? 'other';
  return callFlags(call);
}
