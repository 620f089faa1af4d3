import type { DiskActivity } from '../../model/activity.ts';

/**
 * For a volume, what it lies on: `on sda sdb`. For a disk, or a volume below others, the volumes on it: `vg0-data`.
 * Raw; empty without any.
 */
export function stackText({ liesOn = [], volumes = [] }: DiskActivity): string {
  const above = volumes.join(' ');
  if (liesOn.length === 0) return above;
  const below = `on ${liesOn.join(' ')}`;
  return above === '' ? below : `${below}, below ${above}`;
}
