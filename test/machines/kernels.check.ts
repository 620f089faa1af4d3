import { beforeAll, describe, expect, it } from 'vitest';
import { latencyOf } from '../load/fio.ts';
import { prepareKernels, runGuest, type GuestOptions, type GuestReport } from './guest.ts';

const MS = 1e6;
/** An emulated processor may be late by much, never early. */
const LATE = 10;
/** Of what fio measures: it counts until its thread runs again, which an emulated processor puts off. */
const SEEN_OF_FIO = 0.75;
const SATURATED_MS = 20;
/** Of the volume that guest.sh makes; the kernel counts it in ticks of 4 ms, which come late in an emulated machine. */
const DELAY_MS = 100;
const EARLY = 0.8;
/** That guest.sh suspends a volume for. */
const HELD_MS = 2000;
const FILL_ROUNDS = 40;
/** Of `uring-calls.py`. */
const REGISTERED_SPLICE = 'uring-splice=30 300';

/**
 * Submissions that may be skipped on a busy host: from Linux 7 on, a program on a tracepoint can be preempted, and the
 * kernel runs none in itself (`srcu_fast_notrace` in linux/tracepoint.h, `bpf_prog_get_recursion_context`).
 */
const mostSkipped = (kernel: string): number => (/^[0-6]\./.test(kernel) ? 0 : 3);

/**
 * Before Linux 5.14, RAID 0 passes on the very bio of its caller: its end in the volume is not traced, and when it was queued
 * on the disk neither.
 */
const passesOnBios = (kernel: string): boolean => kernel.startsWith('5.10.');

/** scsi_debug, which Debian builds for x86-64 only; its disk answers after a time that can be set. */
const hasTimedScsi = (kernel: string): boolean => kernel.endsWith('-amd64');

const kernels = prepareKernels();
const odd = kernels.find((kernel) => kernel.startsWith('6.12.'))!;

const machines: readonly (readonly [string, GuestOptions])[] = [
  ...kernels.map((kernel) => [`Linux ${kernel}`, { kernel }] as const),
  [
    `Linux ${odd}, locked down for confidentiality`,
    { kernel: odd, words: ['lockdown=confidentiality'] },
  ],
  [`Linux ${odd} with 400 MiB of memory`, { kernel: odd, memory: 400 }],
];

it('a kernel of each supported series is tested, and two for arm64, one of them with pages of 16 KiB', () => {
  expect(kernels.map((kernel) => kernel.replace(/^(7|\d+\.\d+).*?-(?=a)/, '$1 '))).toEqual([
    '5.10 amd64',
    '6.1 amd64',
    '6.12 amd64',
    '6.18 amd64',
    '7 amd64',
    '6.12 arm64',
    '7 arm64-16k',
  ]);
});

/** A worker, or, where no worker can be had soon enough, the thread that the work queue keeps for that. */
function isFlusher(thread: string | null): boolean {
  return thread === 'writeback' || (thread?.startsWith('kworker/') ?? false);
}

describe.each(machines)('%s', (_, options) => {
  let guest: GuestReport;

  beforeAll(async () => {
    guest = await runGuest(options);
  });

  it('doctor finds nothing that prevents tracing', () => {
    expect(guest.text('doctor-exit')).toBe('0');
    const report = JSON.parse(guest.text('doctor')) as { checks: { id: string; status: string }[] };
    expect(report.checks.filter(({ status }) => status === 'fail')).toEqual([]);
  });

  it.each(['nullb0', 'nullb1', 'nullb2', 'nullb3', 'sda', 'nvme0n1'])(
    'the trace has as many I/Os and bytes of %s as the kernel counted',
    (disk) => {
      const stats = guest.stats(disk);
      const bytes = (op: string): number =>
        guest.rows(disk, op).reduce((sum, io) => sum + io.bytes, 0);
      expect(stats.reads + stats.writes).toBeGreaterThan(0);
      expect({
        reads: guest.rows(disk, 'read').length,
        readBytes: bytes('read'),
        writes: guest.rows(disk, 'write').length,
        writtenBytes: bytes('write'),
        discards: guest.rows(disk, 'discard').length,
        flushes: guest.rows(disk, 'flush').length,
      }).toEqual({
        reads: stats.reads,
        readBytes: stats.readSectors * 512,
        writes: stats.writes,
        writtenBytes: stats.writtenSectors * 512,
        discards: stats.discards,
        flushes: stats.flushes,
      });
    },
  );

  it.each([
    ['nullb0', 'read', 2],
    ['nullb0', 'write', 2],
    ...(hasTimedScsi(options.kernel) ? ([['sda', 'read', 1]] as const) : []),
  ] as const)(
    'on %s, the fastest %s takes about the %i ms that the device is set to',
    (disk, op, ms) => {
      const times = guest.rows(disk, op).map((io) => io.device_ns!);
      expect(Math.min(...times)).toBeGreaterThanOrEqual(ms * MS);
      expect(Math.min(...times)).toBeLessThan(LATE * ms * MS);
    },
  );

  it.each(['nullb2', 'nullb3'])(
    'latencies on %s, where sixteen callers share four requests, include the wait for a request',
    (disk) => {
      const fio = latencyOf(guest.text(`fio-${disk}`));
      const rows = guest.rows(disk, 'read').filter(({ comm }) => comm === 'fio');
      expect(rows).toHaveLength(fio.count);
      const total = rows.reduce((sum, io) => sum + io.queue_ns! + io.device_ns!, 0) / fio.count;
      expect(total).toBeLessThan(1.02 * fio.mean);
      expect(total).toBeGreaterThan(SEEN_OF_FIO * fio.mean);
      // Four are served at a time, so each waits for three others.
      expect(total).toBeGreaterThan(3 * SATURATED_MS * MS);
    },
  );

  it('the time of queuing is known, except where the kernel ran no program', () => {
    const [, missed = ''] = /first seen after their wait for a free request (\d+)/.exec(
      guest.text('told'),
    )!;
    const passedOn = passesOnBios(options.kernel) ? 1 : 0;
    expect(Number(missed)).toBeGreaterThanOrEqual(passedOn);
    expect(Number(missed) - passedOn).toBeLessThanOrEqual(mostSkipped(options.kernel));
  });

  it('the one read that fails is reported with its disk and sector', () => {
    const failed = guest.trace.filter(({ error }) => error !== 0);
    expect(failed.map(({ device, op, sector }) => ({ device, op, sector }))).toEqual([
      { device: 'nullb1', op: 'read', sector: 2048 },
    ]);
  });

  it('each I/O belongs to the process that submitted it; doctor says where owners of flushes are unknown', () => {
    const ios = ['nullb0', 'sda', 'nvme0n1'].flatMap((disk) => guest.rows(disk));
    const ownersOf = (kind: string) =>
      new Set(ios.filter(({ op }) => op === kind).map(({ comm }) => comm));
    const tellsSubmission = /^attached .*\bio_start\b/m.test(guest.text('told'));
    expect(ownersOf('read')).toEqual(new Set(['dd', 'blkdiscard']));
    const owned = ios.filter(({ op, comm }) => op === 'write' && comm !== null);
    expect(new Set(owned.map(({ comm }) => comm))).toEqual(new Set(['dd']));
    const unowned = ios.filter(({ op, comm }) => op === 'write' && comm === null);
    expect(unowned.length).toBeLessThanOrEqual(mostSkipped(options.kernel));
    expect(ownersOf('discard')).toEqual(new Set(['blkdiscard']));
    expect(ownersOf('flush')).toEqual(new Set([tellsSubmission ? 'dd' : null]));
    expect(guest.text('doctor').includes('the owner of a flush')).toBe(!tellsSubmission);
  });

  it('the delay of a device-mapper volume is in the latency of the volume, not of the disk below', () => {
    const reads = guest.rows('slow').filter(({ comm }) => comm === 'dd');
    expect(reads.map(({ layer, bytes, op }) => ({ layer, bytes, op }))).toEqual(
      Array.from({ length: 20 }, () => ({ layer: 'volumes', bytes: 4096, op: 'read' })),
    );
    const times = reads.map((io) => io.total_ns!);
    expect(Math.min(...times)).toBeGreaterThanOrEqual(EARLY * DELAY_MS * MS);
    const below = guest.rows('nullb1', 'read').map((io) => io.device_ns!);
    expect(Math.min(...below)).toBeLessThan((DELAY_MS / 10) * MS);
    const stats = guest.stats(guest.text('delayed'));
    const bytes = guest.rows('slow', 'read').reduce((sum, io) => sum + io.bytes, 0);
    expect(bytes).toBe(stats.readSectors * 512);
    expect(guest.text('doctor')).toContain('slow (over nullb1)');
  });

  function written(device: string): number {
    return guest.rows(device, 'write').reduce((sum, io) => sum + io.bytes, 0);
  }

  function expectSectorsOfKernel(device: string): void {
    const mapped = new RegExp(`^${device} (dm-\\d+)$`, 'm').exec(guest.text('mapped'))?.[1];
    const stats = guest.stats(mapped ?? device);
    const sectors = (op: string): number =>
      guest.rows(device, op).reduce((sum, io) => sum + io.bytes / 512, 0);
    expect([device, sectors('read'), sectors('write')]).toEqual([
      device,
      stats.readSectors,
      stats.writtenSectors,
    ]);
  }

  it.each([
    ['vault', 'an encrypted volume', ['nullb11']],
    ['striped', 'a striped volume', ['nullb12', 'nullb13']],
    ['md2', 'RAID 5', ['nullb10', 'nullb8', 'nullb9']],
  ])(
    'the trace has as many bytes of %s (%s) and of its disks as the kernel counted',
    (volume, _, disks) => {
      expect(guest.text('doctor')).toContain(`${volume} (over ${disks.join(' ')})`);
      for (const device of [volume, ...disks]) expectSectorsOfKernel(device);
      expect(written(volume)).toBe(20 * 65_536);
      const below = disks.reduce((sum, disk) => sum + written(disk), 0);
      expect(below).toBeGreaterThanOrEqual(20 * 65_536);
      expect(new Set(guest.rows(volume).map(({ comm, layer }) => `${comm} ${layer}`))).toEqual(
        new Set(['dd volumes']),
      );
    },
  );

  it('LVM, the mirror below it and both disks have the bytes that the kernel counted, shown as a tree', () => {
    expect(guest.text('made')).toContain('Logical volume "data" created');
    expect(guest.text('doctor')).toContain('vg0-data (over md0)');
    expect(guest.text('doctor')).toContain('md0 (over nullb4 nullb5)');
    for (const device of ['vg0-data', 'md0', 'nullb4', 'nullb5']) expectSectorsOfKernel(device);
    expect(written('vg0-data')).toBe(20 * 65_536);
    expect(written('md0')).toBe(20 * 65_536);
    // Each half has all of it, and the state of the mirror.
    expect(written('nullb4')).toBeGreaterThanOrEqual(20 * 65_536);
    expect(written('nullb5')).toBeGreaterThanOrEqual(20 * 65_536);
    const tree = guest.text('tree').replaceAll(/[^\w\n+-]+/g, ' ');
    expect(tree).toMatch(/ vg0-data .*\n.* \+md0 .*\n.* nullb[45] .*\n.* \+nullb[45] /);
  });

  it('a read that LVM held back waits on the logical volume, not on the mirror below or its disks', () => {
    const held = (device: string) =>
      guest.rows(device, 'read').filter(({ bytes }) => bytes === 8192);
    expect(held('vg0-data').map(({ comm, layer }) => [comm, layer])).toEqual([['dd', 'volumes']]);
    // Its program takes a while to start.
    expect(held('vg0-data')[0]!.total_ns!).toBeGreaterThan((HELD_MS / 2) * MS);
    const below = ['md0', 'nullb4', 'nullb5'].flatMap(held);
    expect(below).toHaveLength(2);
    for (const { total_ns } of below) expect(total_ns!).toBeLessThan((HELD_MS / 4) * MS);
  });

  it('I/O that hangs is in flight on the disk and each volume above it, or on a suspended volume alone', () => {
    const onDisk = guest.hung.filter(({ device }) => device === 'nullb6');
    expect(onDisk.map(({ layer, bytes }) => [layer, bytes])).toEqual([['disks', 4096]]);
    const ofVolumes = guest.hung.filter(({ layer }) => layer === 'volumes');
    expect(ofVolumes.map(({ device, comm, bytes }) => [device, comm, bytes])).toEqual([
      ['vg0-data', 'dd', 8192],
      ['over', 'dd', 4096],
      ...(passesOnBios(options.kernel) ? [] : [['md1', 'dd', 4096]]),
    ]);
    for (const { heldNs } of guest.hung) expect(heldNs).toBeGreaterThanOrEqual(1000 * MS);
  });

  // A kernel that is locked down for confidentiality lets no program read what names a file.
  const namesFiles = options.words === undefined;

  it('journal writes belong to the processes that filled the journal, where the kernel has types of jbd2', () => {
    const fillers = [...guest.text('fillers').matchAll(/^(many|few) (\d+)$/gm)];
    expect(fillers.map(([, name]) => name)).toEqual(['many', 'few']);
    const journal = guest.lines('journal').filter(({ pid }) => pid !== null);
    if (!namesFiles) {
      expect(journal).toEqual([]);
      return;
    }
    expect(journal.length).toBeGreaterThan(FILL_ROUNDS);
    const owners = new Set(journal.map(({ comm }) => comm));
    if (options.kernel.startsWith('5.10.')) {
      expect([...owners].every((comm) => comm!.startsWith('jbd2/'))).toBe(true);
      expect(guest.text('doctor')).toContain('who filled the journal of ext4');
      return;
    }
    const drawn = journal.filter(({ pid }) => fillers.some(([, , one]) => Number(one) === pid));
    expect(drawn.length).toBeGreaterThan(0.9 * journal.length);
    expect(drawn.every(({ via }) => via?.startsWith('jbd2/nullb0') === true)).toBe(true);
    expect(owners).toContain('many');
  });

  it('waits of a program are traced from Linux 5.15 on, and elsewhere refused with the reason', () => {
    const canTell = !options.kernel.startsWith('5.10.');
    if (!canTell) {
      expect(guest.text('waits-exit')).toBe('3');
      expect(guest.text('waits-told')).toContain('5.15');
      return;
    }
    if (!namesFiles) {
      expect(guest.text('waits-exit')).toBe('3');
      expect(guest.text('waits-told')).toMatch(/refused the programs.*; run `ioheat doctor`/s);
      return;
    }
    expect(`${guest.text('waits-exit')}: ${guest.text('waits-told')}`).toMatch(/^0: /);
    const waits = guest.lines('waits');
    // Who is held up before its sleep for as long as a read takes does not sleep at all.
    expect(waits.length).toBeGreaterThanOrEqual(22);
    expect(waits.length).toBeLessThanOrEqual(25);
    expect(new Set(waits.map(({ device }) => device))).toEqual(new Set(['nullb2']));
    const times = waits.map((io) => io.total_ns!).sort((a, b) => a - b);
    expect(times[11]).toBeGreaterThanOrEqual(0.75 * SATURATED_MS * MS);
  });

  it('reads have their file and offset, and data written back belong to the process that wrote them', () => {
    expect(`${guest.text('files-exit')}: ${guest.text('files-told')}`).toMatch(/^0: /);
    if (!namesFiles) {
      expect(guest.lines('files')).toEqual([]);
      expect(guest.text('doctor')).toContain('the file of an I/O');
      return;
    }
    const reads = guest.lines('files').filter(({ op }) => op === 'read');
    expect(reads.map((io) => [io.comm, io.file, io.file_offset, io.bytes])).toEqual(
      Array.from({ length: 25 }, (_, index) => ['dd', '/run/disk/written', index * 4096, 4096]),
    );
    const writes = guest.lines('files').filter(({ op }) => op === 'write');
    expect(writes.reduce((sum, { bytes }) => sum + bytes, 0)).toBe(16 * 65_536);
    expect(new Set(writes.map(({ comm }) => comm))).toEqual(new Set(['dd']));
    expect(writes.filter(({ via }) => !isFlusher(via))).toEqual([]);
  });

  it.each(['vg0-data', 'vault'])(
    'data written back to the volume %s belong to the process that wrote them',
    (volume) => {
      const writes = guest.lines('mapped-file').filter(({ device }) => device === volume);
      if (!namesFiles) {
        expect(writes).toEqual([]);
        return;
      }
      expect(writes.reduce((sum, { bytes }) => sum + bytes, 0)).toBe(16 * 65_536);
      expect(writes.map(({ comm, file }) => [comm, file])).toEqual(
        writes.map(() => ['dd', `/run/${volume}/mapped`]),
      );
      expect(writes.filter(({ via }) => !isFlusher(via))).toEqual([]);
    },
  );

  it('calls of a program are traced with file, offset and result from Linux 5.11 on', () => {
    const canTell = namesFiles && !options.kernel.startsWith('5.10.');
    expect(guest.text('files-calls')).toBe(canTell ? 'yes' : 'no');
    if (!canTell) return;
    const calls = guest.lines('calls');
    expect(calls.map((io) => [io.call, io.file, io.file_offset, io.result])).toEqual(
      Array.from({ length: 25 }, (_, index) => ['read', '/run/disk/written', index * 4096, 4096]),
    );
  });

  it('io_uring requests are traced as calls, a splice from a registered file from Linux 6.13 on', () => {
    if (!namesFiles || options.kernel.startsWith('5.10.')) return;
    const printed = guest.text('uring').split('\n');
    const isLeftOut = (line: string): boolean =>
      /^6\.1(2)?\./.test(options.kernel) && line === REGISTERED_SPLICE;
    expect(printed).toContain(REGISTERED_SPLICE);
    expect(
      guest
        .lines('uring-calls')
        .map((io) => `${io.call}=${io.result} ${io.file_offset ?? ''}`.trimEnd()),
    ).toEqual(printed.filter((line) => !isLeftOut(line)));
  });

  it('setting the clock changes neither latencies nor times in the trace', () => {
    const times = guest.trace.map((io) => io.trace_ns);
    // Nine years forth; the I/O itself is a matter of seconds.
    expect(Math.max(...times) - Math.min(...times)).toBeLessThan(120_000 * MS);
    expect(Math.max(...guest.trace.map((io) => io.device_ns ?? 0))).toBeLessThan(3000 * MS);
  });

  it('tracing goes on when a disk disappears, and ends with nothing lost', () => {
    expect(guest.text('record-exit')).toBe('0');
    expect(guest.text('told')).toMatch(/delivered \d+, aggregated 0, lost 0/);
  });

  it('the screen is drawn, and after exit no program is loaded and the kernel log is clean', () => {
    expect(guest.text('once-exit')).toBe('0');
    expect(guest.text('once')).toContain('TOTAL LATENCY');
    expect(guest.text('programs-left')).toBe('0');
    expect(guest.text('kernel-log')).toBe('');
  });
});
