import { execFileSync } from 'node:child_process';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { LoopDevice } from '../load/loop-device.ts';
import { needs } from '../needs.ts';
import { ExtentMap } from './fixtures/extent-map.ts';
import { TraceSession, type SeenIo } from './fixtures/trace-session.ts';

const MIB = 1 << 20;

/** Every way to read and write a file: a job of fio and a file of its own for each. */
const FIO = `[global]
size=6m
bs=4k
number_ios=800
fallocate=none
[uring]
ioengine=io_uring
iodepth=8
direct=1
rw=randrw
[libaio]
ioengine=libaio
iodepth=8
direct=1
rw=randrw
[psync-direct]
ioengine=psync
direct=1
bs=16k
rw=randrw
[buffered-read]
ioengine=psync
rw=randread
[buffered-write]
ioengine=psync
rw=randwrite
[synced-write]
ioengine=psync
rw=randwrite
fsync=8
number_ios=200
[mapped]
ioengine=mmap
rw=randrw
`;

const FORMATS = {
  ext4: ['mkfs.ext4', '-q', '-E', 'lazy_itable_init=0,lazy_journal_init=0,nodiscard'],
  xfs: ['mkfs.xfs', '-q', '-K'],
} as const;

describe.each(['ext4', 'xfs'] as const)('the file of an I/O on %s', (format) => {
  let disk: LoopDevice;
  let session: TraceSession;
  beforeEach(() => {
    disk = LoopDevice.create({ bytes: 400 * MIB });
    const [program, ...options] = FORMATS[format];
    execFileSync(program, [...options, disk.path]);
    session = TraceSession.open();
    session.focus(disk.dev);
  });
  afterEach(() => {
    session.dispose();
    disk.dispose();
  });

  /**
   * Runs a script in the root of the file system, which is mounted for it alone and gone when it ends, and prints
   * where the blocks of all files lie.
   */
  function inside(script: string): ExtentMap {
    const map = 'stat -c "%i %n" * && filefrag -v -b512 *';
    const whole = `mount "$0" /mnt && cd /mnt && ${script} && sync -f . && ${map}`;
    const printed = execFileSync('unshare', ['-m', 'sh', '-ec', whole, disk.path], {
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    return new ExtentMap(printed);
  }

  /** Reads and writes. `mount` reads all over the device, before there are files. */
  function data(seen: readonly SeenIo[]): readonly SeenIo[] {
    return seen.filter(
      ({ op, bytes, key }) =>
        (op === 'read' || op === 'write') && bytes > 0 && key.comm !== 'mount',
    );
  }

  it(
    'is the one that has the sector, whatever way it is read and written',
    needs('tracing'),
    () => {
      const extents = inside(`printf '%s' '${FIO}' > fio.ini && fio fio.ini >&2`);
      const seen = data(session.take(disk.dev));
      const tally = { right: 0, unknown: 0, wrong: 0 };
      const files = new Set<string>();
      for (const { sector, file } of seen) {
        const owner = extents.ownerOf(sector);
        const isNamed = file.kind === 'file';
        if (owner === undefined) tally.wrong += isNamed ? 1 : 0;
        else if (!isNamed) tally.unknown++;
        else if (
          file.inode === owner.inode &&
          file.path?.startsWith(`/${owner.name} of `) === true
        ) {
          tally.right++;
          files.add(owner.name);
        } else tally.wrong++;
      }
      expect(tally.wrong).toBe(0);
      expect(tally.right / (tally.right + tally.unknown)).toBeGreaterThan(0.999);
      expect(tally.right).toBeGreaterThan(3000);
      expect(files.size).toBe(8);
    },
  );

  it('is marked where the request has bytes of other files as well', needs('tracing'), () => {
    const extents = inside('for i in $(seq 1 300); do head -c 6000 /dev/zero > small-$i; done');
    const writes = data(session.take(disk.dev)).filter(
      ({ op, file }) => op === 'write' && file.kind === 'file',
    );
    const isShared = ({ sector, bytes }: SeenIo): boolean => extents.ownersOf(sector, bytes) > 1;
    expect(writes.filter(isShared).length).toBeGreaterThan(0);
    expect(writes.filter((io) => io.hasOtherFiles !== isShared(io))).toEqual([]);
  });
});
