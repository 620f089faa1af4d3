import { packDevice } from '../../../model/device.ts';
import { Op, RequestFlag } from '../../../model/operation.ts';
import { around } from '../distribution.ts';
import type { FillSlot } from '../slot-rows.ts';
import type { Stage } from '../stage.ts';
import { extent, fillCloud } from '../streams.ts';
import type { Stream } from '../streams.ts';
import { STORM_PER_SECOND } from '../patterns.ts';

const DISKS = 4;
const SIZE_BYTES = 3.84e12;
const NVME_MAJOR = 259;

/** The most that four fast disks can do: two jobs of random reads and one of writes on each. */
export function storm(stage: Stage): FillSlot {
  const streams: Stream[] = [];
  for (let disk = 0; disk < DISKS; disk++) {
    const dev = stage.addDisk({
      dev: packDevice(NVME_MAJOR, disk),
      name: `nvme${disk}n1`,
      sizeBytes: SIZE_BYTES,
      rotational: false,
      scheduler: 'none',
      model: 'MZQL23T8HCLS-00A07',
    });
    for (let job = 0; job < 3; job++) streams.push(fioJob(stage, dev, disk * 3 + job, job));
  }
  return (slot) => {
    for (const stream of streams) fillCloud(slot, stream);
  };
}

function fioJob(stage: Stage, dev: number, index: number, job: number): Stream {
  const write = job === 2;
  const op = write ? Op.write | RequestFlag.sync : Op.read;
  return {
    identity: stage.identity(dev, { comm: 'fio', tgid: 5000 + index }, op),
    perSecond: STORM_PER_SECOND / (DISKS * 3),
    deviceNs: write ? around(24e3, 0.16) : around(92e3, 0.14),
    queueNs: around(1.5e3, 0.15),
    bytes: 4096,
    extent: extent(0, SIZE_BYTES),
  };
}
