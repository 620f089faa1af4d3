import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { IdentityMark } from '../../src/model/identity.ts';
import { Ftrace } from '../load/ftrace.ts';
import { needs } from '../needs.ts';
import { onDisk, onVolume, type TracedPlace } from './fixtures/traced-places.ts';
import type { SeenIo } from './fixtures/trace-session.ts';

const SCRIPT = join(import.meta.dirname, '../load/fill-journal.py');
const SHARE = join(import.meta.dirname, '../load/share-inode-block.py');
const ROUNDS = 400;
const FILL = `python3 ${SCRIPT} . ${ROUNDS}`;
const FOLDERS = 50;
const MAKE_FOLDERS = `
import os
top = os.open(".", os.O_RDONLY)
for number in range(${FOLDERS}):
    os.mkdir(f"only-{number}")
    os.fsync(top)
`;
/** What is freed after a commit had it is revoked by records at the start of the next commit. */
const REVOKE = `
for i in $(seq ${FOLDERS}); do mkdir d; touch d/f; sync -f .; rm -r d; sync -f .; done
stat -f -c "block size %S" .; debugfs -R "stat <8>" "$0"`;
/** Standard deviations: of a million runs, one is farther off. */
const MOST_OFF = 5;

/** `many-123 [000] ..... 5.1: jbd2_handle_stats: dev 7,0 tid 5 ... dirtied_blocks 3`. */
const HANDLE = /-(\d+) .*: jbd2_handle_stats: dev (\d+),(\d+) tid \d+ .* dirtied_blocks (\d+)/g;

/** Metadata blocks that each process changed, by its ID. */
function blocksIn(trace: string, dev: number): ReadonlyMap<number, number> {
  const blocks = new Map<number, number>();
  for (const [, pid, major, minor, count] of trace.matchAll(HANDLE)) {
    if (Number(major) * 2 ** 20 + Number(minor) !== dev) continue;
    blocks.set(Number(pid), (blocks.get(Number(pid)) ?? 0) + Number(count));
  }
  return blocks;
}

/**
 * Where the journal is on the disk, in sectors, without its first block: processes write that as well, and the thread
 * before its first commit.
 */
function journalIn(printed: string): { readonly first: number; readonly last: number } {
  const [, bytes] = /block size (\d+)/.exec(printed)!;
  const [, first, last] = /^\(0-\d+\):(\d+)-(\d+)$/m.exec(printed)!;
  const sectors = Number(bytes) / 512;
  return { first: (Number(first) + 1) * sectors, last: (Number(last) + 1) * sectors - 1 };
}

function bytesOf(ios: readonly SeenIo[]): number {
  return ios.reduce((sum, { bytes }) => sum + bytes, 0);
}

/** What a script did on a file system of its own, and what ftrace saw of it. */
function traced(script: string, place: TracedPlace, without: readonly string[] = []) {
  const disk = place.open();
  disk.traceWith({ without });
  const ftrace = new Ftrace({ 'jbd2/jbd2_handle_stats': '' });
  try {
    const printed = disk.run(script);
    const pids = new Map(
      [...printed.matchAll(/^(\w+) (\d+)$/gm)].map(([, name, pid]) => [name!, Number(pid)]),
    );
    const seen = disk.take(place.layer);
    const journal = seen.filter(({ file }) => file.kind === 'journal');
    return { printed, pids, seen, journal, blocks: blocksIn(ftrace.read(), disk.disk.dev) };
  } finally {
    ftrace.dispose();
    disk.dispose();
  }
}

describe.each([
  { ...onDisk('ext4'), least: FOLDERS },
  // It has no cache, so that the kernel flushes nothing.
  { ...onVolume('ext4'), least: 0 },
])('the journal of $name', ({ least, ...place }) => {
  const needed = needs(...place.needs);

  it('is shared by how many metadata blocks each process changed', needed, () => {
    const { pids, journal, blocks } = traced(FILL, place);
    const [many, few] = [pids.get('many')!, pids.get('few')!];
    expect(journal.length).toBeGreaterThan(ROUNDS);
    const byBoth = journal.filter(({ key }) => [many, few].includes(key.tgid));
    const bytes = bytesOf(byBoth);
    // Who mounts changes metadata, too.
    expect(bytes).toBeGreaterThan(0.95 * bytesOf(journal));
    for (const { key } of byBoth) {
      expect(key.via).toMatch(/^jbd2\/(loop|zram)/);
      expect(key.marks & IdentityMark.indirect).toBeTruthy();
    }
    const shared = byBoth.filter(({ key }) => key.marks & IdentityMark.severalWriters);
    expect(shared.length).toBeGreaterThan(0.95 * byBoth.length);

    const share = blocks.get(many)! / (blocks.get(many)! + blocks.get(few)!);
    expect(share).toBeGreaterThan(0.6);
    const found = bytesOf(byBoth.filter(({ key }) => key.tgid === many)) / bytes;
    const squares = byBoth.reduce((sum, io) => sum + io.bytes ** 2, 0);
    const deviation = Math.sqrt(share * (1 - share) * squares) / bytes;
    expect(deviation).toBeLessThan(0.03);
    expect(Math.abs(found - share)).toBeLessThan(MOST_OFF * deviation);
  });

  it(
    'is of the one process that filled it, with the flushes for it, and not shared',
    needed,
    () => {
      const { pids, journal, seen } = traced(
        `sh -c 'echo only $$; exec python3 -c "$0"' '${MAKE_FOLDERS}'`,
        place,
      );
      const only = pids.get('only');
      const byJournal = seen.filter(({ key }) => (key.via ?? key.comm).startsWith('jbd2/'));
      const flushes = byJournal.filter(({ op }) => op === 'flush');
      expect(journal.length).toBeGreaterThanOrEqual(2 * FOLDERS);
      expect(flushes.length).toBeGreaterThanOrEqual(least);
      const others = byJournal.filter(({ key }) => key.tgid !== only);
      // At mounting and unmounting.
      expect(others.length).toBeLessThan(10);
      for (const { key } of byJournal.filter(({ key }) => key.tgid === only))
        expect([key.via?.split('/')[0], key.marks & IdentityMark.severalWriters]).toEqual([
          'jbd2',
          0,
        ]);
    },
  );

  it(
    'is what is written where the journal is, also where it begins with records of revoked blocks',
    needed,
    () => {
      const { printed, seen } = traced(REVOKE, place);
      const { first, last } = journalIn(printed);
      const writes = seen.filter(
        ({ op, bytes, sector }) => op === 'write' && bytes > 0 && sector >= first && sector <= last,
      );
      expect(writes.length).toBeGreaterThanOrEqual(2 * FOLDERS);
      expect(
        writes.filter(({ file, hasOtherFiles }) => file.kind !== 'journal' || hasOtherFiles),
      ).toEqual([]);
    },
  );

  it('is shared by a process that changes only what another changed before it', needed, () => {
    const { pids, journal } = traced(`python3 ${SHARE} ${ROUNDS}`, place);
    const byAppends = journal.filter(({ key }) => key.tgid === pids.get('appends'));
    expect(byAppends.length).toBeGreaterThan(0.9 * ROUNDS);
    const shared = byAppends.filter(({ key }) => key.marks & IdentityMark.severalWriters);
    expect(shared.length).toBeGreaterThan(0.95 * byAppends.length);
  });

  it.each(['jbd2_handle_stats', 'jbd2_commit_flushing'])(
    'is of its own thread where the kernel lacks %s',
    needed,
    (tracepoint) => {
      const { journal } = traced(FILL, place, [tracepoint]);
      expect(journal.length).toBeGreaterThan(ROUNDS);
      for (const { key } of journal.filter(({ key }) => key.marks & IdentityMark.indirect)) {
        expect(key.comm).toMatch(/^jbd2\//);
        expect(key.via).toBeUndefined();
      }
    },
  );
});
