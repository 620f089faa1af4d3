import { NS_PER_SECOND } from '../../../base/time.ts';
import type { Call } from '../../../model/call.ts';
import { NO_FILE } from '../../../model/file.ts';
import { namedFile } from '../../../model/named-file.ts';
import { Op, RequestFlag } from '../../../model/operation.ts';
import { around, between } from '../distribution.ts';
import type { FillSlot, Slot, SlotRows } from '../slot-rows.ts';
import type { Actor, Stage } from '../stage.ts';
import { extent, sinceOpened } from '../streams.ts';
import type { Window } from '../streams.ts';
import { addMirror, diskTime, mirrorIdentities, readMirror, writeMirror } from './layers-stack.ts';
import type { Mirror } from './layers-stack.ts';

const SERVICE = 'postgresql.service';
const BACKENDS: readonly Actor[] = [1204, 1219, 1233].map((tgid) => ({
  ...{ comm: 'postgres', tgid, cgroup: SERVICE },
}));
const WAL_WRITER: Actor = { comm: 'postgres', tgid: 1190, cgroup: SERVICE };
const CHECKPOINTER: Actor = { comm: 'postgres', tgid: 1187, cgroup: SERVICE };
const WRITTEN_BACK: Actor = { ...CHECKPOINTER, via: 'kworker/u16:3' };
const TAR: Actor = { comm: 'tar', tgid: 7702, cgroup: 'docker b81e6f20c4a7' };
const JOURNAL: Actor = { comm: 'jbd2/dm-0-8', tgid: 402, indirect: true };

const BASE = '/var/lib/postgresql/17/main';
const TABLES = extent(80e9, 300e9);
const WAL = extent(20e9, 16e9);
const ARCHIVE = extent(500e9, 400e9);
const JOURNAL_AREA = extent(1e9, 1e9);

const CHECKPOINT: Window = {
  everyNs: 15 * NS_PER_SECOND,
  fromNs: 6 * NS_PER_SECOND,
  forNs: 1.5 * NS_PER_SECOND,
};

const queueNs = around(5e3, 0.2);
const readNs = around(180e3, 0.14);
const writeNs = around(60e3, 0.15);
const flushNs = around(700e3, 0.12);
/** The disk that makes the mirror slow: its cache is worn out. */
const slowWriteNs = around(2.5e6, 0.15);
/** How much longer than its I/O a thread waits: until it runs again. */
const wakeNs = around(9e3, 0.2);
/** How long a call takes in addition to its wait, and how long a call takes that memory answers. */
const CALL_NS = 1500;
const cachedNs = around(2200, 0.3);
const ENOENT = 2;
/** The container may read 4 MB/s. */
const limitNs = between(52e6, 64e6);

/** The same I/O as programs, the volume and the disks see it. */
export function layers(stage: Stage): FillSlot {
  const mirror = addMirror(stage);
  const parts = [
    queries(stage, mirror),
    walWrites(stage, mirror),
    checkpoints(stage, mirror),
    limitedBackup(stage, mirror),
    journalWrites(stage, mirror),
    cachedReads(stage, mirror),
    opens(stage, mirror),
  ];
  return (slot) => {
    for (const fill of parts) fill(slot);
  };
}

/** Calls `push` for each of about `perSecond` I/Os, with the time at which it completes. */
function fillEvents(slot: Slot, perSecond: number, push: (completeNs: number) => void): void {
  const { random, startNs, endNs, load } = slot;
  const count = random.count((perSecond * load * (endNs - startNs)) / NS_PER_SECOND);
  for (let i = 0; i < count; i++) push(startNs + random.next() * (endNs - startNs));
}

/** The identities of a call, and of the wait in it. */
interface ProgramIdentities {
  readonly call: number;
  readonly wait: number;
}

function programIdentities(
  stage: Stage,
  mirror: Mirror,
  actor: Actor,
  call: Call,
  flags = 0,
): ProgramIdentities {
  return {
    call: stage.callIdentity(mirror.volume, actor, call, flags),
    wait: stage.waitIdentity(mirror.volume, actor, call, flags),
  };
}

interface WaitingCall {
  readonly completeNs: number;
  readonly waitedNs: number;
  readonly bytes: number;
  readonly file: number;
  readonly fileOffset: number;
}

/** A call that sleeps once, for nearly all of its time; it returns its bytes. */
function pushCall(rows: SlotRows, identities: ProgramIdentities, call: WaitingCall): void {
  const { completeNs, waitedNs, bytes, file, fileOffset } = call;
  const tookNs = waitedNs + CALL_NS;
  rows.push(completeNs, 0, waitedNs, NaN, bytes, identities.wait, file, fileOffset);
  rows.push(completeNs, 0, tookNs, NaN, bytes, identities.call, file, fileOffset, bytes);
}

/** Direct reads of tables: a wait each, little longer than the disk takes. */
function queries(stage: Stage, mirror: Mirror): FillSlot {
  const tables = [24601, 24610, 24633].map((table) =>
    stage.file(mirror.volume, `${BASE}/base/16384/${table}`),
  );
  const readers = BACKENDS.map((actor) => ({
    identities: mirrorIdentities(stage, mirror, actor, Op.read),
    programs: programIdentities(stage, mirror, actor, 'pread64'),
  }));
  return (slot) => {
    const { random, rows } = slot;
    const slowdown = sinceOpened(CHECKPOINT, slot.startNs) === undefined ? 1 : 2.5;
    fillEvents(slot, 90, (completeNs) => {
      const { identities, programs } = readers[random.below(readers.length)]!;
      const file = tables[random.below(tables.length)]!;
      const time = diskTime(slot, queueNs, readNs);
      const io = { identities, completeNs, extent: TABLES, bytes: 8192, file };
      const tookNs = readMirror(slot, io, { ...time, deviceNs: time.deviceNs * slowdown });
      const waitedNs = tookNs + wakeNs.sample(random);
      const fileOffset = random.below(4096) * 8192;
      pushCall(rows, programs, { completeNs, waitedNs, bytes: 8192, file, fileOffset });
    });
  };
}

/** Commits: a write and a flush, waited for in fdatasync. */
function walWrites(stage: Stage, mirror: Mirror): FillSlot {
  const file = stage.file(mirror.volume, `${BASE}/pg_wal/000000010000000A0000003F`);
  const writes = mirrorIdentities(stage, mirror, WAL_WRITER, Op.write | RequestFlag.sync);
  const flushes = mirrorIdentities(stage, mirror, WAL_WRITER, Op.flush | RequestFlag.preflush);
  const programs = programIdentities(stage, mirror, WAL_WRITER, 'fdatasync');
  return (slot) => {
    const { random, rows } = slot;
    const behindNs = queueAt(slot);
    fillEvents(slot, 20, (completeNs) => {
      const times = [
        diskTime(slot, queueNs, writeNs),
        { queueNs: behindNs * 0.3 * random.next(), deviceNs: slowWriteNs.sample(random) },
      ];
      const write = { identities: writes, completeNs, extent: WAL, bytes: 8192, file };
      const writtenNs = writeMirror(slot, write, times);
      const flush = { identities: flushes, completeNs, extent: undefined, bytes: 0, file: NO_FILE };
      const flushed = [0, 1].map(() => diskTime(slot, queueNs, flushNs));
      const flushedNs = writeMirror(slot, flush, flushed);
      const waitedNs = writtenNs + flushedNs + wakeNs.sample(random);
      pushCall(rows, programs, { completeNs, waitedNs, bytes: 0, file, fileOffset: NaN });
    });
  };
}

/** How long the queue of the slow disk is by the end of a slot, in ns: it grows while a checkpoint writes. */
function queueAt({ startNs, endNs }: Slot): number {
  const sinceNs = sinceOpened(CHECKPOINT, startNs);
  return sinceNs === undefined ? 0 : sinceNs + endNs - startNs;
}

/** Dirty pages of tables, written back by a kernel thread; the checkpointer waits for all of them. */
function checkpoints(stage: Stage, mirror: Mirror): FillSlot {
  const tables = [24601, 24610].map((table) =>
    stage.file(mirror.volume, `${BASE}/base/16384/${table}_vm`),
  );
  const identities = mirrorIdentities(
    stage,
    mirror,
    WRITTEN_BACK,
    Op.write | RequestFlag.background,
  );
  const programs = programIdentities(stage, mirror, CHECKPOINTER, 'fsync');
  return (slot) => {
    const { random, rows } = slot;
    const behindNs = queueAt(slot);
    if (behindNs === 0) return;
    const file = (): number => tables[random.below(tables.length)]!;
    fillEvents(slot, 380, (completeNs) => {
      const sinceNs = behindNs - (slot.endNs - completeNs);
      const deviceNs = Math.min(slowWriteNs.sample(random), sinceNs);
      const slow = { queueNs: (sinceNs - deviceNs) * (0.7 + 0.25 * random.next()), deviceNs };
      const io = { identities, completeNs, extent: TABLES, bytes: 65536, file: file() };
      writeMirror(slot, io, [diskTime(slot, queueNs, writeNs), slow]);
    });
    fillEvents(slot, 6, (completeNs) => {
      const sinceNs = behindNs - (slot.endNs - completeNs);
      const call = { completeNs, waitedNs: sinceNs, bytes: 0, file: file(), fileOffset: NaN };
      pushCall(rows, programs, call);
    });
  };
}

/** Reads that wait for their cgroup's limit before the volume sees them. */
function limitedBackup(stage: Stage, mirror: Mirror): FillSlot {
  const files = ['2026-01', '2026-02'].map((month) =>
    stage.file(mirror.volume, `/srv/images/${month}.img`),
  );
  const identities = mirrorIdentities(stage, mirror, TAR, Op.read);
  const programs = programIdentities(stage, mirror, TAR, 'read', RequestFlag.throttled);
  return (slot) => {
    const { random, rows } = slot;
    fillEvents(slot, 16, (completeNs) => {
      const file = files[random.below(files.length)]!;
      const io = { identities, completeNs, extent: ARCHIVE, bytes: 262144, file };
      const time = diskTime(slot, queueNs, readNs);
      const tookNs = readMirror(slot, io, { ...time, deviceNs: time.deviceNs * 3 });
      const waitedNs = tookNs + limitNs.sample(random);
      const fileOffset = random.below(4096) * 262144;
      pushCall(rows, programs, { completeNs, waitedNs, bytes: 262144, file, fileOffset });
    });
  };
}

/** Reads of tables that are in the page cache: calls that wait for nothing. */
function cachedReads(stage: Stage, mirror: Mirror): FillSlot {
  const file = stage.file(mirror.volume, `${BASE}/base/16384/24601_fsm`);
  const readers = BACKENDS.map((actor) => stage.callIdentity(mirror.volume, actor, 'pread64'));
  return ({ random, rows, ...slot }) => {
    fillEvents({ random, rows, ...slot }, 60, (completeNs) => {
      const reader = readers[random.below(readers.length)]!;
      const fileOffset = random.below(64) * 8192;
      rows.push(completeNs, 0, cachedNs.sample(random), NaN, 8192, reader, file, fileOffset, 8192);
    });
  };
}

/** The backup opens one file after the other; now and then one is gone since it was listed. */
function opens(stage: Stage, mirror: Mirror): FillSlot {
  const file = stage.file(mirror.volume, '/srv/images/index');
  const gone = stage.fileOf(namedFile('2026-03.part'));
  const found = stage.callIdentity(mirror.volume, TAR, 'openat');
  const absent = stage.callIdentity(mirror.volume, TAR, 'openat', 0, -ENOENT);
  return ({ random, rows, ...slot }) => {
    fillEvents({ random, rows, ...slot }, 3, (completeNs) => {
      const [identity, of, result] =
        random.below(4) === 0 ? ([absent, gone, -ENOENT] as const) : ([found, file, 4] as const);
      rows.push(completeNs, 0, cachedNs.sample(random) * 3, NaN, 0, identity, of, NaN, result);
    });
  };
}

function journalWrites(stage: Stage, mirror: Mirror): FillSlot {
  const file = stage.fileOf({ kind: 'journal', dev: mirror.volume, inode: 8, generation: 0 });
  const identities = mirrorIdentities(
    stage,
    mirror,
    JOURNAL,
    Op.write | RequestFlag.sync | RequestFlag.meta,
  );
  return (slot) => {
    fillEvents(slot, 8, (completeNs) => {
      const times = [writeNs, slowWriteNs].map((deviceNs) => diskTime(slot, queueNs, deviceNs));
      const io = { identities, completeNs, extent: JOURNAL_AREA, bytes: 16384, file };
      writeMirror(slot, io, times);
    });
  };
}
