import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { basename } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { FileId as Layout, FileName, IoCompletion } from '../../src/kernel/abi/layout.ts';
import { LoopDevice } from '../load/loop-device.ts';
import { needs } from '../needs.ts';
import { ExtentMap } from './fixtures/extent-map.ts';
import { traced } from './fixtures/mapped-trace.ts';
import { inside } from './fixtures/mounted.ts';
import { makeFileSystem } from './fixtures/scratch-file-system.ts';
import { readsAndWrites, TraceSession, type SeenIo } from './fixtures/trace-session.ts';
import { TracedFileSystem } from './fixtures/traced-file-system.ts';

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

/** Large, split, fragmented and unaligned I/O. */
const HARD_FIO = `[global]
size=24m
fallocate=none
ioengine=libaio
direct=1
[direct-1m]
bs=1m
rw=randrw
[direct-4m]
bs=4m
rw=readwrite
[direct-sparse]
bs=4k
rw=randwrite
number_ios=700
size=12m
[direct-512]
bs=512
rw=randwrite
number_ios=800
size=1m
[direct-2k]
bs=2k
rw=randwrite
number_ios=400
size=1m
[buffered-1m]
direct=0
ioengine=psync
bs=1m
rw=readwrite
[buffered-odd]
direct=0
ioengine=psync
bs=13k
rw=randrw
`;

describe.each(['ext4', 'xfs'] as const)('the file of an I/O on %s', (format) => {
  let traced: TracedFileSystem;
  beforeEach(() => {
    traced = new TracedFileSystem(format);
  });
  afterEach(() => {
    traced.dispose();
  });

  /**
   * Runs a script in the root of the file system, which is mounted for it alone and gone when it ends, and prints
   * where the blocks of all files lie.
   */
  function inside(script: string): ExtentMap {
    const map = 'stat -c "%i %n" * && filefrag -v -b512 *';
    return new ExtentMap(traced.run(`${script} && sync -f . && ${map}`));
  }

  it(
    'is the one that has the sector, whatever way it is read and written',
    needs('tracing'),
    () => {
      const extents = inside(`printf '%s' '${FIO}' > fio.ini && fio fio.ini >&2`);
      const seen = readsAndWrites(traced.take());
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

  /** Counts by FIEMAP; unknown ones by the file. */
  function tallyOffsets(seen: readonly SeenIo[], extents: ExtentMap) {
    const tally = { right: 0, wrong: 0, unknown: new Map<string, number>() };
    for (const { sector, file, fileOffset } of seen) {
      const owner = extents.ownerOf(sector);
      if (owner === undefined || file.kind !== 'file') continue;
      if (Number.isNaN(fileOffset))
        tally.unknown.set(owner.name, 1 + (tally.unknown.get(owner.name) ?? 0));
      else if (fileOffset === extents.offsetOf(sector)) tally.right++;
      else tally.wrong++;
    }
    return tally;
  }

  it(
    'is known with the offset in the file, whatever way it is read and written',
    needs('tracing'),
    () => {
      const extents = inside(`printf '%s' '${FIO}' > fio.ini && fio fio.ini >&2`);
      const { right, wrong, unknown } = tallyOffsets(readsAndWrites(traced.take()), extents);
      const missing = [...unknown.values()].reduce((sum, count) => sum + count, 0);
      expect(wrong).toBe(0);
      expect(right / (right + missing)).toBeGreaterThan(0.999);
      expect(right).toBeGreaterThan(3000);
    },
  );

  it(
    'has no wrong offset where I/O is large, split, fragmented or unaligned',
    needs('tracing'),
    () => {
      // The setting outlives the disk.
      const limit = `/sys/block/${basename(traced.disk.path)}/queue/max_sectors_kb`;
      const before = readFileSync(limit, 'utf8');
      writeFileSync(limit, '64');
      try {
        const load = `printf '%s' '${HARD_FIO}' > fio.ini && fio fio.ini >&2`;
        const uncache = 'dd if=$f iflag=nocache count=0 2> /dev/null';
        const cold = `sync -f . && for f in direct-* buffered-*; do ${uncache}; done`;
        // In one call over what lies in pieces, with holes.
        const pieces = `dd if=direct-sparse.0.0 of=/dev/null bs=8M iflag=direct 2> /dev/null`;
        const warm = 'cat buffered-* direct-* > /dev/null';
        const extents = inside(`${load} && ${cold} && ${pieces} && ${warm}`);
        const tally = tallyOffsets(readsAndWrites(traced.take()), extents);
        expect(tally.wrong).toBe(0);
        expect(tally.right).toBeGreaterThan(5000);
        // Direct I/O in several pieces, or of less than a block, does not say where each piece belongs.
        const cached = [...tally.unknown.keys()].filter((name) => !name.startsWith('direct-'));
        expect(cached).toEqual([]);
      } finally {
        writeFileSync(limit, before);
      }
    },
  );

  it('is marked where the request has bytes of other files as well', needs('tracing'), () => {
    const extents = inside('for i in $(seq 1 300); do head -c 6000 /dev/zero > small-$i; done');
    const writes = readsAndWrites(traced.take()).filter(
      ({ op, file }) => op === 'write' && file.kind === 'file',
    );
    const isShared = ({ sector, bytes }: SeenIo): boolean => extents.ownersOf(sector, bytes) > 1;
    expect(writes.filter(isShared).length).toBeGreaterThan(0);
    expect(writes.filter((io) => io.hasOtherFiles !== isShared(io))).toEqual([]);
  });
});

describe('the place where the file of a request is noted', needs('tracing'), () => {
  it('has no file of an earlier request once it is that of one without a file', () => {
    const disk = LoopDevice.create({ bytes: 16 << 20 });
    makeFileSystem('ext4', disk.path);
    const onOneCpu = (script: string): string => `taskset -c 0 sh -ec '${script}'`;
    const write = 'dd if=/dev/zero of=data bs=4k count=64 oflag=direct status=none';
    const discard = `for at in $(seq 64); do blkdiscard -f -o \${at}k -l 1k ${disk.path}; done`;
    try {
      const [written, discarded] = traced(({ files }) => {
        const noted = (): FileId[] =>
          Array.from({ length: files!.byteLength / Layout.bytes }, (_, slot) => idIn(files!, slot));
        inside(disk.path, onOneCpu(write));
        const before = noted();
        execFileSync('sh', ['-ec', onOneCpu(discard)]);
        return [before, noted()];
      });
      const emptied = discarded.filter(
        ({ flags }, slot) => flags === 0 && written[slot]!.flags !== 0,
      );
      expect(emptied).not.toEqual([]);
      expect(emptied.filter(({ inode }) => inode !== 0n)).toEqual([]);
    } finally {
      disk.dispose();
    }
  });
});

describe('files with the same numbers', needs('tracing'), () => {
  it('belong to the file system that is mounted, not to a copy of it that was mounted before', () => {
    const copies = [1, 2].map(() => LoopDevice.create({ bytes: 32 << 20 }));
    const [original, copy] = copies.map(({ path }) => path);
    makeFileSystem('ext4', original!);
    inside(original!, 'for i in $(seq 300); do echo $i > $i; done');
    execFileSync('dd', [`if=${original}`, `of=${copy}`, 'bs=1M', 'conv=fsync', 'status=none']);
    const session = TraceSession.open();
    try {
      session.source.setFilter({ devs: copies.map(({ dev }) => dev) });
      session.takeAll();
      for (const { path, dev } of [...copies, ...copies, ...copies]) {
        inside(path, 'cat [0-9]* > /dev/null');
        const files = session.take(dev).map(({ file }) => file);
        const known = files.filter(({ kind }) => kind === 'file');
        expect(known.length).toBeGreaterThanOrEqual(300);
        expect(known.filter((file) => file.dev !== dev)).toEqual([]);
      }
    } finally {
      session.dispose();
      copies.forEach((disk) => {
        disk.dispose();
      });
    }
  });
});

describe('the path of a file', needs('tracing'), () => {
  it('is sent once, not with each I/O', () => {
    const disk = LoopDevice.create({ bytes: 64 << 20 });
    makeFileSystem('ext4', disk.path);
    const session = TraceSession.open();
    try {
      session.focus(disk.dev);
      inside(disk.path, 'dd if=/dev/zero of=data bs=4k count=500 oflag=direct status=none');
      const sent = session.source.backlogBytes();
      const rows = session.takeAll();
      const paths = rows.filter(({ file }) => file.path?.startsWith('/data'));
      expect(paths.length).toBeGreaterThanOrEqual(500);
      const names = sent - rows.length * (IoCompletion.bytes + RING_HEADER_BYTES);
      expect(names).toBeLessThan(10 * FileName.bytes);
    } finally {
      session.dispose();
      disk.dispose();
    }
  });
});

/** Before each record of the ring. */
const RING_HEADER_BYTES = 8;

interface FileId {
  readonly flags: number;
  readonly inode: bigint;
}

function idIn(files: ArrayBuffer, slot: number): FileId {
  const { bytes, offsets } = Layout;
  const view = new DataView(files, slot * bytes, bytes);
  return {
    flags: view.getUint32(offsets.flags, true),
    inode: view.getBigUint64(offsets.inode, true),
  };
}
