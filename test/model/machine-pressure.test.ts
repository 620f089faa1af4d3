import { describe, expect, it } from 'vitest';
import { MachinePressure, MOST_CGROUPS } from '../../src/model/machine-pressure.ts';

function sampleOf(cgroup: number, second: number) {
  return { cgroup, atNs: second * 1e9, someNs: second * 5e8, fullNs: second * 1e8 };
}

describe('the pressure of cgroups', () => {
  it('the pressure of cgroups is known for each of them between its samples', () => {
    const pressure = new MachinePressure();
    for (const second of [1, 2, 3]) pressure.putCgroup(sampleOf(7, second));
    expect(pressure.cgroups.get(7)!.during(1e9, 3e9)).toEqual({
      ...{ someNs: 1e9, fullNs: 2e8, knownNs: 2e9 },
    });
    expect(pressure.cgroups.get(8)).toBeUndefined();
  });

  it('the pressure of cgroups is forgotten for the one without news for the longest, when there are too many', () => {
    const pressure = new MachinePressure();
    for (let cgroup = 1; cgroup <= MOST_CGROUPS; cgroup++) pressure.putCgroup(sampleOf(cgroup, 1));
    pressure.putCgroup(sampleOf(1, 2));
    pressure.putCgroup(sampleOf(1000, 2));
    expect(pressure.cgroups.size).toBe(MOST_CGROUPS);
    expect([1, 2, 3, 1000].filter((cgroup) => pressure.cgroups.has(cgroup))).toEqual([1, 3, 1000]);
  });
});
