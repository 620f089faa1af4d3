import { closeSync, constants, openSync } from 'node:fs';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { LoopDevice } from '../load/loop-device.ts';
import { runAio } from '../load/aio.ts';
import { adviseRandom, mapShared } from '../load/system.ts';
import { runUring, type NextIo, type UringOutcome } from '../load/uring.ts';
import { Account, expectWhole } from './fixtures/account.ts';
import { needs } from '../needs.ts';
import { TraceSession, type SeenIo } from './fixtures/trace-session.ts';

const MIB = 1 << 20;
const DISK_BYTES = 64 * MIB;
const COUNT = 500;
/** Apart from each other, so that nothing is merged. */
const STRIDE = 64 * 1024;

const next: NextIo = (index) => ({
  write: index % 3 === 0,
  offset: (index * STRIDE) % DISK_BYTES,
  bytes: 4096,
});

describe('every way to ask for I/O', needs('tracing'), () => {
  let disk: LoopDevice;
  let session: TraceSession;
  let account: Account;
  let fd: number;
  beforeEach(() => {
    disk = LoopDevice.create({ bytes: DISK_BYTES });
    session = TraceSession.open();
    session.focus(disk.dev);
    account = new Account(disk);
    fd = disk.openDirect();
  });
  afterEach(() => {
    closeSync(fd);
    account.dispose();
    session.dispose();
    disk.dispose();
  });

  /** Each I/O of `next` once, of this process, wherever and in whatever order it came back. Returns all. */
  function expectAll({ failures, bytes }: UringOutcome): readonly SeenIo[] {
    expect({ failures, bytes }).toEqual({ failures: 0, bytes: COUNT * 4096 });
    const seen = session.take(disk.dev);
    const asked = Array.from({ length: COUNT }, (_, index) => next(index));
    const place = (write: boolean, offset: number, bytes: number) =>
      `${write ? 'write' : 'read'} ${offset} ${bytes}`;
    const found = seen.map(({ op, sector, bytes }) => place(op === 'write', sector * 512, bytes));
    const wanted = asked.map(({ write, offset, bytes }) => place(write, offset, bytes));
    expect(found.sort()).toEqual(wanted.sort());
    expectWhole(session, disk, account, { rows: seen.length });
    for (const { key } of seen) expect(key).toMatchObject({ tgid: process.pid, marks: 0 });
    return seen;
  }

  it('each io_uring I/O is traced once', () => {
    expectAll(runUring({ fd, depth: 16, batch: 4, count: COUNT, maxBytes: 4096, next }));
  });

  it('I/O submitted by an io_uring kernel thread belongs to the process', () => {
    const job = { fd, depth: 16, batch: 4, count: COUNT, maxBytes: 4096, sqPoll: true, next };
    const threads = new Set(expectAll(runUring(job)).map(({ key }) => key.comm));
    expect([...threads].every((comm) => comm.startsWith('iou-sqp'))).toBe(true);
  });

  it('each libaio I/O is traced once', () => {
    expectAll(runAio({ fd, depth: 16, count: COUNT, maxBytes: 4096, next }));
  });

  it('each touched page of mapped memory is read by the process that touches it', () => {
    const buffered = openSync(disk.path, constants.O_RDWR);
    const memory = mapShared(buffered, 8 * MIB, 0, false);
    try {
      adviseRandom(memory);
      const bytes = new Uint8Array(memory.buffer);
      const pages = Array.from({ length: 64 }, (_, index) => index * 32 * 4096);
      expect(pages.reduce((sum, at) => sum + bytes[at]!, 0)).toBe(0);
      const seen = session.take(disk.dev);
      expect(seen.map(({ op, sector, bytes: size }) => [op, sector * 512, size])).toEqual(
        pages.map((at) => ['read', at, 4096]),
      );
      for (const { key } of seen) expect(key).toMatchObject({ tgid: process.pid, marks: 0 });
      expectWhole(session, disk, account, { rows: seen.length });
    } finally {
      memory.dispose();
      closeSync(buffered);
    }
  });
});

describe('several disks at once', needs('tracing'), () => {
  const COUNTS = [300, 200, 100];
  let disks: LoopDevice[];
  let session: TraceSession;
  beforeEach(() => {
    disks = COUNTS.map(() => LoopDevice.create({ bytes: DISK_BYTES }));
    session = TraceSession.open();
  });
  afterEach(() => {
    session.dispose();
    for (const disk of disks) disk.dispose();
  });

  it('I/O of several disks stays apart, though it interleaves', () => {
    const accounts = disks.map((disk) => new Account(disk));
    const fds = disks.map((disk) => disk.openDirect());
    try {
      // In one ring of the kernel: the disk changes with every request.
      const left = [...COUNTS];
      while (left.some((count) => count > 0)) {
        left.forEach((count, index) => {
          if (count === 0) return;
          const done = COUNTS[index]! - count;
          const job = { fd: fds[index]!, depth: 2, batch: 2, count: 2, maxBytes: 4096 };
          runUring({ ...job, next: (i) => ({ ...next(done + i), write: index === 1 }) });
          left[index] = count - 2;
        });
      }
      const all = session.takeAll();
      disks.forEach((disk, index) => {
        const seen = all.filter(({ key }) => key.dev === disk.dev);
        expect(seen).toHaveLength(COUNTS[index]!);
        expect(new Set(seen.map(({ op }) => op))).toEqual(
          new Set([index === 1 ? 'write' : 'read']),
        );
        expect(accounts[index]!.completed()).toBe(seen.length);
      });
    } finally {
      for (const fd of fds) closeSync(fd);
      for (const account of accounts) account.dispose();
    }
  });
});

describe('two traces at once', needs('tracing'), () => {
  it('two traces both see everything, and the end of one does not disturb the other', () => {
    const disk = LoopDevice.create({ bytes: DISK_BYTES });
    const account = new Account(disk);
    const [one, two] = [TraceSession.open(), TraceSession.open({ ringBytes: 1 << 16 })];
    const fd = disk.openDirect();
    const load = (): void => {
      runUring({ fd, depth: 8, batch: 4, count: COUNT, maxBytes: 4096, next });
    };
    try {
      for (const session of [one, two]) session.focus(disk.dev);
      load();
      const rows = two.take(disk.dev).length;
      expectWhole(one, disk, account, { rows: one.take(disk.dev).length });
      expectWhole(two, disk, account, { rows });
      one.dispose();
      load();
      expectWhole(two, disk, account, { rows: rows + two.take(disk.dev).length });
    } finally {
      closeSync(fd);
      one.dispose();
      two.dispose();
      account.dispose();
      disk.dispose();
    }
  });
});
