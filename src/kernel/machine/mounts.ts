import { packDevice } from '../../model/device.ts';
import { readText } from './read-text.ts';

/** A line of `/proc/PID/mountinfo`. */
export interface Mount {
  /** The device number of the file system. That of btrfs or of a network file system is not the number of a disk. */
  readonly dev: number;
  readonly point: string;
  /** The folder of the file system that is mounted: `/`, or another one for a bind mount or subvolume. */
  readonly root: string;
  readonly kind: string;
  /** `/dev/vda1`, if it is a disk. */
  readonly source: string;
}

/** The mounts of this process, in their order; undefined when they cannot be read. */
export function readMounts(mountinfo?: string): readonly Mount[] | undefined {
  const text = readMountinfo(mountinfo);
  return text === undefined ? undefined : parseMounts(text);
}

/** The mounts as text, to notice a change without parsing it. */
export function readMountinfo(mountinfo = '/proc/self/mountinfo'): string | undefined {
  const read = readText(mountinfo, MOST_BYTES);
  return 'lacks' in read ? undefined : read.text;
}

export function parseMounts(mountinfo: string): readonly Mount[] {
  return mountinfo
    .split('\n')
    .map(parseMount)
    .filter((mount) => mount !== undefined);
}

/** The better of two mounts of one file system: the one that shows most of it; of equal ones, the first. */
export function nearerRoot(best: Mount | undefined, mount: Mount): Mount {
  return best === undefined || mount.root.length < best.root.length ? mount : best;
}

/** The mount that contains a path. Of several mounts at one point, the last, which covers the others. */
export function mountOf(path: string, mounts: readonly Mount[]): Mount | undefined {
  const around = mounts.filter(({ point }) => path.startsWith(point === '/' ? '/' : `${point}/`));
  const longest = Math.max(0, ...around.map(({ point }) => point.length));
  return around.findLast(({ point }) => point.length === longest);
}

/** Size to read at most: some container hosts have thousands of mounts. */
const MOST_BYTES = 4 * 1024 * 1024;

function parseMount(line: string): Mount | undefined {
  const [mount = '', rest = ''] = line.split(' - ');
  const [, , numbers, root, point] = mount.split(' ');
  const [kind, source] = rest.split(' ');
  const [major, minor] = numbers?.split(':').map(Number) ?? [];
  if (root === undefined || point === undefined) return undefined;
  if (kind === undefined || source === undefined) return undefined;
  const dev = packDevice(major!, minor!);
  const [from, to] = [unescapeMount(root), unescapeMount(point)];
  return { dev, point: to, root: from, kind, source: unescapeMount(source) };
}

/** A path of mountinfo, in which spaces and other special characters are written as three octal digits. */
function unescapeMount(path: string): string {
  return path.replaceAll(/\\([0-7]{3})/g, (_, octal: string) =>
    String.fromCharCode(Number.parseInt(octal, 8)),
  );
}
