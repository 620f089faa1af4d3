import { describe, expect, it } from 'vitest';
import { Control, Summary } from '../../src/kernel/abi/layout.ts';
import { SummaryDevices } from '../../src/kernel/attach/summary-devices.ts';
import { summaryCount } from '../../src/kernel/attach/trace-sizes.ts';
import { SummaryReader } from '../../src/kernel/counts/summary-reader.ts';
import { deviceName } from '../../src/model/device.ts';
import { IdentityTable } from '../../src/model/identity-table.ts';
import { layerOf } from '../../src/model/layer.ts';

const SHAPE = { devices: 1, stripes: 1 };
const BYTES = summaryCount(SHAPE) * Summary.bytes;
/** Places in the summaries: one disk has its own, then come those that are shared. */
const PLACES = SHAPE.devices + 3;

const DISK = { dev: 7, name: 'sda', sizeBytes: 1e9, requestBased: true, requestLimit: 1 };

function readerOf(buffer: ArrayBuffer, identities = new IdentityTable()): SummaryReader {
  const devices = new SummaryDevices(new Uint32Array(Control.bytes / 4), SHAPE.devices);
  devices.track([DISK], 0);
  return new SummaryReader(buffer, {
    shape: SHAPE,
    devices,
    isVolume: () => false,
    counters: { summarised: () => 10 },
    identities,
    baseNs: 0,
  });
}

/** The disk and layer of what is counted at each place. */
function readPlaces(): { disk: string; layer: string }[] {
  const buffer = new ArrayBuffer(BYTES);
  const words = new Uint32Array(buffer);
  for (let place = 0; place < PLACES; place++) {
    const at = (place * BYTES) / PLACES / 4;
    words[at + Summary.offsets.begun / 4] = words[at + Summary.offsets.count / 4] = place + 1;
  }
  const identities = new IdentityTable();
  const names = { device: (dev: number) => (dev === DISK.dev ? DISK : undefined) };
  return readerOf(buffer, identities)
    .read(() => 1e9)
    .map(({ identity }) => identities.get(identity))
    .map((identity) => ({ disk: deviceName(names, identity.dev), layer: layerOf(identity) }));
}

describe('what the kernel counted', () => {
  it('what is counted for several disks or volumes together has a name that says so', () => {
    const places = readPlaces();
    expect(places.slice(0, 3)).toEqual([
      { disk: 'sda', layer: 'disks' },
      { disk: 'other disks', layer: 'disks' },
      { disk: 'other volumes', layer: 'volumes' },
    ]);
  });

  it('what is being counted while it is read is read the next time, also if nothing else is counted until then', () => {
    const buffer = new ArrayBuffer(BYTES);
    const words = new Uint32Array(buffer);
    const reader = readerOf(buffer);
    words[Summary.offsets.count / 4] = 1;
    words[Summary.offsets.begun / 4] = 2;
    expect(reader.read(() => 1e9)).toEqual([]);
    words[Summary.offsets.count / 4] = 2;
    expect(reader.read(() => 2e9).map(({ count }) => count)).toEqual([2]);
    expect(reader.read(() => 3e9)).toEqual([]);
  });

  it('what is counted of calls is of no known disk, as rows of calls without one', () => {
    expect(readPlaces()[3]).toEqual({ disk: 'unknown', layer: 'calls' });
  });
});
