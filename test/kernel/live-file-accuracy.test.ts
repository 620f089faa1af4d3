import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { needs } from '../needs.ts';
import { AccuracyByLoad, expectAccurate, writeAccuracy } from './fixtures/accuracy-table.ts';
import { ExtentMap, type FileOwner } from './fixtures/extent-map.ts';
import type { Format } from './fixtures/scratch-file-system.ts';
import { readsAndWrites, type SeenIo } from './fixtures/trace-session.ts';
import type { TracedFileSystem } from './fixtures/traced-file-system.ts';
import { PLACES_OF_FILES } from './fixtures/traced-places.ts';

/** The ways to read and write a file; each has a file of its own, with the name of the way. */
const WAYS = `
[buffered]
ioengine=psync
[mmap]
ioengine=mmap
[direct]
ioengine=psync
direct=1
[libaio]
ioengine=libaio
iodepth=8
direct=1
[io_uring]
ioengine=io_uring
iodepth=8
direct=1
[io_uring-buffered]
ioengine=io_uring
iodepth=8
`;
const FILES = '[global]\nfilename_format=$jobname\nsize=12m\nfallocate=none\nthread=1\n';
/** Each block once, in pieces of many sizes. */
const WRITE = `${FILES}rw=write\nbsrange=4k-256k\nend_fsync=1\n${WAYS}`;
const READ = `${FILES}rw=randread\nbs=4k\nnumber_ios=2000\n${WAYS}`;
const WRITE_IN_PLACE = `${FILES}rw=randwrite\nbs=4k\nnumber_ios=2000\nfsync=64\n${WAYS}`;

const SMALL_FILES = 1500;
/** As long as it will be, or fio would write it in another way first. */
const PREPARE = 'truncate -s 12m mmap';
const WRITE_SMALL = `for i in $(seq ${SMALL_FILES}); do head -c $((4096 + i % 13 * 1000)) /dev/zero > small-$i; done`;
const LEAVE = 'sync -f . && cd / && umount /mnt';

function fio(jobs: string): string {
  return `printf '%s' '${jobs}' | fio - >&2`;
}

/** Where the blocks of all files are, when nothing is left to be written. */
const MAP =
  'sync -f . && stat -c "%i %n" * && filefrag -v -b512 * && { btrfs inspect-internal dump-tree -t chunk "$0" 2>&1 || :; }';

/**
 * In turn, each with a mount of its own, so that nothing is cached. btrfs writes nothing in place: where the
 * overwritten blocks were, no witness knows afterwards.
 */
const STEPS: Readonly<Record<Format, readonly string[]>> = {
  ext4: [
    `${PREPARE} && ${fio(WRITE)} && ${WRITE_SMALL}`,
    `${fio(READ)} && cat small-* > /dev/null`,
    fio(WRITE_IN_PLACE),
  ],
  xfs: [
    `${PREPARE} && ${fio(WRITE)} && ${WRITE_SMALL}`,
    `${fio(READ)} && cat small-* > /dev/null`,
    fio(WRITE_IN_PLACE),
  ],
  btrfs: [
    `${PREPARE} && ${fio(WRITE)} && ${WRITE_SMALL}`,
    `${fio(READ)} && cat small-* > /dev/null`,
  ],
};

function loadOf({ name }: FileOwner): string | undefined {
  if (name.startsWith('small-')) return `buffered, ${SMALL_FILES} small files`;
  return WAYS.includes(`[${name}]`) ? name.replace('-', ', ') : undefined;
}

function isNamed({ file }: SeenIo, { inode, name }: FileOwner): boolean {
  return file.inode === inode && file.path?.startsWith(`/${name} of `) === true;
}

/** Compares each I/O with FIEMAP. */
function accuracyOf(seen: readonly SeenIo[], extents: ExtentMap): AccuracyByLoad {
  const loads = new AccuracyByLoad();
  for (const io of seen) {
    const owner = extents.ownerOf(io.sector);
    const load = owner && loadOf(owner);
    const isFile = io.file.kind === 'file';
    if (owner === undefined && isFile) loads.of('of no file').ios.wrong++;
    if (owner === undefined || load === undefined) continue;
    const verdict = !isFile ? 'unknown' : isNamed(io, owner) ? 'right' : 'wrong';
    loads.of(load).add(verdict, io, owner, extents);
  }
  return loads;
}

describe.each(PLACES_OF_FILES)(
  'by FIEMAP, the file on $name',
  ({ name, format, layer, open, ...place }) => {
    let traced: TracedFileSystem;
    beforeEach(() => {
      traced = open();
    });
    afterEach(() => {
      traced.dispose();
    });

    it(
      'is right for 99.9 % of the I/Os of each load and wrong for none',
      { ...needs(...place.needs), timeout: 120_000 },
      () => {
        const seen: SeenIo[] = [];
        for (const step of STEPS[format]) {
          traced.run(`${step} && ${LEAVE}`);
          seen.push(...readsAndWrites(traced.take(layer)));
        }
        const loads = accuracyOf(seen, new ExtentMap(traced.run(MAP)));
        writeAccuracy(`files-${name}`, loads);
        expect(loads.size).toBe(7);
        expectAccurate(loads);
      },
    );
  },
);
