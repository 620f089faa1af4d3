import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, rmdirSync, writeFileSync } from 'node:fs';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { deviceMajor, deviceMinor } from '../../src/model/device.ts';
import { IdentityMark } from '../../src/model/identity.ts';
import { LoopDevice } from '../load/loop-device.ts';
import { needs } from '../needs.ts';
import { TraceSession, type SeenIo } from './fixtures/trace-session.ts';

const MIB = 1 << 20;
const THROTTLE = '/sys/fs/cgroup/blkio';
const LIMIT = 'blkio.throttle.read_bps_device';
const COUNT = 12;
const SIZE = 60 * 1024;

/** Reads under the limit, after its own process ID; the limit lets the first of them pass at once. */
const READ = `dd if="$1" of=/dev/null bs=60k count=${COUNT} iflag=direct status=none`;

describe.skipIf(!existsSync(`${THROTTLE}/${LIMIT}`))(
  'direct reads that a cgroup limit holds back',
  needs('tracing', { program: 'fio' }),
  () => {
    const group = `${THROTTLE}/ioheat-waiters`;
    let disk: LoopDevice;
    let session: TraceSession;
    beforeEach(() => {
      disk = LoopDevice.create({ bytes: 64 * MIB });
      execFileSync('mkfs.ext4', ['-q', disk.path]);
      const write = `mount "$0" /mnt && dd if=/dev/urandom of=/mnt/file bs=1M count=4 conv=fsync status=none`;
      execFileSync('unshare', ['-m', 'sh', '-ec', write, disk.path]);
      mkdirSync(group);
      const number = `${deviceMajor(disk.dev)}:${deviceMinor(disk.dev)}`;
      writeFileSync(`${group}/${LIMIT}`, `${number} ${MIB}`);
      session = TraceSession.open();
      session.focus(disk.dev);
    });
    afterEach(() => {
      session.dispose();
      disk.dispose();
      rmdirSync(group);
    });

    /** Returns the process ID of the reader and what it read. */
    function readThrottled(script: string, path: string): { pid: number; reads: SeenIo[] } {
      const whole = `${script} echo $$ > ${group}/cgroup.procs; echo $$; exec ${READ}`;
      const printed = execFileSync('unshare', ['-m', 'sh', '-ec', whole, disk.path, path], {
        encoding: 'utf8',
      });
      const reads = session
        .take(disk.dev)
        .filter(({ op, bytes, key }) => op === 'read' && bytes === SIZE && key.comm !== 'mount');
      return { pid: Number(printed), reads };
    }

    it.each([
      ['of a file', 'mount "$0" /mnt;', '/mnt/file'],
      ['of the device', '', undefined],
    ])('%s belong to the process that waits, through the kernel thread', (_, script, path) => {
      const { pid, reads } = readThrottled(script, path ?? disk.path);
      expect(reads).toHaveLength(COUNT);
      for (const { key } of reads) expect([key.tgid, key.tid, key.comm]).toEqual([pid, pid, 'dd']);
      const held = reads.filter(({ key }) => (key.marks & IdentityMark.indirect) !== 0);
      expect(held.length).toBeGreaterThan(COUNT / 3);
      for (const { key } of held) expect(key.via).toMatch(/^kworker/);
      // The reader's, not that of version 1 which has the limit: its number may be another's where names come from.
      const own = reads.find(({ key }) => key.via === undefined);
      for (const { key } of held) expect(key.cgroup).toBe(own?.key.cgroup);
    });

    it('have no known cgroup where nobody waits for each', () => {
      const [folder, load] = [`echo $$ > ${group}/cgroup.procs`, 'fio --name=job --filename="$0"'];
      const how = `--direct=1 --ioengine=libaio --iodepth=4 --rw=read --bs=60k --number_ios=${COUNT}`;
      execFileSync('sh', ['-ec', `${folder}; exec ${load} ${how}`, disk.path]);
      const held = session
        .take(disk.dev)
        .filter(({ op, key }) => op === 'read' && (key.marks & IdentityMark.indirect) !== 0);
      expect(held.length).toBeGreaterThan(COUNT / 3);
      for (const { key } of held) expect(key.cgroup).toBe(0);
    });
  },
);
