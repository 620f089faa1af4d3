import { Op } from '../../../model/operation.ts';
import { around, between, mixture } from '../distribution.ts';
import type { FillSlot } from '../slot-rows.ts';
import { scsiDevice } from '../stage.ts';
import type { Stage } from '../stage.ts';
import { extent, fillCloud } from '../streams.ts';
import type { Stream } from '../streams.ts';

/** Random reads of an array whose controller caches the busiest tenth of the data. */
export function twoBands(stage: Stage): FillSlot {
  const sizeBytes = 8e12;
  const dev = stage.addDisk({
    dev: scsiDevice(0),
    name: 'sda',
    sizeBytes,
    rotational: true,
    scheduler: 'mq-deadline',
    model: 'MR9361-8i',
  });
  const reads: Stream = {
    identity: stage.identity(dev, { comm: 'nfsd', tgid: 1811 }, Op.read),
    perSecond: 4400,
    deviceNs: mixture([
      [0.91, around(45e3, 0.13)],
      [0.09, between(2e6, 10e6)],
    ]),
    queueNs: around(3e3, 0.2),
    bytes: 8192,
    extent: extent(0, sizeBytes),
  };
  return (slot) => {
    fillCloud(slot, reads);
  };
}
