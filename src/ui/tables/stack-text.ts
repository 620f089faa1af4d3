import type { DiskActivity } from '../../model/activity.ts';

/** `on sda sdb` of a volume; of a disk, and of a volume below others, those: `vg0-data`. Raw; empty without any. */
export function stackText({ liesOn = [], volumes = [] }: DiskActivity): string {
  const above = volumes.join(' ');
  if (liesOn.length === 0) return above;
  const below = `on ${liesOn.join(' ')}`;
  return above === '' ? below : `${below}, below ${above}`;
}
