import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { prepareKernels, runGuest, type GuestReport, type TracedIo } from './guest.ts';

const MS = 1e6;
const BLOCK = 8192;
/** What `nfs.sh` reads. */
const RUNS = [500, 1000, 2000];
const AT_RANDOM = 1500;
const FILE_BYTES = 24 << 20;
/** A thread that is held up before its sleep finds the answer there: 4,805 of 5,000 slept. */
const SLEPT = 0.9;

/** It is the same on all that have calls, and a guest takes minutes. */
const kernels = prepareKernels().filter((kernel) => /^6\.12\..*-amd64$/.test(kernel));

/** Of /proc/self/mountstats, of one mount. */
interface MountStats {
  /** Asked for by programs, without and with O_DIRECT, and of the server. */
  readonly cachedBytes: number;
  readonly directBytes: number;
  readonly serverBytes: number;
  readonly reads: number;
  /** Of all reads together, from when the client made them. */
  readonly readMs: number;
}

function parseStats(text: string): MountStats {
  const numbers = (name: string): number[] => {
    const line = text.split('\n').find((part) => part.trim().startsWith(`${name}:`));
    return (line?.replace(/^.*?:/, '').trim().split(/\s+/) ?? []).map(Number);
  };
  const bytes = numbers('bytes');
  // NFS 4.2 has a second kind of read.
  const kinds = [numbers('READ'), numbers('READ_PLUS')];
  const sumOf = (at: number): number => kinds.reduce((sum, kind) => sum + (kind[at] ?? 0), 0);
  return {
    ...{ cachedBytes: bytes[0]!, directBytes: bytes[2]!, serverBytes: bytes[4]! },
    ...{ reads: sumOf(0), readMs: sumOf(7) },
  };
}

function bytesOf(calls: readonly TracedIo[]): number {
  return calls.reduce((sum, { result }) => sum + Math.max(0, result ?? 0), 0);
}

function msOf(ios: readonly TracedIo[]): number {
  return ios.reduce((sum, io) => sum + io.total_ns!, 0) / MS;
}

describe.each(kernels)('an NFS mount on Linux %s', (kernel) => {
  let guest: GuestReport;
  let direct: TracedIo[];
  let cached: TracedIo[];

  beforeAll(async () => {
    guest = await runGuest({ kernel, script: 'nfs.sh' });
    const calls = guest.lines('calls').filter(({ result }) => result! > 0);
    direct = calls.filter(({ comm }) => comm !== 'sum');
    cached = calls.filter(({ comm }) => comm === 'sum');
    drawPictures(guest);
  });

  it('direct reads over NFS are as many, with as many bytes, as the client asked the server for', () => {
    const { directBytes, reads, serverBytes } = parseStats(guest.text('mountstats-direct'));
    expect(direct).toHaveLength(reads);
    expect(reads).toBe(RUNS.reduce((sum, blocks) => sum + blocks, AT_RANDOM));
    expect(bytesOf(direct)).toBe(directBytes);
    expect(directBytes).toBe(serverBytes);
  });

  it('reads over NFS that the page cache of the client answers are traced as well', () => {
    const stats = parseStats(guest.text('mountstats'));
    expect(bytesOf(cached)).toBe(stats.cachedBytes);
    expect(stats.cachedBytes).toBe(2 * FILE_BYTES);
    expect(stats.serverBytes - stats.directBytes).toBe(FILE_BYTES);
  });

  it('direct reads over NFS take about as long as the client measured', () => {
    const { readMs } = parseStats(guest.text('mountstats-direct'));
    expect(msOf(direct)).toBeGreaterThanOrEqual(readMs);
    expect(msOf(direct)).toBeLessThan(1.5 * readMs);
  });

  it('reads over NFS have the path that the program sees, and offsets that restart with each reader', () => {
    expect(new Set(direct.map(({ file }) => file))).toEqual(new Set(['/run/nfs/large']));
    const inOrder = direct.filter(({ comm }) => comm === 'dd').map((io) => io.file_offset);
    expect(inOrder).toEqual(
      RUNS.flatMap((blocks) => Array.from({ length: blocks }, (_, index) => index * BLOCK)),
    );
    const places = new Set(direct.filter(({ comm }) => comm === 'fio').map((io) => io.file_offset));
    expect(places.size).toBeGreaterThan(AT_RANDOM / 2);
  });

  it('nearly every direct read over NFS has a wait, a little shorter than the call', () => {
    const waits = guest.lines('waits').filter(({ comm, file }) => {
      return comm !== 'sum' && file === '/run/nfs/large';
    });
    expect(waits.length).toBeGreaterThan(SLEPT * direct.length);
    expect(waits.length).toBeLessThanOrEqual(direct.length);
    expect(msOf(waits)).toBeLessThan(msOf(direct));
  });
});

/** With NFS_PICTURES=FOLDER, what docs/cases.md shows. */
function drawPictures(guest: GuestReport): void {
  const folder = process.env['NFS_PICTURES'];
  if (folder === undefined) return;
  for (const metric of ['file-offset', 'size', 'total']) {
    const options = ['--layer', 'calls', '--filter', 'file~large call=read,pread64 ret>0'];
    const output = ['--metric', metric, '--force', '--output', join(folder, `nfs-${metric}.png`)];
    execFileSync('bin/ioheat', ['export', '-', ...options, ...output], { input: guest.recording });
  }
}
