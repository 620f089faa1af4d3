import { mkdirSync, mkdtempSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { placeOf } from '../../src/kernel/machine/block-devices.ts';
import { findDisk, listDisks } from '../../src/kernel/machine/disks.ts';
import { diskOfPath } from '../../src/kernel/machine/nvme-paths.ts';
import { packDevice } from '../../src/model/device.ts';
import { writeFiles } from './fixtures/write-files.ts';

/** The numbers as Linux 6.12 gave them: 0 to the hidden path, 1 to the disk. */
const [PATH, OTHER_PATH] = [packDevice(259, 0), packDevice(259, 3)];

describe('NVMe disks with several controllers', () => {
  let root: string;
  const sysDev = () => join(root, 'dev/block');
  const diskstats = () => join(root, 'diskstats');

  beforeEach(() => {
    root = mkdtempSync(join(tmpdir(), 'ioheat-nvme-'));
    mkdirSync(sysDev(), { recursive: true });
    write({
      'block/nvme0n1/dev': '259:1',
      'block/nvme0n1/nvme0n1p1/partition': '1',
      'block/nvme0n1/nvme0n1p1/dev': '259:2',
      'block/nvme0c0n1/size': '2048',
      'block/nvme0c0n1/queue/nr_requests': '64',
      'block/nvme0c0n1/mq/0/cpu_list': '0',
      diskstats: [
        ' 259 0 nvme0c0n1 3 0 24 15 0 0 0 0 0 16 15',
        ' 259 1 nvme0n1 3 0 24 12 0 0 0 0 0 12 12',
      ].join('\n'),
    });
    symlinkSync('../../block/nvme0n1', join(sysDev(), '259:1'));
  });
  afterEach(() => {
    rmSync(root, { recursive: true });
  });

  const write = (files: Record<string, string>) => {
    writeFiles(root, files);
  };

  function addPath(): void {
    write({
      'block/nvme0c1n1/size': '2048',
      'block/nvme0c1n1/mq/0/cpu_list': '0',
      diskstats: [
        ' 259 0 nvme0c0n1 3 0 24 15 0 0 0 0 0 16 15',
        ' 259 1 nvme0n1 3 0 24 12 0 0 0 0 0 12 12',
        ' 259 3 nvme0c1n1 3 0 24 12 0 0 0 0 0 12 12',
      ].join('\n'),
    });
  }

  const list = () => listDisks(join(root, 'block'), undefined, undefined, diskstats());

  it('a disk with one path is listed once, by the name that people know, the number of the path, which its requests have, and its own', () => {
    expect(list()).toEqual([
      {
        ...{ dev: PATH, name: 'nvme0n1', kernelName: 'nvme0c0n1', sizeBytes: 1 << 20 },
        ...{ callsDev: packDevice(259, 1), requestBased: true, requestLimit: 64 },
      },
    ]);
  });

  it('a path is not read again while its number, name and size stay', () => {
    const [before] = list();
    const again = () => listDisks(join(root, 'block'), () => before, undefined, diskstats());
    expect(again()[0]).toBe(before);
    write({ 'block/nvme0c0n1/size': '4096' });
    expect(again()[0]).toMatchObject({ name: 'nvme0n1', sizeBytes: 2 << 20 });
  });

  it('several paths of a disk are listed by their own names', () => {
    addPath();
    expect(list().map(({ dev, name }) => [dev, name])).toEqual([
      [PATH, 'nvme0c0n1'],
      [OTHER_PATH, 'nvme0c1n1'],
    ]);
  });

  it('a path is found by its number, with the name that it is listed by', () => {
    expect(findDisk(PATH, sysDev(), diskstats())).toEqual(list()[0]);
    addPath();
    expect(findDisk(OTHER_PATH, sysDev(), diskstats())).toEqual(list()[1]);
    expect(findDisk(packDevice(259, 9), sysDev(), diskstats())).toBeUndefined();
  });

  it('what is mounted from the partitions of a disk is on its path, and several paths are below the disk', () => {
    const partition = { dev: packDevice(259, 2), point: '/srv', root: '/', kind: 'ext4' };
    const mounts = [{ ...partition, source: '/dev/nvme0n1p1' }];
    const place = () => placeOf(PATH, mounts, sysDev(), diskstats());
    expect(place()).toMatchObject({ mounts: ['/srv'], volumes: [] });
    addPath();
    expect(place()).toMatchObject({ mounts: ['/srv'], volumes: ['nvme0n1'] });
  });

  it('only names of paths name a disk above them', () => {
    expect(['nvme0c0n1', 'nvme10c2n3', 'nvme0n1', 'nvme0n1p1', 'sda'].map(diskOfPath)).toEqual([
      ...['nvme0n1', 'nvme10n3'],
      ...[undefined, undefined, undefined],
    ]);
  });
});
