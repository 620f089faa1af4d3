import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { DiskTable } from '../../src/kernel/machine/disk-table.ts';
import { findDisk, listDisks } from '../../src/kernel/machine/disks.ts';
import { packDevice } from '../../src/model/device.ts';
import { writeFiles } from './fixtures/write-files.ts';

describe('disks in /sys', () => {
  let root: string;
  beforeEach(() => {
    root = mkdtempSync(join(tmpdir(), 'ioheat-sys-'));
    mkdirSync(join(root, 'block'));
    mkdirSync(join(root, 'dev'));
  });
  afterEach(() => {
    rmSync(root, { recursive: true });
  });

  const write = (files: Record<string, string>) => {
    writeFiles(root, files);
  };
  const list = () => listDisks(join(root, 'block'));

  it('disks are listed from /sys with size, kind, scheduler and model', () => {
    write({
      'block/sda/dev': '8:0',
      'block/sda/size': '2048',
      'block/sda/queue/rotational': '1',
      'block/sda/queue/scheduler': 'none [mq-deadline] kyber',
      'block/sda/queue/nr_requests': '64',
      'block/sda/device/model': 'SPINNER 9000',
      'block/sda/mq/0/cpu_list': '0',
      'block/sda/mq/1/cpu_list': '1',
    });
    expect(list()).toEqual([
      {
        dev: packDevice(8, 0),
        name: 'sda',
        sizeBytes: 1024 * 1024,
        rotational: true,
        scheduler: 'mq-deadline',
        model: 'SPINNER 9000',
        requestBased: true,
        requestLimit: 128,
      },
    ]);
  });

  it('disks without requests are marked, and unknown facts are absent', () => {
    write({ 'block/dm-0/dev': '253:0', 'block/dm-0/queue/scheduler': 'none' });
    expect(list()).toEqual([
      {
        dev: packDevice(253, 0),
        name: 'dm-0',
        scheduler: 'none',
        requestBased: false,
        requestLimit: 0,
      },
    ]);
  });

  it('hidden paths whose number no list has are not listed as disks', () => {
    write({ 'block/nvme999c0n1/size': '1' });
    expect(list()).toEqual([]);
  });

  it('names of disks have slashes where /sys has exclamation marks', () => {
    write({ 'block/cciss!c0d0/dev': '104:0' });
    expect(list().map(({ name }) => name)).toEqual(['cciss/c0d0']);
  });

  it('disks are found by number, and only those that exist', () => {
    write({ 'block/sdb/dev': '8:16' });
    symlinkSync('../block/sdb', join(root, 'dev/8:16'));
    expect(findDisk(packDevice(8, 16), join(root, 'dev'))).toMatchObject({ name: 'sdb' });
    expect(findDisk(packDevice(8, 32), join(root, 'dev'))).toBeUndefined();
  });

  describe('looked at again and again', () => {
    let table: DiskTable;
    beforeEach(() => {
      for (const [index, name] of ['sda', 'sdb', 'sdc'].entries())
        write({
          [`block/${name}/dev`]: `8:${index * 16}`,
          [`block/${name}/size`]: '2048',
          [`block/${name}/queue/scheduler`]: '[none] bfq',
        });
      table = new DiskTable(join(root, 'block'));
    });

    it('a changed size of a disk is known at the next look', () => {
      write({ 'block/sdc/size': '4096' });
      expect(table.refresh().map(({ sizeBytes }) => sizeBytes)).toEqual([
        1 << 20,
        1 << 20,
        2 << 20,
      ]);
    });

    it('a reused disk number is another disk at the next look', () => {
      write({ 'block/sdc/dev': '8:48', 'block/sdc/queue/scheduler': '[bfq]' });
      expect(table.refresh()[2]).toMatchObject({ dev: packDevice(8, 48), scheduler: 'bfq' });
    });

    it('a changed scheduler of a disk is known within eight looks', () => {
      for (const name of ['sda', 'sdb', 'sdc'])
        write({ [`block/${name}/queue/scheduler`]: 'none [bfq]' });
      for (let look = 0; look < 8; look++) table.refresh();
      expect(table.all().map(({ scheduler }) => scheduler)).toEqual(['bfq', 'bfq', 'bfq']);
    });

    it('known disks are compared by the one file that has all sizes, where there is one', () => {
      const partitions = join(root, 'partitions');
      const listed = (...lines: string[]): void => {
        writeFileSync(partitions, ['major minor  #blocks  name', '', ...lines, ''].join('\n'));
      };
      listed('   8        0       1024 sda');
      write({ 'block/sda/dev': '8:0', 'block/sda/size': '2048' });
      const paths = [join(root, 'block'), join(root, 'mountinfo'), join(root, 'dev'), partitions];
      const disks = new DiskTable(...paths);
      const sizes = () => {
        const sda = disks.refresh().filter(({ name }) => name === 'sda');
        return sda.map(({ dev, sizeBytes }) => [dev, sizeBytes]);
      };
      // Not in its turn, so that nothing but the file is looked at.
      disks.refresh();
      write({ 'block/sda/size': '4096' });
      expect(sizes()).toEqual([[packDevice(8, 0), 1 << 20]]);
      listed('   8        0       2048 sda');
      expect(sizes()).toEqual([[packDevice(8, 0), 2 << 20]]);
      write({ 'block/sda/dev': '8:16' });
      listed('   8       16       2048 sda');
      expect(sizes()).toEqual([[packDevice(8, 16), 2 << 20]]);
      listed();
      write({ 'block/sda/size': '0' });
      expect(sizes()).toEqual([[packDevice(8, 16), 0]]);
    });

    it('a disk without a size is not looked at while that file leaves it out, and known when it has one', () => {
      const partitions = join(root, 'partitions');
      const listed = (line: string): void => {
        writeFileSync(partitions, `major minor  #blocks  name\n\n${line}\n`);
      };
      listed('');
      write({ 'block/sda/dev': '8:0', 'block/sda/size': '0' });
      const paths = [join(root, 'block'), join(root, 'mountinfo'), join(root, 'dev'), partitions];
      const disks = new DiskTable(...paths);
      const sizeOf = () => disks.refresh().find(({ name }) => name === 'sda')?.sizeBytes;
      // Not in its turn.
      disks.refresh();
      write({ 'block/sda/size': '4096' });
      expect(sizeOf()).toBe(0);
      listed('   8        0       2048 sda');
      expect(sizeOf()).toBe(2 << 20);
    });

    describe('and mounted', () => {
      const LOOKS_PER_READING = 8;
      const LOOKS_PER_LOOKUP = 64;
      const mountedAt = (...points: string[]) => {
        const lines = points.map((point) => `36 35 8:0 / ${point} rw - ext4 /dev/sda rw`);
        write({ mountinfo: lines.join('\n') });
      };
      const mounts = () => table.find(packDevice(8, 0))?.mounts;
      const look = (times: number) => {
        for (let count = 0; count < times; count++) table.refresh();
      };

      beforeEach(() => {
        symlinkSync('../block/sda', join(root, 'dev/8:0'));
        mountedAt('/data');
        const paths = ['block', 'mountinfo', 'dev'].map((name) => join(root, name));
        table = new DiskTable(...paths);
      });

      it('a new mount is known within eight looks', () => {
        expect(mounts()).toEqual(['/data']);
        mountedAt('/data', '/more');
        look(LOOKS_PER_READING);
        expect(mounts()).toEqual(['/data', '/more']);
      });

      it('where the same mounts of disks lie is looked up again once in 64 looks', () => {
        rmSync(join(root, 'dev/8:0'));
        look(LOOKS_PER_LOOKUP - 1);
        expect(mounts()).toEqual(['/data']);
        look(1);
        expect(mounts()).toEqual([]);
      });
    });

    it('a disk without its medium keeps its size, by which its offsets are shown', () => {
      write({ 'block/sda/size': '0' });
      table.refresh();
      expect(table.find(packDevice(8, 0))?.sizeBytes).toBe(2048 * 512);
      write({ 'block/sda/size': '8192' });
      table.refresh();
      expect(table.find(packDevice(8, 0))?.sizeBytes).toBe(8192 * 512);
    });

    it('a disk that was removed is not listed, but keeps its name', () => {
      rmSync(join(root, 'block/sda'), { recursive: true });
      expect(table.refresh().map(({ name }) => name)).toEqual(['sdb', 'sdc']);
      expect(table.find(packDevice(8, 0))?.name).toBe('sda');
    });
  });
});
