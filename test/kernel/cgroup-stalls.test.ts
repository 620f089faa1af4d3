import { mkdirSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { CgroupStalls } from '../../src/kernel/machine/cgroup-stalls.ts';
import { MachineCgroups } from '../../src/kernel/machine/cgroups.ts';
import { MachinePressure, MOST_CGROUPS } from '../../src/model/machine-pressure.ts';

describe('how long cgroups are stalled', () => {
  let root: string;
  let seconds: number;
  let pressure: MachinePressure;
  let stalls: CgroupStalls;
  beforeEach(() => {
    root = mkdtempSync(join(tmpdir(), 'ioheat stalls '));
    seconds = 0;
    pressure = new MachinePressure();
    const cgroups = new MachineCgroups(root, () => seconds * 1000);
    stalls = new CgroupStalls(cgroups, pressure);
  });
  afterEach(() => {
    rmSync(root, { recursive: true });
  });

  function setPressure(path: string, someUs: number): number {
    const folder = join(root, path);
    mkdirSync(folder, { recursive: true });
    const lines = ['some', 'full'].map((kind) => `${kind} avg10=0.00 avg60=0.00 avg300=0.00`);
    writeFileSync(
      join(folder, 'io.pressure'),
      `${lines[0]} total=${someUs}\n${lines[1]} total=0\n`,
    );
    return statSync(folder).ino;
  }

  function look(seen: readonly number[]): void {
    seconds++;
    stalls.look(seen, () => seconds * 1e9);
  }

  it('how long cgroups are stalled is read of those that had I/O, also after it', () => {
    const [web, idle] = [setPressure('web', 100), setPressure('idle', 100)];
    look([web]);
    setPressure('web', 400_100);
    look([]);
    expect(pressure.cgroups.get(web)!.during(1e9, 2e9).someNs).toBe(4e8);
    expect(pressure.cgroups.get(idle)).toBeUndefined();
  });

  it('how long cgroups are stalled is unknown, and no error, where a cgroup is gone or has no such file', () => {
    const web = setPressure('web', 100);
    look([web, 12_345]);
    rmSync(join(root, 'web'), { recursive: true });
    look([web]);
    expect(pressure.cgroups.get(web)!.samplesAfter(-Infinity)).toHaveLength(1);
    expect(pressure.cgroups.get(12_345)).toBeUndefined();
  });

  it('how long cgroups are stalled follows those that had I/O last, where there are too many', () => {
    const all = Array.from({ length: MOST_CGROUPS + 1 }, (_, i) => setPressure(`web-${i}`, 100));
    look(all.slice(0, -1));
    look(all.slice(-1));
    look([]);
    const samples = all.map((id) => pressure.cgroups.get(id)?.samplesAfter(-Infinity).length ?? 0);
    expect([samples[1], samples.at(-1)]).toEqual([3, 2]);
    expect(samples[0]).toBe(0);
  });
});
