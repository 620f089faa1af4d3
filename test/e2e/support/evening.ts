import { Op, RequestFlag } from '../../../src/model/operation.ts';
import { packDevice } from '../../../src/model/device.ts';
import { createColumns } from '../../../src/model/completion-columns.ts';
import { IdentityTable } from '../../../src/model/identity-table.ts';
import { END_OF_STREAM } from '../../../src/trace/recording/arrow/arrow-message.ts';
import { RecordingEncoder } from '../../../src/trace/recording/format/recording-encoder.ts';
import { Stage } from '../../../src/trace/synthetic/stage.ts';
import type { Actor } from '../../../src/trace/synthetic/stage.ts';
import { SeededRandom } from '../../random.ts';
import { bytesOf, HEADER } from '../../trace/recording/fixtures/record.ts';

const SECOND_NS = 1e9;
const MS = 1e6;
const SECONDS = 360;
/** Of a day: 13:58:00 UTC. */
const BEGIN_NS = 1_795_010_280_000_000_000n;

/** I/O of one kind, evenly over the times at which it happens, each latency up to a third longer than stated. */
interface Load {
  readonly actor: Actor;
  readonly disk: 'nvme0n1' | 'sda' | 'sdb';
  readonly flags: number;
  readonly perSecond: number;
  readonly bytes: number;
  readonly deviceMs: (second: number) => number;
  readonly queueMs?: (second: number) => number;
  readonly isOn?: (second: number) => boolean;
}

const READ = Op.read;
const WRITE = Op.write | RequestFlag.sync;

const MYSQLD: Actor = { comm: 'mysqld', tgid: 892, cgroup: 'mysql.service' };
const POSTGRES: Actor = { comm: 'postgres', tgid: 1204, cgroup: 'docker 5c0f3a9e71d2' };
const SNAPSHOT: Actor = { comm: 'snapshotd', tgid: 4711, cgroup: 'snapshot.service' };
const ETL: Actor = { comm: 'etl', tgid: 6120, cgroup: 'docker 77aa03c9be14' };
const INDEXER: Actor = { comm: 'indexer', tgid: 9033, cgroup: 'index.service' };

/** 14:02:00. */
const CHANGE = 240;
const isStall = (second: number): boolean => second % 45 >= 30 && second % 45 < 32;

/**
 * Six minutes of a server: snapshotd writes large blocks to sda every 45 s, and postgres waits behind it; etl has
 * more reads in the queue of sdb than the disk takes; from 14:02 on indexer reads from the disk of mysqld.
 */
const LOADS: readonly Load[] = [
  {
    ...{ actor: MYSQLD, disk: 'nvme0n1', flags: READ, perSecond: 120, bytes: 16384 },
    deviceMs: (second) => (second < CHANGE ? 0.2 : 0.7),
  },
  {
    ...{ actor: POSTGRES, disk: 'sda', flags: READ, perSecond: 40, bytes: 8192 },
    deviceMs: () => 5,
    queueMs: (second) => (isStall(second) ? 300 : 0.1),
  },
  {
    ...{ actor: SNAPSHOT, disk: 'sda', flags: WRITE, perSecond: 120, bytes: 1 << 20 },
    deviceMs: () => 40,
    queueMs: () => 360,
    isOn: isStall,
  },
  {
    ...{ actor: ETL, disk: 'sdb', flags: READ, perSecond: 60, bytes: 65536 },
    deviceMs: () => 4,
    queueMs: () => 28,
  },
  {
    ...{ actor: INDEXER, disk: 'nvme0n1', flags: READ, perSecond: 150, bytes: 131072 },
    deviceMs: () => 1.2,
    queueMs: () => 0.4,
    isOn: (second) => second >= CHANGE,
  },
];

const DISKS = {
  nvme0n1: { dev: packDevice(259, 0), sizeBytes: 500e9 },
  sda: { dev: packDevice(8, 0), sizeBytes: 2e12 },
  sdb: { dev: packDevice(8, 16), sizeBytes: 2e12 },
} as const;

/** The evening as the bytes of a recording. */
export async function eveningRecording(): Promise<Uint8Array> {
  const identities = new IdentityTable();
  const stage = new Stage(identities);
  for (const [name, disk] of Object.entries(DISKS)) stage.addDisk({ name, ...disk });
  const kinds = LOADS.map((load) => ({
    ...load,
    identity: stage.identity(DISKS[load.disk].dev, load.actor, load.flags),
  }));
  const names = {
    devices: {
      device: (dev: number) => stage.devices.get(dev),
      devices: () => [...stage.devices.values()],
    },
    cgroups: stage.cgroups,
  };
  const clockBase = { monotonicNs: 5_000_000_000n, wallNs: BEGIN_NS };
  const encoder = new RecordingEncoder({ header: { ...HEADER, clockBase }, identities, names });
  const random = new SeededRandom(14);
  const rows = createColumns(1000);
  const parts = [encoder.begin()];
  for (let second = 0; second < SECONDS; second++) {
    rows.length = 0;
    for (const { isOn, perSecond, deviceMs, queueMs, bytes, identity } of kinds) {
      if (isOn?.(second) === false) continue;
      for (let i = 0; i < perSecond; i++) {
        const row = rows.length++;
        const longer = 1 + random.next() / 3;
        rows.completeNs[row] = (second + (i + random.next()) / perSecond) * SECOND_NS;
        rows.deviceNs[row] = deviceMs(second) * longer * MS;
        rows.queueNs[row] = (queueMs?.(second) ?? 0.01) * longer * MS;
        rows.sector[row] = Math.floor(random.next() * 1e8) * 8;
        rows.bytes[row] = bytes;
        rows.identity[row] = identity;
        rows.file[row] = 0;
      }
    }
    for (const batch of encoder.append(rows)) parts.push(await bytesOf([batch]));
  }
  const delivered = { delivered: 0, summarised: 0, lost: 0, losses: {} };
  parts.push(await bytesOf(encoder.flush(delivered)), END_OF_STREAM);
  return Buffer.concat(parts);
}
