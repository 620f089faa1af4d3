import { describe, expect, it } from 'vitest';
import { createLogScale } from '../../src/heatmap/axis/log-scale.ts';
import { OLD_IN_FLIGHT_NS } from '../../src/model/in-flight.ts';
import type { InFlightRow } from '../../src/model/in-flight.ts';
import type { Layer } from '../../src/model/layer.ts';
import { binsInFlight } from '../../src/ui/picture/draw-in-flight.ts';

const SCALE = createLogScale({ low: 1e6, high: 10e9 }, 40, 'decimal');
const NOW = 60e9;
const LIVE = { layer: 'disks', metric: 'total', frozenAtNs: undefined } as const;

/** A monitor of requests of these ages. */
function hanging(...ages: number[]) {
  const row = (ageNs: number): InFlightRow => ({
    id: String(ageNs),
    ageNs,
    layer: 'disks',
    stage: 'at the device',
    disk: 'sda',
    tgid: 1,
    comm: 'dd',
    indirect: false,
    opClass: 'read',
    bytes: 4096,
    sector: 0,
  });
  return {
    inFlight: (minAgeNs = 0) => ages.filter((ageNs) => ageNs >= minAgeNs).map(row),
    inFlightAt: () => undefined,
  };
}

describe('I/O in flight in the picture', () => {
  it('I/O in flight in the picture is at its age, and climbs with it', () => {
    const [atOne] = binsInFlight(hanging(1e9), LIVE, NOW, SCALE);
    const [atFive] = binsInFlight(hanging(5e9), LIVE, NOW, SCALE);
    expect(atOne).toBe(SCALE.binOf(1e9));
    expect(atFive).toBeGreaterThan(atOne!);
  });

  it('I/O in flight in the picture is in the outlier row when it is older than the axis', () => {
    expect(binsInFlight(hanging(20e9), LIVE, NOW, SCALE)).toEqual([SCALE.bins]);
  });

  it('I/O in flight in the picture is not drawn before it is old, because most I/O completes soon', () => {
    expect(binsInFlight(hanging(OLD_IN_FLIGHT_NS - 1), LIVE, NOW, SCALE)).toEqual([]);
  });

  it('I/O in flight in the picture has one pixel per age, however many there are', () => {
    expect(binsInFlight(hanging(2e9, 2.001e9, 20e9, 21e9), LIVE, NOW, SCALE)).toHaveLength(2);
  });

  it('I/O in flight in the picture is that of the right edge where the picture stands still, if it was noted', () => {
    const noted = { ...hanging(20e9), inFlightAt: () => hanging(5e9).inFlight() };
    const frozen = { ...LIVE, frozenAtNs: NOW };
    expect(binsInFlight(noted, frozen, NOW, SCALE)).toEqual([SCALE.binOf(5e9)]);
    expect(binsInFlight(hanging(20e9), frozen, NOW, SCALE)).toEqual([]);
  });

  it('I/O in flight in the picture is that of the right edge in a replay, which knows no present', () => {
    const replay = { inFlight: () => undefined, inFlightAt: () => hanging(5e9).inFlight() };
    expect(binsInFlight(replay, LIVE, NOW, SCALE)).toEqual([SCALE.binOf(5e9)]);
  });

  it('I/O in flight in the picture is of the layer that is shown: of a volume, not of the disk below', () => {
    const [disk, volume] = hanging(2e9, 5e9).inFlight();
    const both = {
      ...hanging(),
      inFlight: () => [disk!, { ...volume!, layer: 'volumes' as const }],
    };
    const binsOf = (layer: Layer) => binsInFlight(both, { ...LIVE, layer }, NOW, SCALE);
    expect(binsOf('disks')).toEqual([SCALE.binOf(2e9)]);
    expect(binsOf('volumes')).toEqual([SCALE.binOf(5e9)]);
    expect(binsOf('waits')).toEqual([]);
  });

  it('I/O in flight in the picture is not drawn where the axis is another, or nothing is known', () => {
    expect(binsInFlight(hanging(2e9), { ...LIVE, metric: 'offset' }, NOW, SCALE)).toEqual([]);
    const nothing = { inFlight: () => undefined, inFlightAt: () => undefined };
    expect(binsInFlight(nothing, LIVE, NOW, SCALE)).toEqual([]);
  });
});
