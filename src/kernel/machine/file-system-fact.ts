import { known, lacking } from '../../model/card.ts';
import type { Fact } from '../../model/card.ts';
import { unknownDeviceName } from '../../model/device.ts';
import { blockDevice } from './block-devices.ts';
import { folderOf, SYS_DEV } from './disks.ts';
import { nearerRoot, readMounts } from './mounts.ts';
import type { Mount } from './mounts.ts';

/**
 * The file system with this device number, as people know it: `/srv (vda1, ext4)`. One that is only mounted in a
 * container is known by its device.
 */
export function fileSystemFact(
  dev: number,
  { sysDev = SYS_DEV, mountinfo }: { readonly sysDev?: string; readonly mountinfo?: string } = {},
): Fact {
  const folder = folderOf(dev, sysDev);
  const device = folder && blockDevice(folder).title;
  const mount = readMounts(mountinfo)
    ?.filter((one) => one.dev === dev)
    .reduce<Mount | undefined>(nearerRoot, undefined);
  if (mount !== undefined)
    return known(`${mount.point} (${device ?? sourceName(mount)}, ${mount.kind})`);
  if (device !== undefined) return known(`${device}, not mounted here`);
  return lacking(`number ${unknownDeviceName(dev)}, not mounted here`);
}

/** The name of the disk that is the source of a mount: btrfs and others have device numbers of their own. */
function sourceName({ source }: Mount): string {
  return source.startsWith('/dev/') ? source.slice('/dev/'.length) : source;
}
