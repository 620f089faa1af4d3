import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { IdentityMark } from '../../src/model/identity.ts';
import { RequestFlag } from '../../src/model/operation.ts';
import { LoopDevice } from '../load/loop-device.ts';
import { Account } from './fixtures/account.ts';
import { needs } from '../needs.ts';
import { TraceSession, type SeenIo } from './fixtures/trace-session.ts';

const MIB = 1 << 20;
const DISK_BYTES = 128 * MIB;

function bytesOf(seen: readonly SeenIo[]): number {
  return seen.reduce((sum, { bytes }) => sum + bytes, 0);
}

/** What it wrote to files; of the journal, it may have filled a part. */
function writesBy(pid: number | undefined, seen: readonly SeenIo[]): readonly SeenIo[] {
  return seen.filter(
    ({ op, key, file }) => op === 'write' && key.tgid === pid && file.kind !== 'journal',
  );
}

describe('a file system', needs('tracing'), () => {
  let disk: LoopDevice;
  let session: TraceSession;
  let account: Account;
  beforeEach(() => {
    disk = LoopDevice.create({ bytes: DISK_BYTES });
    // No thread that goes on with the making once it is mounted.
    const quiet = 'lazy_itable_init=0,lazy_journal_init=0,nodiscard';
    execFileSync('mkfs.ext4', ['-q', '-b', '4096', '-E', quiet, disk.path]);
    session = TraceSession.open();
    session.focus(disk.dev);
    account = new Account(disk);
  });
  afterEach(() => {
    account.dispose();
    session.dispose();
    disk.dispose();
  });

  /**
   * Runs a script in the root of the file system, which only it can see and which is unmounted
   * whatever happens. Returns the pids that it prints.
   */
  function inside(script: string): number[] {
    const whole = `mount "$0" /mnt && cd /mnt && ${script} && cd / && umount /mnt`;
    const args = ['-m', 'sh', '-ec', whole, disk.path];
    const printed = execFileSync('unshare', args, {
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    return printed.trim().split('\n').filter(Boolean).map(Number);
  }

  /** Everything adds up to the kernel's own statistics, byte for byte. */
  function takeAllOfIt(): SeenIo[] {
    const seen = session.take(disk.dev);
    const { reads, writes, discards, flushes, ...sectors } = account.stats();
    const { readSectors, writtenSectors, discardedSectors } = sectors;
    const of = (op: string) => seen.filter((io) => io.op === op);
    expect({
      read: bytesOf(of('read')),
      written: bytesOf(of('write')),
      discarded: bytesOf(of('discard')),
      flushes: of('flush').length,
    }).toEqual({
      read: 512 * readSectors,
      written: 512 * writtenSectors,
      discarded: 512 * discardedSectors,
      flushes,
    });
    expect(seen).toHaveLength(reads + writes + discards + flushes);
    expect(session.lost()).toBe(0);
    expect(session.inFlight(disk.dev)).toEqual([]);
    return seen;
  }

  const DD = (options: string): string =>
    `sh -c 'echo $$; exec dd if=/dev/zero of=file status=none ${options}'`;

  it('what a kernel thread writes back belongs to the writer, is marked, and complete', () => {
    const [writer] = inside(`${DD('bs=64k count=64')} && sync -f file`);
    const seen = takeAllOfIt();
    const back = seen.filter(({ op, key }) => op === 'write' && key.via?.startsWith('kworker'));
    expect(bytesOf(back)).toBeGreaterThanOrEqual(4 * MIB);
    for (const { key } of back)
      expect(key).toMatchObject({ tgid: writer, comm: 'dd', marks: IdentityMark.indirect });
    // It submits no data itself.
    const own = writesBy(writer, seen);
    expect(bytesOf(own)).toBe(bytesOf(back));
  });

  it('the caller of fsync owns the data, and waits for the flush', () => {
    const [writer] = inside(DD('bs=64k count=16 conv=fsync'));
    const seen = takeAllOfIt();
    const own = writesBy(writer, seen);
    expect(bytesOf(own)).toBe(MIB);
    expect(own.some(({ op }) => op === 'write')).toBe(true);
    const flushes = seen.filter(({ op }) => op === 'flush');
    expect(flushes.length).toBeGreaterThan(0);
  });

  it('O_DSYNC writes are each followed by a flush or are FUA', () => {
    const count = 8;
    // Twice: the second time no blocks have to be found and nothing but the data is written.
    const [, writer] = inside(
      `${DD(`bs=16k count=${count} conv=fsync`)} && ${DD(`bs=16k count=${count} oflag=direct,dsync conv=notrunc`)}`,
    );
    const seen = takeAllOfIt();
    const own = writesBy(writer, seen);
    expect(bytesOf(own)).toBe(count * 16_384);
    const asksForFlush = ({ cmdFlags }: SeenIo['key']): boolean =>
      (cmdFlags & (RequestFlag.fua | RequestFlag.preflush)) !== 0;
    expect(own.filter(({ key }) => asksForFlush(key)).length).toBeGreaterThanOrEqual(count);
  });

  it('a caller that waits for a frozen file system is not I/O that hangs, and is seen once it continues', async () => {
    const script = `mount "$0" /mnt && cd /mnt && fsfreeze -f /mnt || exit
      ${DD('bs=64k count=16 conv=fsync')} &
      until grep -q '^State:.*D' /proc/$!/status; do sleep 0.02; done
      echo frozen; read line; fsfreeze -u /mnt; wait; cd / && umount /mnt`;
    const child = spawn('unshare', ['-m', 'sh', '-c', script, disk.path], {
      stdio: ['pipe', 'pipe', 'inherit'],
    });
    const ended = once(child, 'close');
    let printed = '';
    try {
      while (!printed.includes('frozen'))
        printed += String((await once(child.stdout, 'data'))[0] as Buffer);
      expect(session.take(disk.dev).length).toBeGreaterThan(0);
      expect(session.inFlight(disk.dev)).toEqual([]);
      expect(session.source.hanging()).toBeUndefined();
    } finally {
      child.stdin.end('\n');
    }
    expect(await ended).toEqual([0, null]);
    const writer = Number.parseInt(printed, 10);
    expect(bytesOf(writesBy(writer, session.take(disk.dev)))).toBe(MIB);
    expect(session.lost()).toBe(0);
    expect(session.inFlight(disk.dev)).toEqual([]);
  });

  it('discards of deleted files have their sizes', () => {
    inside(`${DD('bs=1M count=8 conv=fsync')} && rm file && sync -f . && fstrim /mnt`);
    const discards = takeAllOfIt().filter(({ op }) => op === 'discard');
    expect(bytesOf(discards)).toBeGreaterThan(DISK_BYTES / 2);
    for (const { sector, bytes, deviceNs } of discards) {
      expect(sector * 512 + bytes).toBeLessThanOrEqual(DISK_BYTES);
      expect(deviceNs).toBeGreaterThan(0);
    }
  });

  it('holes punched into a file reach the disk as discards', () => {
    const hole = 'fallocate --punch-hole --offset 1MiB --length 2MiB file';
    const remount = 'mount -o remount,discard /mnt';
    inside(`${remount} && ${DD('bs=1M count=4 conv=fsync')} && ${hole} && sync -f .`);
    const discards = takeAllOfIt().filter(({ op }) => op === 'discard');
    expect(bytesOf(discards)).toBe(2 * MIB);
  });
});
