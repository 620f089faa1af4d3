import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { IdentityMark } from '../../src/model/identity.ts';
import { needs } from '../needs.ts';
import type { SeenIo } from './fixtures/trace-session.ts';
import type { TracedFileSystem } from './fixtures/traced-file-system.ts';
import { onDisk, onVolume } from './fixtures/traced-places.ts';

/**
 * Each program prints its name and process ID. The writers wait for nothing and are gone when another process has
 * their data written back.
 */
const SCRIPT = `
as() { name=$1; shift; sh -c 'echo "$0 $$"; exec "$@"' "$name" "$@"; }
write() { as "$1" dd if=/dev/zero "of=$2" bs=64k status=none count=16 $3; }
write one one.dat
write two two.dat
write first shared.dat
write second shared.dat 'seek=16 conv=notrunc'
as sync sync -f .
write again shared.dat conv=notrunc
as sync-again sync -f .
write direct direct.dat oflag=direct
`;

/** Each file has a first page of the same process, by a shell before it becomes dd, and by another thread. */
const LATER = `
sh -c 'echo > renamed.dat; exec dd if=/dev/zero of=renamed.dat bs=64k seek=1 count=16 conv=notrunc status=none'
python3 -c '
import os, threading
file = os.open("threads.dat", os.O_RDWR | os.O_CREAT)
def write():
    print(threading.get_native_id())
    os.pwrite(file, bytes(1 << 20), 1 << 16)
os.write(file, b"first")
thread = threading.Thread(target=write)
thread.start()
thread.join()'
sync -f .
`;

const PLACES = (['ext4', 'xfs'] as const).flatMap((format) => [onDisk(format), onVolume(format)]);

describe.each(PLACES)('who wrote what is written back on $name', ({ layer, open, ...place }) => {
  const needed = needs(...place.needs);
  let traced: TracedFileSystem;
  beforeEach(() => {
    traced = open();
  });
  afterEach(() => {
    traced.dispose();
  });

  /** Runs the script in a file system that is mounted for it alone; returns the process IDs by name. */
  function run(): ReadonlyMap<string, number> {
    const lines = traced.run(SCRIPT).trim().split('\n');
    return new Map(lines.map((line) => line.split(' ')).map(([name, pid]) => [name!, Number(pid)]));
  }

  function writesTo(name: string, seen: readonly SeenIo[]): readonly SeenIo[] {
    return seen.filter(
      ({ op, file }) => op === 'write' && file.path?.startsWith(`/${name}.dat of `) === true,
    );
  }

  it('is the process that wrote to the file, not the one that synced', needed, () => {
    const pids = run();
    const seen = traced.take(layer);
    const byFile = (file: string): unknown[] =>
      writesTo(file, seen).map(({ key: { tgid, comm, marks, via } }) => ({
        pid: [...pids].find(([, pid]) => pid === tgid)?.[0],
        comm,
        through: via?.split('/')[0],
        isIndirect: (marks & IdentityMark.indirect) !== 0,
        hasSeveral: (marks & IdentityMark.severalWriters) !== 0,
      }));
    const owned = { comm: 'dd', through: 'kworker', isIndirect: true, hasSeveral: false };
    const direct = { comm: 'dd', through: undefined, isIndirect: false, hasSeveral: false };

    expect(unique(byFile('one'))).toEqual([{ ...owned, pid: 'one' }]);
    expect(unique(byFile('two'))).toEqual([{ ...owned, pid: 'two' }]);
    expect(unique(byFile('shared'))).toEqual([
      { ...owned, pid: 'second', hasSeveral: true },
      { ...owned, pid: 'again' },
    ]);
    expect(unique(byFile('direct'))).toEqual([{ ...direct, pid: 'direct' }]);
  });

  it('is the thread that wrote last, under the name that it had then', needed, () => {
    const tid = Number(traced.run(LATER));
    const seen = traced.take(layer);
    const renamed = writesTo('renamed', seen).map(({ key: { comm, marks } }) => ({ comm, marks }));
    expect(unique(renamed)).toEqual([{ comm: 'dd', marks: IdentityMark.indirect }]);
    const threads = writesTo('threads', seen).map(({ key }) => ({
      tid: key.tid,
      marks: key.marks,
    }));
    expect(unique(threads)).toEqual([{ tid, marks: IdentityMark.indirect }]);
  });

  it('stays the kernel thread where nobody saw the pages being dirtied', needed, () => {
    traced.traceWith({ without: ['writeback_dirty_folio', 'writeback_dirty_page'] });
    run();
    const writes = writesTo('one', traced.take(layer));
    expect(writes.length).toBeGreaterThan(0);
    for (const { key } of writes) {
      expect(key.comm).toMatch(/^kworker\//);
      expect(key.via).toBeUndefined();
    }
  });
});

function unique(values: readonly unknown[]): unknown[] {
  return [...new Set(values.map((value) => JSON.stringify(value)))].map(
    (text) => JSON.parse(text) as unknown,
  );
}
