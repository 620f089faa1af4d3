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

it('there is a kernel of each series', () => {
  expect(kernels.map((kernel) => /^(7|\d+\.\d+)/.exec(kernel)?.[0])).toEqual([
    '5.10',
    '6.1',
    '6.12',
    '6.18',
    '7',
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

  it('is one that doctor finds fit', () => {
    expect(guest.text('doctor-exit')).toBe('0');
    const report = JSON.parse(guest.text('doctor')) as { checks: { id: string; status: string }[] };
    expect(report.checks.filter(({ status }) => status === 'fail')).toEqual([]);
  });

  it.each(['nullb0', 'nullb1', 'nullb2', 'nullb3', 'sda', 'nvme0n1'])(
    'counts the I/Os and bytes of %s as the kernel does, with nothing lost',
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
    ['sda', 'read', 1],
  ])('sees that %s lets each %s wait for %i ms', (disk, op, ms) => {
    const times = guest.rows(disk, op).map((io) => io.device_ns!);
    expect(Math.min(...times)).toBeGreaterThanOrEqual(ms * MS);
    expect(Math.min(...times)).toBeLessThan(LATE * ms * MS);
  });

  it.each(['nullb2', 'nullb3'])(
    'lets the I/O of %s, which has four requests for sixteen callers, wait since it was queued',
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

  it('misses no moment of queuing, but for programs that the kernel skipped', () => {
    const [, missed = ''] = /first seen after their wait for a free request (\d+)/.exec(
      guest.text('told'),
    )!;
    const passedOn = passesOnBios(options.kernel) ? 1 : 0;
    expect(Number(missed)).toBeGreaterThanOrEqual(passedOn);
    expect(Number(missed) - passedOn).toBeLessThanOrEqual(mostSkipped(options.kernel));
  });

  it('tells the one read that fails, and where', () => {
    const failed = guest.trace.filter(({ error }) => error !== 0);
    expect(failed.map(({ device, op, sector }) => ({ device, op, sector }))).toEqual([
      { device: 'nullb1', op: 'read', sector: 2048 },
    ]);
  });

  it('gives each I/O to who submitted it; flushes as far as this kernel tells, which doctor says', () => {
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

  it('sees the delay of a volume of the device mapper there, and none of it on the disk below', () => {
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
    'counts the bytes of %s, %s, as the kernel does, and those of its disks',
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

  it('counts the bytes of LVM on a mirror as the kernel does, on each of them, and shows them as a tree', () => {
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

  it('sees a read that LVM held back wait there, and neither in the mirror below nor on its disks', () => {
    const held = (device: string) =>
      guest.rows(device, 'read').filter(({ bytes }) => bytes === 8192);
    expect(held('vg0-data').map(({ comm, layer }) => [comm, layer])).toEqual([['dd', 'volumes']]);
    // Its program takes a while to start.
    expect(held('vg0-data')[0]!.total_ns!).toBeGreaterThan((HELD_MS / 2) * MS);
    const below = ['md0', 'nullb4', 'nullb5'].flatMap(held);
    expect(below).toHaveLength(2);
    for (const { total_ns } of below) expect(total_ns!).toBeLessThan((HELD_MS / 4) * MS);
  });

  it('has what hangs in the volumes above a disk, and what a suspended volume holds alone', () => {
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

  it('gives the journal to those who filled it, where the kernel describes the types of its module', () => {
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

  it('shows what a program waits for, from Linux 5.15 on, and says so where it cannot', () => {
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
    // Who is held up before its sleep may not sleep at all.
    expect(waits.length).toBeGreaterThanOrEqual(22);
    expect(waits.length).toBeLessThanOrEqual(25);
    expect(new Set(waits.map(({ device }) => device))).toEqual(new Set(['nullb0']));
    const times = waits.map((io) => io.total_ns!).sort((a, b) => a - b);
    expect(times[11]).toBeGreaterThanOrEqual(1.5 * MS);
  });

  it('names the file of each I/O, and who wrote what is written back', () => {
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
    'says on the volume %s who wrote what is written back',
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

  it('shows the calls of a program, from Linux 5.11 on', () => {
    const canTell = namesFiles && !options.kernel.startsWith('5.10.');
    expect(guest.text('files-calls')).toBe(canTell ? 'yes' : 'no');
    if (!canTell) return;
    const calls = guest.lines('calls');
    expect(calls.map((io) => [io.call, io.file, io.file_offset, io.result])).toEqual(
      Array.from({ length: 25 }, (_, index) => ['read', '/run/disk/written', index * 4096, 4096]),
    );
  });

  it('shows what a program does through io_uring, a splice from a registered file from Linux 6.13 on', () => {
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

  it('keeps its latencies when somebody sets the clock', () => {
    const times = guest.trace.map((io) => io.trace_ns);
    // Nine years forth; the I/O itself is a matter of seconds.
    expect(Math.max(...times) - Math.min(...times)).toBeLessThan(120_000 * MS);
    expect(Math.max(...guest.trace.map((io) => io.device_ns ?? 0))).toBeLessThan(3000 * MS);
  });

  it('traces on when a disk goes away, and ends in order', () => {
    expect(guest.text('record-exit')).toBe('0');
    expect(guest.text('told')).toMatch(/delivered \d+, aggregated 0, lost 0/);
  });

  it('shows its screen, and leaves no program and no complaint in the kernel', () => {
    expect(guest.text('once-exit')).toBe('0');
    expect(guest.text('once')).toContain('TOTAL LATENCY');
    expect(guest.text('programs-left')).toBe('0');
    expect(guest.text('kernel-log')).toBe('');
  });
});
