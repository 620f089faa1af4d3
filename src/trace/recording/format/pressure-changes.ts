import type { CgroupPressureSample } from '../../../model/machine-pressure.ts';
import type { KnownPressure, PressureSample } from '../../../model/pressure.ts';
import { MAX_PRESSURE_SAMPLES } from './format.ts';

/** Determines which samples no batch has yet. Samples without room in a batch are in the next one. */
export class PressureChanges {
  private untilNs: number;
  /** By cgroup, the time until which its samples are written. */
  private readonly untilOf = new Map<number, number>();

  constructor(
    private readonly known: KnownPressure | undefined,
    private readonly startNs: number,
  ) {
    this.untilNs = startNs;
  }

  /** The samples to write; undefined if nothing is known. */
  take(): readonly PressureSample[] | undefined {
    const found = this.known?.samplesAfter(this.untilNs).slice(0, MAX_PRESSURE_SAMPLES);
    this.untilNs = found?.at(-1)?.atNs ?? this.untilNs;
    return found;
  }

  takeCgroups(): readonly CgroupPressureSample[] {
    const taken: CgroupPressureSample[] = [];
    for (const [cgroup, history] of this.known?.cgroups ?? []) {
      const found = history.samplesAfter(this.untilOf.get(cgroup) ?? this.startNs);
      const some = found.slice(0, MAX_PRESSURE_SAMPLES - taken.length);
      if (some.length > 0) this.untilOf.set(cgroup, some.at(-1)!.atNs);
      for (const sample of some) taken.push({ cgroup, ...sample });
    }
    return taken;
  }
}
