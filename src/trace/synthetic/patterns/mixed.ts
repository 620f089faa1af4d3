import type { FillSlot } from '../slot-rows.ts';
import type { Stage } from '../stage.ts';
import { archiveDisk } from './mixed-archive.ts';
import { databaseDisk } from './mixed-database.ts';
import { filesDisk } from './mixed-files.ts';

/** A busy server: databases on flash, files on a disk that a batch job loads, and a failing disk. */
export function mixed(stage: Stage): FillSlot {
  const disks = [databaseDisk(stage), filesDisk(stage), archiveDisk(stage)];
  return (slot) => {
    for (const fill of disks) fill(slot);
  };
}
