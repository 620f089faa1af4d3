import { beforeAll, describe, expect, it } from 'vitest';
import { prepareKernels, runGuest, type GuestReport } from './guest.ts';

/** What `nvme-paths.sh` reads and writes. */
const BLOCK = 65536;
const BLOCKS = 20;

const kernels = prepareKernels().filter((kernel) => /^(6\.1|6\.12)\..*-amd64$/.test(kernel));
const machines = kernels.flatMap((kernel) => [
  [kernel, 'one path', { kernel, nvmePaths: 1 }] as const,
  [kernel, 'two paths', { kernel, nvmePaths: 2 }] as const,
]);

describe.each(machines)('an NVMe disk on Linux %s with %s', (_kernel, _paths, options) => {
  let guest: GuestReport;
  let disk: string;
  let paths: readonly string[];

  beforeAll(async () => {
    guest = await runGuest({ ...options, script: 'nvme-paths.sh' });
    disk = guest.text('disk');
    paths = guest.text('paths').split(/\s+/);
  });

  it('the disk is called as people know it, or, where it has several paths, by these', () => {
    const names = options.nvmePaths === 1 ? [disk] : paths;
    expect(paths).toHaveLength(options.nvmePaths);
    expect(names).toEqual(expect.arrayContaining(guest.trace.map(({ device }) => device)));
  });

  it('each read of the disk is in the trace, as often as the kernel counts it on the paths, and each write of the program', () => {
    const reads = paths.reduce((sum, path) => sum + guest.stats(path).reads, 0);
    const ofBlocks = (op: string) =>
      guest.trace.filter((io) => io.op === op && io.comm === 'dd' && io.bytes === BLOCK);
    expect(guest.trace.filter(({ op }) => op === 'read')).toHaveLength(reads);
    expect(ofBlocks('read')).toHaveLength(BLOCKS);
    expect(ofBlocks('write')).toHaveLength(BLOCKS);
  });

  it('the I/O of the disk is in one layer, and none of it seems to hang', () => {
    expect(guest.text('layers')).toContain('"other_layers": []');
    expect(guest.trace.every(({ layer }) => layer === 'disks')).toBe(true);
    expect(guest.hung).toEqual([]);
    expect(guest.text('record-exit')).toBe('0');
    expect(guest.text('told')).toContain('lost 0');
  });

  it('a filter on the disk has all its reads, with the file', () => {
    const reads = guest.lines('filtered');
    expect(reads.map(({ bytes }) => bytes)).toEqual(Array.from({ length: BLOCKS }, () => BLOCK));
    expect(new Set(reads.map(({ file }) => file))).toEqual(new Set(['/run/srv/file']));
  });

  it('a filter on the disk has all calls that read from it', () => {
    const calls = guest.lines('calls').filter(({ result }) => result === BLOCK);
    expect(calls).toHaveLength(BLOCKS);
    expect(new Set(calls.map(({ device }) => device))).toEqual(new Set([disk]));
  });
});
