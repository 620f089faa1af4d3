import type { CallIdentity } from './call.ts';
import { isOfPrograms, layerOf } from './layer.ts';
import { openFlagsOf } from './open-flags.ts';
import { RequestFlag } from './operation.ts';

/** The flags of a request, by the names that filters, exports and recordings have for them. */
export const REQUEST_FLAGS = Object.entries(RequestFlag).map(
  ([name, bit]) => [name.toLowerCase(), bit] as const,
);
export const THROTTLED = 'throttled';

/** Whether it was held back by a cgroup limit, or because too much was written to the page cache. */
export function isThrottled({ cmdFlags }: Pick<CallIdentity, 'cmdFlags'>): boolean {
  return (cmdFlags & RequestFlag.throttled) !== 0;
}

/**
 * The flags of a request (`sync meta fua`), or of a call that opens a file (`O_RDWR|O_CREAT`). `throttled` occurs in
 * all layers. Empty if there are none.
 */
export function flagsText(identity: CallIdentity): string {
  if (isOfPrograms(layerOf(identity))) {
    const open = openFlagsOf(identity)?.join('|') ?? '';
    return isThrottled(identity) ? `${open} ${THROTTLED}`.trim() : open;
  }
  return REQUEST_FLAGS.filter(([, bit]) => (identity.cmdFlags & bit) !== 0)
    .map(([name]) => name)
    .join(' ');
}

/**
 * Names of the Linux errno values with which block I/O ends (`blk_errors` in block/blk-core.c), and calls on files. Our
 * own table, because a recording may be read on a system that numbers them differently.
 */
const ERRNO_NAMES = new Map([
  [1, 'EPERM'],
  [2, 'ENOENT'],
  [4, 'EINTR'],
  [5, 'EIO'],
  [6, 'ENXIO'],
  [9, 'EBADF'],
  [11, 'EAGAIN'],
  [12, 'ENOMEM'],
  [13, 'EACCES'],
  [14, 'EFAULT'],
  [16, 'EBUSY'],
  [17, 'EEXIST'],
  [18, 'EXDEV'],
  [19, 'ENODEV'],
  [20, 'ENOTDIR'],
  [21, 'EISDIR'],
  [22, 'EINVAL'],
  [23, 'ENFILE'],
  [24, 'EMFILE'],
  [25, 'ENOTTY'],
  [26, 'ETXTBSY'],
  [27, 'EFBIG'],
  [28, 'ENOSPC'],
  [29, 'ESPIPE'],
  [30, 'EROFS'],
  [31, 'EMLINK'],
  [34, 'ERANGE'],
  [36, 'ENAMETOOLONG'],
  [38, 'ENOSYS'],
  [39, 'ENOTEMPTY'],
  [40, 'ELOOP'],
  [52, 'EBADE'],
  [61, 'ENODATA'],
  [62, 'ETIME'],
  [67, 'ENOLINK'],
  [75, 'EOVERFLOW'],
  [78, 'EREMCHG'],
  [84, 'EILSEQ'],
  [95, 'EOPNOTSUPP'],
  [109, 'ETOOMANYREFS'],
  [110, 'ETIMEDOUT'],
  [116, 'ESTALE'],
  [121, 'EREMOTEIO'],
  [122, 'EDQUOT'],
  [125, 'ECANCELED'],
]);

/** The errno with this name, in any case; undefined for other words. */
export function errnoNamed(word: string): number | undefined {
  const wanted = word.toUpperCase();
  return [...ERRNO_NAMES].find(([, name]) => name === wanted)?.[0];
}

/**
 * `blk_status_t` starting at 1, in the words of the kernel log, so that people can search it. From 14 on, the
 * numbers differ between kernels.
 */
const STATUS_NAMES = [
  'operation not supported',
  'timeout',
  'critical space allocation',
  'recoverable transport',
  'critical target',
  'reservation conflict',
  'critical medium',
  'protection',
  'kernel resource',
  'I/O',
  'dm internal retry',
  'nonblocking retry',
  'device resource',
] as const;

/** The errno of each `blk_status_t` in `blk_errors` of block/blk-core.c, in the same order. */
const STATUS_ERRNOS = [95, 110, 28, 67, 121, 52, 61, 84, 12, 5, 78, 11, 16] as const;

/**
 * The errno that the submitter gets for `Identity.error`, which is an errno or a `blk_status_t`, depending on the
 * kernel. 0 for success; EIO, as in the kernel, for a status that is not in the table.
 */
export function errnoOf(error: number): number {
  if (error === 0) return 0;
  return error < 0 ? -error : (STATUS_ERRNOS[error - 1] ?? 5);
}

/** Describes `Identity.error`: `EIO`, `critical medium error`; undefined for success. */
export function errorText(error: number): string | undefined {
  if (error === 0) return undefined;
  if (error < 0) return ERRNO_NAMES.get(-error) ?? `errno ${-error}`;
  const status = STATUS_NAMES[error - 1];
  return status === undefined ? `block status ${error}` : `${status} error`;
}
