import { readdirSync, statSync } from 'node:fs';
import { basename, join } from 'node:path';
import { isSystemError } from '../../base/system-error.ts';
import type { CgroupNames } from '../../model/cgroup-names.ts';
import { cgroupTitle } from './cgroup-title.ts';
import type { ContainerNames } from './container-names.ts';
import { decodeName } from '../../base/decode-name.ts';
import { readMounts } from './mounts.ts';

/** At most one scan per this many ms: a scan takes about 10 µs per cgroup. */
const SCAN_EVERY_MS = 1_000;

/**
 * Names the cgroups of this machine. The id of a cgroup is the inode number of its directory, so all of them are
 * scanned when an unknown id is requested. Names that were requested are kept after the cgroup is gone, because its
 * I/O is still in the picture.
 */
export class MachineCgroups implements CgroupNames {
  private readonly root: string | undefined;
  private readonly nowMs: () => number;
  private scannedMs = -Infinity;
  /** All cgroups found by the last scan. */
  private present: ReadonlyMap<number, string> = new Map();
  /** Names by id; undefined if the cgroup is gone, as ids are not reused. */
  private readonly answers = new Map<number, string | undefined>();

  /** For `root`, see `findCgroupRoot`; `nowMs` must not go backwards. */
  constructor(
    root: string | undefined,
    nowMs: () => number,
    private readonly containers?: ContainerNames,
  ) {
    this.root = root;
    this.nowMs = nowMs;
  }

  name(id: number): string | undefined {
    if (this.answers.has(id)) return this.answers.get(id);
    const isFresh = !this.present.has(id) && this.rescan();
    const path = this.present.get(id);
    const name = path === undefined ? undefined : cgroupTitle(path, this.containers);
    if (path !== undefined || isFresh) this.answers.set(id, name);
    return name;
  }

  /** The directory of a cgroup; undefined if it is gone, or its name has not been requested. */
  folder(id: number): string | undefined {
    const path = this.present.get(id);
    return path === undefined || this.root === undefined ? undefined : join(this.root, path);
  }

  /** Scans all cgroups; false if it is too early for another scan. */
  private rescan(): boolean {
    const nowMs = this.nowMs();
    if (nowMs - this.scannedMs < SCAN_EVERY_MS) return false;
    this.scannedMs = nowMs;
    this.present = this.root === undefined ? new Map() : listCgroups(this.root);
    return true;
  }
}

/** Where the unified hierarchy is mounted; undefined when it is not. */
export function findCgroupRoot(mountinfo?: string): string | undefined {
  return readMounts(mountinfo)?.find(({ kind }) => kind === 'cgroup2')?.point;
}

/** Where the hierarchy for I/O of version 1 is mounted: by convention `/sys/fs/cgroup/blkio`. */
export function findBlkioRoot(mountinfo?: string): string | undefined {
  const own = readMounts(mountinfo)?.filter(({ kind }) => kind === 'cgroup');
  return own?.find(({ point }) => basename(point).split(',').includes('blkio'))?.point;
}

/**
 * Paths of all cgroups, from `/`, by the inode numbers of their directories. The names of directories are bytes, and
 * may not be UTF-8.
 */
function listCgroups(root: string): Map<number, string> {
  const paths = new Map<number, string>();
  const waiting = [{ path: '/', folder: Buffer.from(root) }];
  for (let one = waiting.pop(); one !== undefined; one = waiting.pop()) {
    const { path, folder } = one;
    const found = readCgroup(folder);
    if (found === undefined) continue;
    paths.set(found.id, path);
    for (const child of found.children) {
      waiting.push({
        path: join(path, decodeName(child)),
        folder: Buffer.concat([folder, SLASH, child]),
      });
    }
  }
  return paths;
}

/** A directory is linked to by its parent, itself and each of its children. */
const NO_CHILDREN = 2;

const SLASH = Buffer.from('/');

function childrenOf(folder: Buffer): Buffer[] {
  const entries = readdirSync(folder, { withFileTypes: true, encoding: 'buffer' });
  return entries.filter((entry) => entry.isDirectory()).map(({ name }) => name);
}

function readCgroup(folder: Buffer): { id: number; children: Buffer[] } | undefined {
  try {
    const { ino, nlink } = statSync(folder);
    return { id: ino, children: nlink === NO_CHILDREN ? [] : childrenOf(folder) };
  } catch (cause) {
    // Cgroups come and go during the scan, and some are not readable for everybody.
    if (isSystemError(cause)) return undefined;
    throw cause;
  }
}
