import { mkdirSync, mkdtempSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { placeOf } from '../../src/kernel/machine/block-devices.ts';
import { DiskTable } from '../../src/kernel/machine/disk-table.ts';
import { findDisk } from '../../src/kernel/machine/disks.ts';
import { fileSystemFact } from '../../src/kernel/machine/file-system-fact.ts';
import { readMounts } from '../../src/kernel/machine/mounts.ts';
import { readDiskCard } from '../../src/kernel/machine/disk-card.ts';
import type { CardFacts } from '../../src/model/card.ts';
import { packDevice } from '../../src/model/device.ts';
import { LoopDevice } from '../load/loop-device.ts';
import { writeFiles } from './fixtures/write-files.ts';
import { needs } from '../needs.ts';

let root: string;
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'ioheat-sys-'));
});
afterEach(() => {
  rmSync(root, { recursive: true });
});

function link(target: string, path: string): void {
  mkdirSync(dirname(join(root, path)), { recursive: true });
  symlinkSync(target, join(root, path));
}

/** A disk with two partitions, on the second of which is a volume. */
function writeTree(): void {
  writeFiles(root, {
    'block/sda/dev': '8:0',
    'block/sda/size': '4194304',
    'block/sda/device/model': 'SPINNER 9000',
    'block/sda/queue/rotational': '1',
    'block/sda/queue/scheduler': '[mq-deadline] none',
    'block/sda/queue/nr_requests': '64',
    'block/sda/queue/max_sectors_kb': '1280',
    'block/sda/mq/0/cpu_list': '0',
    'block/sda/mq/1/cpu_list': '1',
    'block/sda/sda10/dev': '8:10',
    'block/sda/sda10/partition': '10',
    'block/sda/sda10/size': '1024',
    'block/sda/sda2/dev': '8:2',
    'block/sda/sda2/partition': '2',
    'block/sda/sda2/size': '2048',
    'block/dm-0/dev': '253:0',
    'block/dm-0/size': '2048',
    'block/dm-0/dm/name': 'vg0-home',
    'block/dm-0/dm/uuid': 'LVM-abc',
    'block/dm-0/slaves/sda2/dev': '8:2',
    mountinfo: [
      '22 1 8:10 / / rw - ext4 /dev/root rw',
      '23 22 253:0 / /home\\040two rw - xfs /dev/mapper/vg0-home rw',
      '24 22 0:31 / /data rw - btrfs /dev/sda10 rw',
      '25 22 9:9 / /elsewhere rw - ext4 /dev/sdb1 rw',
    ].join('\n'),
    swaps: 'Filename Type Size\n/dev/sda2 partition 1024',
  });
  link('../../../dm-0', 'block/sda/sda2/holders/dm-0');
  link('../block/sda', 'dev/8:0');
  link('../block/dm-0', 'dev/253:0');
}

function cardOf(dev: number): CardFacts {
  return readDiskCard(dev, {
    sysDev: join(root, 'dev'),
    mountinfo: join(root, 'mountinfo'),
    swaps: join(root, 'swaps'),
  });
}

describe('the file system of a file', () => {
  test('the file system of a file has its mount point, device and kind, or says that it is not mounted', () => {
    writeTree();
    const files = { sysDev: join(root, 'dev'), mountinfo: join(root, 'mountinfo') };
    const factOf = (major: number, minor: number) =>
      fileSystemFact(packDevice(major, minor), files);
    expect(factOf(253, 0)).toEqual({ known: '/home two (vg0-home, xfs)' });
    expect(factOf(0, 31)).toEqual({ known: '/data (sda10, btrfs)' });
    expect(factOf(8, 0)).toEqual({ known: 'sda, not mounted here' });
    expect(factOf(0, 99)).toEqual({ lacks: 'number 0:99, not mounted here' });
  });
});

describe('the mount points of a disk', () => {
  test('the mount points of a disk are those of its partitions and of the volumes on them, however many lie on one another', () => {
    writeTree();
    link('../../dm-1', 'block/dm-0/holders/dm-1');
    writeFiles(root, { 'block/dm-1/dev': '253:1', 'block/dm-1/dm/name': 'crypt' });
    const mounts = [
      ...readMounts(join(root, 'mountinfo'))!,
      {
        dev: packDevice(253, 1),
        root: '/',
        point: '/secret',
        kind: 'ext4',
        source: '/dev/mapper/crypt',
      },
    ];
    const pointsOf = (dev: number): readonly string[] =>
      placeOf(dev, mounts, join(root, 'dev')).mounts;
    expect(pointsOf(packDevice(8, 0))).toEqual(['/', '/home two', '/data', '/secret']);
    expect(pointsOf(packDevice(253, 0))).toEqual(['/home two', '/secret']);
    expect(pointsOf(packDevice(8, 16))).toEqual([]);
  });
});

describe('volumes and the disks below', () => {
  /** LUKS over a RAID of a partition of one disk and all of another one. */
  function writeStack(): void {
    writeFiles(root, {
      'block/sda/dev': '8:0',
      'block/sda/sda2/dev': '8:2',
      'block/sda/sda2/partition': '2',
      'block/sdb/dev': '8:16',
      'block/md0/dev': '9:0',
      'block/dm-0/dev': '253:0',
      'block/dm-0/dm/name': 'cryptroot',
    });
    link('../../../md0', 'block/sda/sda2/holders/md0');
    link('../../md0', 'block/sdb/holders/md0');
    link('../../dm-0', 'block/md0/holders/dm-0');
    link('../../sda/sda2', 'block/md0/slaves/sda2');
    link('../../sdb', 'block/md0/slaves/sdb');
    link('../../md0', 'block/dm-0/slaves/md0');
    for (const [name, number] of [
      ['sda', '8:0'],
      ['sdb', '8:16'],
      ['md0', '9:0'],
      ['dm-0', '253:0'],
    ])
      link(`../block/${name}`, `dev/${number}`);
  }

  test('volumes and the disks below are known by their names, in both directions', () => {
    writeStack();
    const stackOf = (major: number, minor: number) => {
      const { volumes, liesOn } = placeOf(packDevice(major, minor), [], join(root, 'dev'));
      return { volumes, liesOn };
    };
    expect(stackOf(8, 0)).toEqual({ volumes: ['md0', 'cryptroot'], liesOn: [] });
    expect(stackOf(8, 16)).toEqual({ volumes: ['md0', 'cryptroot'], liesOn: [] });
    expect(stackOf(9, 0)).toEqual({ volumes: ['cryptroot'], liesOn: ['sda', 'sdb'] });
    expect(stackOf(253, 0)).toEqual({ volumes: [], liesOn: ['md0'] });
  });

  test('the disk or volume below a loop device is known by its file', () => {
    writeStack();
    writeFiles(root, {
      'block/loop0/dev': '7:0',
      'block/loop0/loop/backing_file': '/srv/images/vm1.raw',
      mountinfo: [
        '1 0 8:16 / / rw - ext4 /dev/sdb rw',
        '2 1 253:0 / /srv rw - ext4 /dev/mapper/cryptroot rw',
        '3 2 0:31 / /srv/images/net rw - nfs4 nas:/images rw',
        '4 1 8:0 / /données/là rw - ext4 /dev/sda rw',
      ].join('\n'),
    });
    link('../block/loop0', 'dev/7:0');
    const mounts = readMounts(join(root, 'mountinfo'))!;
    const below = (file: string): readonly string[] => {
      writeFiles(root, { 'block/loop0/loop/backing_file': file });
      return placeOf(packDevice(7, 0), mounts, join(root, 'dev')).liesOn;
    };
    expect(below('/srv/images/vm1.raw')).toEqual(['cryptroot']);
    expect(below('/srv-old/vm1.raw')).toEqual(['sdb']);
    expect(below('/srv/images/net/vm1.raw')).toEqual([]);
    expect(below('/données/là/Señal')).toEqual(['sda']);
  });

  test('the file of a loop device and the name of a volume are read as UTF-8', () => {
    writeStack();
    writeFiles(root, {
      'block/loop0/dev': '7:0',
      'block/loop0/loop/backing_file': '/srv/bücher/voilà',
      'block/dm-0/dm/name': 'größe',
      mountinfo: '',
      swaps: '',
    });
    link('../block/loop0', 'dev/7:0');
    expect(cardOf(packDevice(7, 0))['volume']).toEqual({ known: 'file /srv/bücher/voilà' });
    expect(findDisk(packDevice(253, 0), join(root, 'dev'))?.name).toBe('größe');
  });

  test('volumes and the disks below are in the table of disks', () => {
    writeStack();
    writeFiles(root, { mountinfo: '' });
    const table = new DiskTable(...['block', 'mountinfo', 'dev'].map((name) => join(root, name)));
    expect(table.find(packDevice(253, 0))).toMatchObject({
      ...{ name: 'cryptroot', kernelName: 'dm-0', liesOn: ['md0'] },
    });
    expect(table.find(packDevice(8, 0))).toMatchObject({ volumes: ['md0', 'cryptroot'] });
  });
});

describe('the card of a disk', () => {
  test('a disk shows what is mounted from it, also through partitions and volumes', () => {
    writeTree();
    expect(cardOf(packDevice(8, 0))).toEqual({
      'mounted at': {
        known: 'swap (sda2), / (sda10, ext4), /data (sda10, btrfs), /home two (vg0-home, xfs)',
      },
      partitions: { known: 'sda2 1M, sda10 512K' },
      volume: { known: 'below vg0-home' },
      model: { known: 'SPINNER 9000' },
      size: { known: '2G' },
      scheduler: { known: 'mq-deadline' },
      limits: { known: 'nr_requests 64, 128 in all queues; max_sectors_kb 1280' },
      rotational: { known: 'yes' },
    });
  });

  test('a volume shows its name, its maker and what it is made of', () => {
    writeTree();
    const card = cardOf(packDevice(253, 0));
    expect(card['volume']).toEqual({ known: 'vg0-home, LVM on sda2' });
    expect(card['limits']).toEqual({ lacks: 'unknown' });
  });

  test('mounts on the card of a disk that cannot be read are not taken for none', () => {
    writeTree();
    rmSync(join(root, 'mountinfo'));
    expect(cardOf(packDevice(8, 0))['mounted at']).toEqual({ lacks: 'not readable' });
  });

  test('a disk that is gone says so', () => {
    writeTree();
    expect(cardOf(packDevice(8, 16))).toEqual({
      disk: { lacks: 'not there any more, or not readable' },
    });
  });
});

describe('the card of a disk of this machine', needs('root'), () => {
  test('a loop device shows the file that it is made of', () => {
    const loop = LoopDevice.create({ bytes: 1 << 20 });
    try {
      const card = readDiskCard(loop.dev);
      expect(card['volume']).toMatchObject({ known: expect.stringMatching(/^file \//) as string });
      expect(card['size']).toEqual({ known: '1M' });
      expect(card['mounted at']).toEqual({ lacks: 'none' });
    } finally {
      loop.dispose();
    }
  });
});
