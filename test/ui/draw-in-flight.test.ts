import { describe, expect, it } from 'vitest';
import { createLogScale } from '../../src/heatmap/axis/log-scale.ts';
import { OLD_IN_FLIGHT_NS } from '../../src/model/in-flight.ts';
import type { InFlightRow } from '../../src/model/in-flight.ts';
import { binsInFlight } from '../../src/ui/picture/draw-in-flight.ts';

const SCALE = createLogScale({ low: 1e6, high: 10e9 }, 40, 'decimal');
const LIVE = { layer: 'disks', metric: 'total', frozenAtNs: undefined } as const;

/** A monitor of requests of these ages. */
function hanging(...ages: number[]) {
  const row = (ageNs: number): InFlightRow => ({
    ageNs,
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
  };
}

describe('I/O in flight in the picture', () => {
  it('is at its age, and climbs with it', () => {
    const [atOne] = binsInFlight(hanging(1e9), LIVE, SCALE);
    const [atFive] = binsInFlight(hanging(5e9), LIVE, SCALE);
    expect(atOne).toBe(SCALE.binOf(1e9));
    expect(atFive).toBeGreaterThan(atOne!);
  });

  it('is in the outlier row when it is older than the axis', () => {
    expect(binsInFlight(hanging(20e9), LIVE, SCALE)).toEqual([SCALE.bins]);
  });

  it('is not drawn before it is old, because most I/O completes soon', () => {
    expect(binsInFlight(hanging(OLD_IN_FLIGHT_NS - 1), LIVE, SCALE)).toEqual([]);
  });

  it('has one pixel per age, however many there are', () => {
    expect(binsInFlight(hanging(2e9, 2.001e9, 20e9, 21e9), LIVE, SCALE)).toHaveLength(2);
  });

  it('is not drawn where the right edge is not the present, or the axis is another', () => {
    expect(binsInFlight(hanging(2e9), { ...LIVE, frozenAtNs: 1 }, SCALE)).toEqual([]);
    expect(binsInFlight(hanging(2e9), { ...LIVE, metric: 'offset' }, SCALE)).toEqual([]);
    expect(binsInFlight({ inFlight: () => undefined }, LIVE, SCALE)).toEqual([]);
  });
});
