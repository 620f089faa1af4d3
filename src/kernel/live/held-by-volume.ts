import { join } from 'node:path';
import { readLine } from '../machine/disks.ts';

/** `idle` where a RAID is not checked, repaired or built: that keeps its own I/O out of the way of others. */
const NO_SYNC = 'idle';

/**
 * Whether a volume may hold I/O back that the kernel does not count yet: a suspended one of the device mapper, and RAID
 * that waits for its own metadata to be written, or for I/O of its own. `folder`: of the volume in `/sys/block`.
 */
export function mayHoldUncounted(folder: string): boolean {
  return (
    readLine(join(folder, 'dm/suspended')) === '1' ||
    readLine(join(folder, 'md/array_state')) === 'write-pending' ||
    (readLine(join(folder, 'md/sync_action')) ?? NO_SYNC) !== NO_SYNC
  );
}

/** Levels of RAID that only find the disk of an I/O. */
const PASSING_LEVELS: readonly (string | undefined)[] = ['raid0', 'linear'];

/**
 * Whether the end of I/O of this volume may be unseen, asked where the kernel counts none of it. Before Linux 5.14, and
 * without statistics, such RAID passes on the very bio, which then ends as that of the disk.
 */
export function mayEndUnseen(folder: string): boolean {
  return PASSING_LEVELS.includes(readLine(join(folder, 'md/level')));
}
