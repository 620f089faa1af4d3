import { closeSync, openSync } from 'node:fs';
import { LoopDevice } from '../../load/loop-device.ts';
import { ioctl, SystemError } from '../../load/system.ts';

const LOOP_CTL_REMOVE = 0x4c81;
/** As many as there are anyway. */
const FIRST_NEW = 8;
const SMALL_BYTES = 1 << 24;

/** Disks that are gone afterwards: a loop device that is only detached stays in every list of disks. */
export function createDisks(count: number, bytes = SMALL_BYTES): LoopDevice[] {
  return Array.from({ length: count }, () => LoopDevice.create({ bytes }));
}

export function removeDisks(disks: readonly LoopDevice[]): void {
  for (const disk of disks) disk.dispose();
  const control = openSync('/dev/loop-control', 'r+');
  try {
    for (const { name } of disks) remove(control, Number(/\d+$/.exec(name)?.[0]));
  } finally {
    closeSync(control);
  }
}

function remove(control: number, number: number): void {
  if (number < FIRST_NEW) return;
  try {
    ioctl('LOOP_CTL_REMOVE', control, LOOP_CTL_REMOVE, number);
  } catch (cause) {
    // Somebody else has taken it meanwhile.
    if (!(cause instanceof SystemError && cause.code === 'EBUSY')) throw cause;
  }
}
