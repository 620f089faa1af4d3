import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { IdentityMark } from '../../src/model/identity.ts';
import { needs } from '../needs.ts';
import { AccuracyByLoad, expectAccurate, writeAccuracy } from './fixtures/accuracy-table.ts';
import { ExtentMap } from './fixtures/extent-map.ts';
import type { SeenIo } from './fixtures/trace-session.ts';
import type { TracedFileSystem } from './fixtures/traced-file-system.ts';
import { PLACES_OF_FILES } from './fixtures/traced-places.ts';

/** Writers of one way write to a file each, whose name they print with their process ID. */
const FIO = 'fio --name=x --filename=$file --fallocate=none --thread --size=1m --rw=write --bs=64k';
const WAYS = {
  'write()': { writers: 200, command: 'dd if=/dev/zero of=$file bs=16k count=8 status=none' },
  mmap: { writers: 12, command: `${FIO} --ioengine=mmap` },
  'io_uring, buffered': { writers: 12, command: `${FIO} --ioengine=io_uring --iodepth=4` },
} as const;
const NAMES = Object.keys(WAYS) as (keyof typeof WAYS)[];

/**
 * One after the other. They wait for nothing on the disk, and are gone when another process has it written: the files
 * of one half each by itself, those of the other half all at once.
 */
const WRITE = NAMES.map((way, number) => {
  const { writers, command } = WAYS[way];
  const one = `echo "WRITER $file $$"; exec ${command} > /dev/null`;
  const next = `[ $((i % 2)) = 0 ] || sync -f .`;
  return `for i in $(seq ${writers}); do file=way${number}-$i sh -c '${one}'; ${next}; done`;
}).join('\n');
const SCRIPT = `${WRITE}
sync -f . && stat -c "%i %n" way* && filefrag -v -b512 way*
{ btrfs inspect-internal dump-tree -t chunk "$0" 2>&1 || :; }`;

function writersIn(printed: string): ReadonlyMap<string, number> {
  const lines = printed.matchAll(/^WRITER (\S+) (\d+)$/gm);
  return new Map([...lines].map(([, file, pid]) => [file!, Number(pid)]));
}

/** What a kernel thread wrote for somebody, by where the file is: that is not what is tested here. */
function accuracyOf(
  seen: readonly SeenIo[],
  extents: ExtentMap,
  writers: ReadonlyMap<string, number>,
): AccuracyByLoad {
  const loads = new AccuracyByLoad();
  for (const io of seen) {
    const { op, sector, key } = io;
    if (op !== 'write' || (key.marks & IdentityMark.indirect) === 0) continue;
    const owner = extents.ownerOf(sector);
    if (owner === undefined) continue;
    const isRight = key.tgid === writers.get(owner.name);
    const verdict = key.via === undefined ? 'unknown' : isRight ? 'right' : 'wrong';
    const load = NAMES[Number(/^way(\d+)/.exec(owner.name)?.[1])]!;
    loads.of(load).add(verdict, io, owner, extents);
  }
  return loads;
}

describe.each(PLACES_OF_FILES)(
  'written back on $name, the writer',
  ({ name, layer, open, ...place }) => {
    let traced: TracedFileSystem;
    beforeEach(() => {
      traced = open();
    });
    afterEach(() => {
      traced.dispose();
    });

    it(
      'is right for 99.9 % of the I/Os and wrong for none, although it is gone',
      { ...needs(...place.needs), timeout: 120_000 },
      () => {
        const printed = traced.run(SCRIPT);
        const writers = writersIn(printed);
        const loads = accuracyOf(traced.take(layer), new ExtentMap(printed), writers);
        writeAccuracy(`writers-${name}`, loads);
        expect([...loads.keys()].toSorted()).toEqual(NAMES.toSorted());
        expectAccurate(loads);
      },
    );
  },
);
