import { join } from 'node:path';
import { readLine } from '../machine/disks.ts';

/** `md/sync_action` of a RAID that is not being checked, repaired or built. While it is, it holds back other I/O. */
const NO_SYNC = 'idle';

/**
 * Whether a volume may hold back I/O that the kernel does not count yet. A suspended volume of the device mapper does,
 * and RAID that waits for its metadata to be written or does I/O of its own. `folder` is that of the volume in
 * `/sys/block`.
 */
export function mayHoldUncounted(folder: string): boolean {
  return (
    readLine(join(folder, 'dm/suspended')) === '1' ||
    readLine(join(folder, 'md/array_state')) === 'write-pending' ||
    (readLine(join(folder, 'md/sync_action')) ?? NO_SYNC) !== NO_SYNC
  );
}

/** Levels of RAID that only choose the disk of an I/O and pass it on. */
const PASSING_LEVELS: readonly (string | undefined)[] = ['raid0', 'linear'];

/**
 * Whether I/O of a volume that the kernel does not count may end unseen. Without statistics, and before Linux 5.14
 * always, such RAID passes on the same bio, which then ends as a bio of the disk.
 */
export function mayEndUnseen(folder: string): boolean {
  return PASSING_LEVELS.includes(readLine(join(folder, 'md/level')));
}
