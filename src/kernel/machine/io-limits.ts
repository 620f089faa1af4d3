import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { isSystemError } from '../../base/system-error.ts';
import { packDevice } from '../../model/device.ts';
import type { ReachedLimit } from '../../model/stall.ts';
import { readText } from './read-text.ts';

/** A limit of a cgroup for one disk, and how much has been done under it so far, in the same unit. */
export interface IoLimit extends Omit<ReachedLimit, 'disk'> {
  readonly dev: number;
  readonly done: number;
}

/** Mount points of the hierarchies that can limit I/O. */
export interface LimitRoots {
  /** Version 2: `io.max`. */
  readonly unified?: string | undefined;
  /** Version 1: `blkio.throttle.*`. */
  readonly blkio?: string | undefined;
}

/** Number of cgroups that are read, those near the root first: about 20 ms. */
const MOST_CGROUPS = 1000;

/** All limits that are set now; nothing of cgroups that go away meanwhile. */
export function readIoLimits({ unified, blkio }: LimitRoots): IoLimit[] {
  return [
    ...(unified === undefined
      ? []
      : cgroupsBelow(unified).flatMap((path) => ofUnified(unified, path))),
    ...(blkio === undefined ? [] : cgroupsBelow(blkio).flatMap((path) => ofBlkio(blkio, path))),
  ];
}

/** Paths from the root of the hierarchy, `/` first. */
function cgroupsBelow(root: string): string[] {
  const found = ['/'];
  for (let next = 0; next < found.length && found.length < MOST_CGROUPS; next++) {
    const path = found[next]!;
    found.push(...foldersIn(join(root, path)).map((name) => join(path, name)));
  }
  return found.slice(0, MOST_CGROUPS);
}

function foldersIn(folder: string): string[] {
  try {
    const entries = readdirSync(folder, { withFileTypes: true });
    return entries.filter((entry) => entry.isDirectory()).map(({ name }) => name);
  } catch (cause) {
    // Cgroups come and go during the scan, and some are not readable for everybody.
    if (isSystemError(cause)) return [];
    throw cause;
  }
}

interface Kind {
  readonly direction: ReachedLimit['direction'];
  readonly unit: ReachedLimit['unit'];
  /** The names in `io.max` and in `io.stat`. */
  readonly max: string;
  readonly stat: string;
  /** The files of version 1, and the word in the second of them. */
  readonly limitFile: string;
  readonly doneFile: string;
  readonly word: string;
}

const BYTES_DONE = 'blkio.throttle.io_service_bytes_recursive';
const IOS_DONE = 'blkio.throttle.io_serviced_recursive';

const KINDS: readonly Kind[] = [
  {
    ...{ direction: 'read', unit: 'bytes', max: 'rbps', stat: 'rbytes', word: 'Read' },
    ...{ limitFile: 'blkio.throttle.read_bps_device', doneFile: BYTES_DONE },
  },
  {
    ...{ direction: 'write', unit: 'bytes', max: 'wbps', stat: 'wbytes', word: 'Write' },
    ...{ limitFile: 'blkio.throttle.write_bps_device', doneFile: BYTES_DONE },
  },
  {
    ...{ direction: 'read', unit: 'I/Os', max: 'riops', stat: 'rios', word: 'Read' },
    ...{ limitFile: 'blkio.throttle.read_iops_device', doneFile: IOS_DONE },
  },
  {
    ...{ direction: 'write', unit: 'I/Os', max: 'wiops', stat: 'wios', word: 'Write' },
    ...{ limitFile: 'blkio.throttle.write_iops_device', doneFile: IOS_DONE },
  },
];

/** `io.max` has lines as `8:16 rbps=2097152 wbps=max riops=max wiops=120`; `io.stat` has `8:16 rbytes=1459200 …`. */
function ofUnified(root: string, cgroup: string): IoLimit[] {
  const limits = linesByDisk(textOf(join(root, cgroup, 'io.max')));
  if (limits.size === 0) return [];
  const stats = linesByDisk(textOf(join(root, cgroup, 'io.stat')));
  return [...limits].flatMap(([dev, line]) =>
    KINDS.flatMap(({ direction, unit, max, stat }) => {
      const perSecond = valueOf(line, max);
      const done = valueOf(stats.get(dev) ?? '', stat) ?? 0;
      return perSecond === undefined ? [] : [{ cgroup, dev, direction, unit, perSecond, done }];
    }),
  );
}

function valueOf(line: string, name: string): number | undefined {
  const digits = new RegExp(`\\b${name}=(\\d+)`).exec(line)?.[1];
  return digits === undefined ? undefined : Number(digits);
}

/** Limits are lines as `7:0 1048576`; what was done as `7:0 Read 4096`. */
function ofBlkio(root: string, cgroup: string): IoLimit[] {
  return KINDS.flatMap(({ direction, unit, limitFile, doneFile, word }) =>
    [...linesByDisk(textOf(join(root, cgroup, limitFile)))].map(([dev, line]) => {
      const done = doneOf(textOf(join(root, cgroup, doneFile)), dev, word);
      return { cgroup, dev, direction, unit, perSecond: Number(line), done };
    }),
  );
}

function doneOf(text: string, dev: number, word: string): number {
  const lines = text.split('\n').map((line) => line.split(' '));
  const found = lines.find(([disk = '', kind]) => kind === word && deviceOf(disk) === dev);
  return Number(found?.[2] ?? 0);
}

/** By disk, the rest of the line after the number of the disk. */
function linesByDisk(text: string): Map<number, string> {
  const found = new Map<number, string>();
  for (const line of text.split('\n')) {
    const [disk = '', ...rest] = line.split(' ');
    const dev = deviceOf(disk);
    if (dev !== undefined) found.set(dev, rest.join(' '));
  }
  return found;
}

function deviceOf(text: string): number | undefined {
  const [, major, minor] = /^(\d+):(\d+)$/.exec(text) ?? [];
  return major === undefined ? undefined : packDevice(Number(major), Number(minor));
}

function textOf(path: string): string {
  const read = readText(path);
  return 'lacks' in read ? '' : read.text;
}
