import type { Result } from '../../base/result.ts';
import { checkBioDisks, checkIoStats } from './disk-checks.ts';
import type { Machine } from './machine.ts';
import { createReport, type DoctorCheck, type DoctorReport } from './report.ts';
import {
  checkLockdown,
  checkMemlock,
  checkPidNamespace,
  checkRights,
  checkSeccomp,
  mayTrace,
} from './rights-checks.ts';
import { checkKoffi, checkLibbpf, checkNode, checkSystem } from './software-checks.ts';
import { checkTracepoints } from './tracepoint-checks.ts';

/**
 * Asks everything that tracing depends on, in the order in which one builds on another, and says what
 * it cannot know without rights.
 */
export async function runDoctor(machine: Machine): Promise<DoctorReport> {
  const koffi = await checkKoffi(machine);
  const libbpf = await checkLibbpf(machine, koffi.status === 'ok');
  const tracepoints = checkTracepoints(machine);
  const soFar = [checkSystem(machine), checkNode(machine), koffi, libbpf, ...tracepoints];
  const isReady = mayTrace(machine) && soFar.every((check) => check.status !== 'fail');
  const ring = await checkTrial(RING, isReady, () => machine.createRing());
  const load = await checkTrial(LOAD, isReady && ring.status === 'ok', () => machine.tryTrace());
  const loaded = load.status === 'ok';
  return createReport([
    ...soFar,
    checkRights(machine),
    checkPidNamespace(machine),
    checkSeccomp(machine, loaded),
    checkLockdown(machine, loaded),
    checkMemlock(machine),
    ring,
    load,
    checkBioDisks(machine),
    checkIoStats(machine),
  ]);
}

const RING = { id: 'ring', label: 'ring buffer', done: 'made one' };
const LOAD = { id: 'load', label: 'eBPF programs', done: 'loaded, attached, detached' };

async function checkTrial(
  { done, ...base }: { id: string; label: string; done: string },
  isReady: boolean,
  trial: () => Promise<Result<undefined, string>>,
): Promise<DoctorCheck> {
  if (!isReady) return { ...base, status: 'unknown', found: 'not tried, for the reasons above' };
  const result = await trial();
  if (result.ok) return { ...base, status: 'ok', found: done };
  return { ...base, status: 'fail', found: result.error };
}
