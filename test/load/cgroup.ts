import { execFile } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, rmdirSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { findBlkioRoot, findCgroupRoot } from '../../src/kernel/machine/cgroups.ts';
import { deviceMajor, deviceMinor } from '../../src/model/device.ts';

/** A cgroup of our own, and one of version 1's hierarchy for I/O where the kernel counts I/O there. */
export class Cgroup {
  private constructor(
    readonly id: number,
    readonly path: string,
    private readonly folders: readonly string[],
    private readonly unshare: () => void,
  ) {}

  static create(name: string): Cgroup {
    const unified = findCgroupRoot()!;
    const blkio = findBlkioRoot();
    const unshare = blkio === undefined ? shareIo(unified) : () => undefined;
    const folders = [unified, ...(blkio === undefined ? [] : [blkio])].map((root) =>
      join(root, name),
    );
    for (const folder of folders) mkdirSync(folder);
    return new Cgroup(statSync(folders[0]!).ino, `/${name}`, folders, unshare);
  }

  /** Resolves when the program has ended. */
  run(program: string, args: readonly string[]): Promise<void> {
    const enter = this.folders.map((folder) => `echo $$ > ${folder}/cgroup.procs`).join(' && ');
    return new Promise((resolve, reject) => {
      execFile(
        'sh',
        ['-ec', `${enter} && exec "$0" "$@"`, program, ...args],
        (error, _, stderr) => {
          if (error === null) resolve();
          else reject(new Error(`${program}: ${error.message} ${stderr}`));
        },
      );
    });
  }

  /** Reads and writes of a disk, as the kernel counts them. */
  ios(dev: number): number {
    const disk = `${deviceMajor(dev)}:${deviceMinor(dev)}`;
    const folder = this.folders.at(-1)!;
    const [file, pattern] = existsSync(join(folder, 'io.stat'))
      ? ['io.stat', /\b[rw]ios=(\d+)/g]
      : ['blkio.throttle.io_serviced', / (?:Read|Write) (\d+)/g];
    const lines = readFileSync(join(folder, file), 'utf8').split('\n');
    const own = lines.filter((line) => line.startsWith(`${disk} `)).join('\n');
    return [...own.matchAll(pattern)].reduce((sum, [, count]) => sum + Number(count), 0);
  }

  /** When nothing runs in it any more. */
  dispose(): void {
    for (const folder of this.folders) rmdirSync(folder);
    this.unshare();
  }
}

/** Lets the kernel count the I/O of each cgroup; what it returns ends that. */
function shareIo(root: string): () => void {
  const control = join(root, 'cgroup.subtree_control');
  if (readFileSync(control, 'utf8').split(/\s/).includes('io')) return () => undefined;
  writeFileSync(control, '+io');
  return () => {
    writeFileSync(control, '-io');
  };
}
