import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, rmdirSync, writeFileSync } from 'node:fs';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { deviceMajor, deviceMinor } from '../../src/model/device.ts';
import { callOf } from '../../src/model/call.ts';
import { isThrottled } from '../../src/model/request-text.ts';
import { LoopDevice } from '../load/loop-device.ts';
import { buildSlowFile, SlowDisk } from '../load/slow-file/slow-file.ts';
import { needs } from '../needs.ts';
import type { BundledEntry } from './fixtures/bundle-entry.ts';
import { inside } from './fixtures/mounted.ts';
import { TraceSession, type SeenIo } from './fixtures/trace-session.ts';

const MIB = 1 << 20;
/** Many times the few ms for which another program may run between a submission and the sleep. */
const DELAY_NS = 20e6;
const COUNT = 100;
/** Kernels run no program while certain threads are current. */
const LEAST = 0.97;
/** The same, where one more or less is much. */
const LEAST_OF_FEW = 0.75;
/** Part of the delay for which each wait sleeps: one that was held up before its sleep sleeps for less. */
const SLEPT = 0.75;

interface FioJob {
  readonly read: FioDirection;
  readonly write: FioDirection;
  readonly sync: { readonly lat_ns: { readonly N: number; readonly mean: number } };
}

interface FioDirection {
  readonly total_ios: number;
  readonly clat_ns: { readonly mean: number };
}

function sumOf(waits: readonly SeenIo[]): number {
  return waits.reduce((sum, { deviceNs }) => sum + deviceNs, 0);
}

function inCall(waits: readonly SeenIo[], ...calls: string[]): SeenIo[] {
  return waits.filter(({ key }) => calls.includes(callOf(key) ?? ''));
}

function fio(options: string): string {
  return `fio --name=job --filename=file --size=4m --bs=4k --thread --output-format=json ${options}`;
}

function jobOf(printed: string): FioJob {
  const { jobs } = JSON.parse(printed.slice(printed.indexOf('{'))) as { jobs: FioJob[] };
  return jobs[0]!;
}

describe('what programs wait for on a disk of known slowness', needs('tracing'), () => {
  let program: BundledEntry;
  let disk: SlowDisk;
  let session: TraceSession;
  beforeAll(async () => {
    program = await buildSlowFile();
    disk = await SlowDisk.start(program, 64 * MIB);
    execFileSync('mkfs.ext4', ['-q', '-E', 'lazy_itable_init=0,nodiscard', disk.loop.path]);
    inside(disk.loop.path, 'dd if=/dev/urandom of=file bs=1M count=4 conv=fsync');
  });
  afterAll(async () => {
    await disk.dispose();
    program.dispose();
  });
  beforeEach(async () => {
    await setDelay(DELAY_NS);
    session = TraceSession.open({ waits: true });
    session.focus(disk.loop.dev);
  });
  afterEach(() => {
    session.dispose();
  });

  async function setDelay(ns: number): Promise<void> {
    await disk.setRules([{ start: 0, end: 64 * MIB, delayUs: ns / 1e3 }]);
  }

  function waits(): SeenIo[] {
    return session.take(disk.loop.dev, 'waits').filter(({ key }) => key.comm === 'fio');
  }

  /** One wait of about the delay per I/O of fio, each at its own place in the file. */
  function expectOnePerIo(seen: readonly SeenIo[], ios: number, meanNs: number): void {
    expect(seen.length).toBeGreaterThanOrEqual(ios * LEAST);
    expect(seen.length).toBeLessThanOrEqual(ios);
    expect(sumOf(seen) / seen.length / meanNs).toBeGreaterThan(0.95);
    expect(sumOf(seen) / seen.length / meanNs).toBeLessThan(1.05);
    expect(new Set(seen.map(({ fileOffset }) => fileOffset)).size).toBe(seen.length);
    for (const { file, key, deviceNs } of seen) {
      expect(file).toMatchObject({
        kind: 'file',
        path: expect.stringMatching(/^\/file of /) as string,
      });
      expect(key.comm).toBe('fio');
      expect(isThrottled(key)).toBe(false);
      expect(deviceNs).toBeGreaterThanOrEqual(DELAY_NS * SLEPT);
    }
  }

  it('a direct read is one wait, as long as fio says, with file, offset and size', () => {
    const printed = inside(
      disk.loop.path,
      fio(`--rw=randread --direct=1 --ioengine=psync --number_ios=${COUNT}`),
    );
    const { read } = jobOf(printed);
    const seen = inCall(waits(), 'pread64');
    expectOnePerIo(seen, read.total_ios, read.clat_ns.mean);
    expect(seen.every(({ op, bytes }) => op === 'read' && bytes === 4096)).toBe(true);
  });

  it('a read of what is not cached is one wait', () => {
    const printed = inside(
      disk.loop.path,
      fio(
        `--rw=randread --ioengine=psync --invalidate=1 --fadvise_hint=random --number_ios=${COUNT}`,
      ),
    );
    const { read } = jobOf(printed);
    expectOnePerIo(inCall(waits(), 'pread64'), read.total_ios, read.clat_ns.mean);
  });

  it('a page fault is a wait, of the file that is mapped', () => {
    const printed = inside(
      disk.loop.path,
      fio(
        `--rw=randread --ioengine=mmap --invalidate=1 --fadvise_hint=random --number_ios=${COUNT}`,
      ),
    );
    const { read } = jobOf(printed);
    const seen = inCall(waits(), 'page-fault');
    expectOnePerIo(seen, read.total_ios, read.clat_ns.mean);
    expect(seen.every(({ op }) => op === 'read')).toBe(true);
  });

  it('fdatasync waits for data and journal, in sum as long as fio says', () => {
    const printed = inside(
      disk.loop.path,
      fio('--rw=randwrite --ioengine=psync --fdatasync=1 --number_ios=30'),
    );
    const { sync } = jobOf(printed);
    const seen = inCall(waits(), 'fdatasync');
    expect(seen.every(({ op, file }) => op === 'flush' && file.path?.startsWith('/file '))).toBe(
      true,
    );
    const share = sumOf(seen) / (sync.lat_ns.mean * sync.lat_ns.N);
    expect(share).toBeGreaterThan(0.95);
    expect(share).toBeLessThan(1.01);
  });

  it(
    'the waits of a scripted program add up to what strace says',
    needs({ program: 'strace' }),
    async () => {
      // Long waits, as strace itself takes its time.
      await setDelay(40e6);
      const script = 'dd if=/dev/zero of=new bs=64k count=10 oflag=direct conv=fsync';
      inside(
        disk.loop.path,
        `strace -f -T -o /mnt/trace -e trace=write,fsync ${script} 2> /dev/null; cat trace > /dev/null`,
      );
      const log = inside(disk.loop.path, 'cat trace');
      const called = (name: string): number =>
        [...log.matchAll(new RegExp(`${name}\\(\\d+.*<(\\d+\\.\\d+)>`, 'g'))]
          .map(([, seconds]) => Number(seconds) * 1e9)
          .reduce((sum, ns) => sum + ns, 0);
      const seen = session.take(disk.loop.dev, 'waits').filter(({ key }) => key.comm === 'dd');
      for (const call of ['write', 'fsync']) {
        const share = sumOf(inCall(seen, call)) / called(call);
        expect(share, call).toBeGreaterThan(0.95);
        expect(share, call).toBeLessThan(1.01);
      }
    },
  );

  it('sleeps for something other than storage are counted, and are no waits', () => {
    session.source.setFilter({});
    const before = session.source.kernelCounters().waitsElsewhere;
    // vfork stops the parent as uninterruptibly as a disk does, unless the child has ended first.
    execFileSync('sh', ['-c', 'for i in $(seq 50); do /bin/true; done']);
    expect(session.source.kernelCounters().waitsElsewhere - before).toBeGreaterThanOrEqual(20);
    const ofShell = session.takeAll().filter(({ key }) => key.comm === 'sh');
    expect(inCall(ofShell, 'other')).toEqual([]);
  });
});

const THROTTLE = '/sys/fs/cgroup/blkio';

describe('a program that a cgroup limit holds back', needs('tracing'), () => {
  const group = `${THROTTLE}/ioheat-waits`;
  let disk: LoopDevice;
  let session: TraceSession;
  beforeEach(() => {
    disk = LoopDevice.create({ bytes: 64 * MIB });
    execFileSync('mkfs.ext4', ['-q', disk.path]);
    inside(disk.path, 'dd if=/dev/urandom of=file bs=1M count=4 conv=fsync');
    mkdirSync(group);
    session = TraceSession.open({ waits: true });
    session.focus(disk.dev);
  });
  afterEach(() => {
    session.dispose();
    disk.dispose();
    rmdirSync(group);
  });

  it.skipIf(!existsSync(`${THROTTLE}/blkio.throttle.read_bps_device`))(
    'waits as long as fio says, while the disk answers at once',
    () => {
      const number = `${deviceMajor(disk.dev)}:${deviceMinor(disk.dev)}`;
      writeFileSync(`${group}/blkio.throttle.read_bps_device`, `${number} ${MIB}`);
      const printed = inside(
        disk.path,
        `echo $$ > ${group}/cgroup.procs; exec ${fio('--bs=64k --rw=randread --direct=1 --ioengine=psync --number_ios=16')}`,
      );
      const { read } = jobOf(printed);
      const all = session.takeAll();
      const waits = inCall(all, 'pread64').filter(({ key }) => key.comm === 'fio');
      const requests = all.filter(({ key, bytes }) => key.layer === undefined && bytes === 65_536);
      expect(waits.length).toBeGreaterThanOrEqual(read.total_ios * LEAST_OF_FEW);
      expect(waits.length).toBeLessThanOrEqual(read.total_ios);
      expect(sumOf(waits) / waits.length / read.clat_ns.mean).toBeGreaterThan(0.95);
      expect(sumOf(waits) / waits.length).toBeGreaterThan(50e6);
      // The median: the machine may stand still during one of them.
      const times = requests.map(({ deviceNs }) => deviceNs).sort((a, b) => a - b);
      expect(times[times.length >> 1]).toBeLessThan(5e6);
      // The limit lets the first one pass at once, and a thread that was not seen to sleep is no wait.
      const throttled = [waits, requests].map((some) => some.filter(({ key }) => isThrottled(key)));
      for (const some of throttled) expect(some.length).toBeGreaterThan(read.total_ios / 2);
    },
  );

  it.skipIf(!existsSync('/sys/class/bdi/7:0/strict_limit'))(
    'that writes more to the page cache than may wait there sleeps in throttled writes',
    () => {
      const bdi = `/sys/class/bdi/${deviceMajor(disk.dev)}:${deviceMinor(disk.dev)}`;
      writeFileSync(`${bdi}/strict_limit`, '1');
      writeFileSync(`${bdi}/max_bytes`, String(MIB));
      try {
        inside(disk.path, 'dd if=/dev/zero of=new bs=64k count=512 status=none');
      } finally {
        // The kernel keeps them for the next disk of this number.
        writeFileSync(`${bdi}/strict_limit`, '0');
        writeFileSync(`${bdi}/max_ratio`, '100');
      }
      const writes = session
        .take(disk.dev, 'waits')
        .filter(({ key }) => key.comm === 'dd' && callOf(key) === 'write');
      const throttled = writes.filter(({ key }) => isThrottled(key));
      expect(throttled.length).toBeGreaterThan(2);
      expect(sumOf(throttled) / sumOf(writes)).toBeGreaterThan(0.5);
    },
  );
});
