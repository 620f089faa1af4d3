import { existsSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { IOHEAT } from '../../e2e/build.ts';
import type { LoopDevice } from '../../load/loop-device.ts';
import { Peer, programTimes, type ProgramTime } from './peer.ts';

const BEFORE = process.env['OWNER_BENCH_BEFORE'];
const POLL_MS = 100;
/** In memory, so that nothing but the disk under test is slow. */
export const SHARED = '/dev/shm';

export interface Version {
  readonly name: string;
  /** Undefined: the load alone. */
  readonly path: string | undefined;
}

/** OWNER_BENCH_BEFORE is bin/ioheat of another version, which is measured in turn with this one. */
export const VERSIONS: readonly Version[] = [
  { name: 'the load alone', path: undefined },
  { name: 'ioheat record', path: IOHEAT },
  ...(BEFORE === undefined ? [] : [{ name: 'the version before', path: BEFORE }]),
];

/** Figures of one run, and what each program of the kernel took in it, by name. */
export interface Run {
  readonly figure: number;
  readonly programs: ReadonlyMap<string, ProgramTime>;
}

/** Beside a recording of the disk that goes nowhere. */
export async function beside(
  { path }: Version,
  disk: LoopDevice,
  load: () => Promise<number>,
): Promise<Run> {
  if (path === undefined) return { figure: await load(), programs: new Map() };
  const others = programTimes();
  const file = join(SHARED, `ioheat-beside-${process.pid}`);
  const peer = new Peer([process.execPath, path, 'record', file, '--disk', disk.name]);
  // It is made after the programs are attached.
  while (!existsSync(file)) await sleep(POLL_MS);
  const before = programTimes();
  const figure = await load();
  const after = programTimes();
  await peer.end();
  rmSync(file);
  const programs = new Map<string, ProgramTime>();
  for (const [id, { name, ns, runs }] of after) {
    if (others.has(id)) continue;
    const { ns: nsBefore = 0, runs: runsBefore = 0 } = before.get(id) ?? {};
    const one = { name, ns: ns - nsBefore, runs: runs - runsBefore };
    // Somebody else's may have started in the middle of the load.
    if (one.runs > (programs.get(name)?.runs ?? 0)) programs.set(name, one);
  }
  return { figure, programs };
}

/** What a program takes beyond an empty one. */
export function netNs({ ns, runs }: ProgramTime, empty: number): number {
  return ns - runs * empty;
}
