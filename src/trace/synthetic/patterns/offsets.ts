import { NS_PER_SECOND } from '../../../base/time.ts';
import { packDevice } from '../../../model/device.ts';
import { Op } from '../../../model/operation.ts';
import { around } from '../distribution.ts';
import type { FillSlot } from '../slot-rows.ts';
import type { Stage } from '../stage.ts';
import { extent, fillCloud, fillRun } from '../streams.ts';
import type { Run, Stream } from '../streams.ts';

const SIZE_BYTES = 32 * 2 ** 30;
/** One pass over the whole disk, then a pause. */
const OFFSETS_PASS_SECONDS = 80;
const PASS_EVERY_SECONDS = 90;
const RUN_BYTES = 512 * 1024;

/** One process reads the disk from start to end, another at random offsets. */
export function offsets(stage: Stage): FillSlot {
  const dev = stage.addDisk({
    dev: packDevice(254, 0),
    name: 'vda',
    sizeBytes: SIZE_BYTES,
    rotational: false,
    scheduler: 'none',
  });
  const whole = extent(0, SIZE_BYTES);
  const queueNs = around(3e3, 0.2);
  const sequential: Run = {
    identity: stage.identity(dev, { comm: 'dd', tgid: 4242 }, Op.read),
    perSecond: SIZE_BYTES / RUN_BYTES / OFFSETS_PASS_SECONDS,
    deviceNs: around(640e3, 0.1),
    queueNs,
    bytes: RUN_BYTES,
    extent: whole,
    window: {
      everyNs: PASS_EVERY_SECONDS * NS_PER_SECOND,
      fromNs: 0,
      forNs: OFFSETS_PASS_SECONDS * NS_PER_SECOND,
    },
  };
  const random: Stream = {
    identity: stage.identity(dev, { comm: 'postgres', tgid: 1204 }, Op.read),
    perSecond: 350,
    deviceNs: around(130e3, 0.15),
    queueNs,
    bytes: 8192,
    extent: whole,
  };
  return (slot) => {
    fillRun(slot, sequential);
    fillCloud(slot, random);
  };
}
