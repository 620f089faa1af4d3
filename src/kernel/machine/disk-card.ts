import { basename, join } from 'node:path';
import { formatBytes } from '../../base/format.ts';
import { known, lacking } from '../../model/card.ts';
import type { CardFacts, Fact } from '../../model/card.ts';
import { SECTOR_BYTES } from '../../model/completion-columns.ts';
import { blockDevice, holdersOf, isOn, namesIn, partitionsOf } from './block-devices.ts';
import type { BlockDevice } from './block-devices.ts';
import { findDisk, folderOf, readLine, SYS_DEV } from './disks.ts';
import { readMounts } from './mounts.ts';
import type { Mount } from './mounts.ts';
import { folderWithPartitions } from './nvme-paths.ts';
import { readText } from './read-text.ts';

export interface DiskFiles {
  readonly sysDev?: string;
  readonly mountinfo?: string;
  readonly swaps?: string;
}

/** A disk as `/sys` and the mounts of this process show it. */
export function readDiskCard(
  dev: number,
  { sysDev = SYS_DEV, mountinfo = '/proc/self/mountinfo', swaps = '/proc/swaps' }: DiskFiles = {},
): CardFacts {
  const disk = findDisk(dev, sysDev);
  const folder = folderOf(dev, sysDev);
  if (disk === undefined || folder === undefined)
    return { disk: lacking('not there any more, or not readable') };
  const whole = folderWithPartitions(folder);
  const partitions = partitionsOf(whole);
  const parts = [whole, ...partitions].map(blockDevice);
  const volumes = [whole, ...partitions].flatMap(holdersOf).map(blockDevice);
  return {
    'mounted at': mountFact(readMounts(mountinfo), swapText(swaps), [...parts, ...volumes]),
    partitions: listed(partitions.map(partitionText)),
    volume: volumeFact(folder, volumes),
    model: fact(disk.model),
    size: fact(disk.sizeBytes === undefined ? undefined : formatBytes(disk.sizeBytes)),
    scheduler: fact(disk.scheduler),
    limits: limitFact(join(folder, 'queue'), disk.requestLimit),
    rotational: fact(disk.rotational === undefined ? undefined : disk.rotational ? 'yes' : 'no'),
  };
}

function partitionText(folder: string): string {
  const sectors = Number(readLine(join(folder, 'size')));
  return `${basename(folder)} ${formatBytes(sectors * SECTOR_BYTES)}`;
}

/** For a volume, what it is made of; for other disks, the volumes on it. */
function volumeFact(folder: string, volumes: readonly BlockDevice[]): Fact {
  const members = namesIn(join(folder, 'slaves')).join(', ');
  const name = readLine(join(folder, 'dm/name'));
  if (name !== undefined) return known(`${name}${kindOf(folder)} on ${members}`);
  const level = readLine(join(folder, 'md/level'));
  if (level !== undefined) return known(`${level} on ${members}`);
  const file = readLine(join(folder, 'loop/backing_file'));
  if (file !== undefined) return known(`file ${file}`);
  return volumes.length === 0
    ? lacking('none')
    : known(`below ${volumes.map(({ title }) => title).join(', ')}`);
}

/** `LVM-…`, `CRYPT-LUKS2-…`: the device mapper has the maker's word in front of the UUID. */
function kindOf(folder: string): string {
  const kind = /^(?:CRYPT-)?([A-Za-z]+)/.exec(readLine(join(folder, 'dm/uuid')) ?? '')?.[1];
  return kind === undefined ? '' : `, ${kind}`;
}

function mountFact(
  mounts: readonly Mount[] | undefined,
  swaps: string,
  devices: readonly BlockDevice[],
): Fact {
  if (mounts === undefined) return lacking('not readable');
  const texts = devices.flatMap((device) => {
    const own = mounts.filter((mount) => isOn(mount, device));
    const points = [
      ...new Set(own.map(({ point, kind }) => `${point} (${device.title}, ${kind})`)),
    ];
    return isSwap(swaps, device) ? [...points, `swap (${device.title})`] : points;
  });
  return listed(texts);
}

function swapText(swaps: string): string {
  const read = readText(swaps);
  return 'text' in read ? read.text : '';
}

function isSwap(swaps: string, { name }: BlockDevice): boolean {
  return swaps.split('\n').some((line) => line.split(/\s/)[0] === `/dev/${name}`);
}

/** Largest request, and how many there can be: those of all hardware queues. */
function limitFact(queue: string, requests: number): Fact {
  const perQueue = readLine(join(queue, 'nr_requests'));
  const kilobytes = readLine(join(queue, 'max_sectors_kb'));
  if (perQueue === undefined || kilobytes === undefined) return lacking('unknown');
  const all = requests > Number(perQueue) ? `, ${requests} in all queues` : '';
  return known(`nr_requests ${perQueue}${all}; max_sectors_kb ${kilobytes}`);
}

/** Maximum number of items: containers may have many bind mounts. */
const MOST_LISTED = 12;

function listed(texts: readonly string[]): Fact {
  if (texts.length === 0) return lacking('none');
  const rest = texts.length - MOST_LISTED;
  const more = rest > 0 ? [`${rest} more`] : [];
  return known([...texts.slice(0, MOST_LISTED), ...more].join(', '));
}

function fact(text: string | undefined): Fact {
  return text === undefined ? lacking('unknown') : known(text);
}
