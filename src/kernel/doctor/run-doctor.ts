import { checkBioDisks, checkIoStats } from './disk-checks.ts';
import { thisMachine, type Machine } from './machine.ts';
import { checkModuleTypes } from './module-checks.ts';
import { checkMounts } from './mount-checks.ts';
import { createReport, type DoctorCheck, type DoctorReport } from './report.ts';
import {
  checkConfinement,
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
 * Checks everything that tracing depends on, prerequisites first, and reports what it cannot find out without
 * privileges.
 */
export async function runDoctor(machine: Machine = thisMachine()): Promise<DoctorReport> {
  const koffi = await checkKoffi(machine);
  const libbpf = await checkLibbpf(machine, koffi.status === 'ok');
  const tracepoints = checkTracepoints(machine);
  const software = [checkSystem(machine), checkNode(machine), koffi, libbpf];
  const soFar = [...software, checkMounts(machine), ...tracepoints];
  const isReady = mayTrace(machine) && soFar.every((check) => check.status !== 'fail');
  const ring = await tryRing(machine, isReady);
  const load = await tryLoad(machine, ring.status === 'ok');
  const loaded = load.status === 'ok';
  return createReport([
    ...soFar,
    checkRights(machine),
    checkPidNamespace(machine),
    checkSeccomp(machine, loaded),
    checkConfinement(machine),
    checkLockdown(machine, loaded),
    checkMemlock(machine),
    ring,
    load,
    checkModuleTypes(machine),
    checkBioDisks(machine),
    checkIoStats(machine),
  ]);
}

const NOT_TRIED = { status: 'unknown', found: 'not tried, for the reasons above' } as const;

async function tryRing(machine: Machine, isReady: boolean): Promise<DoctorCheck> {
  const base = { id: 'ring', label: 'ring buffer' };
  if (!isReady) return { ...base, ...NOT_TRIED };
  const made = await machine.createRing();
  if (made.ok) return { ...base, status: 'ok', found: 'created one' };
  const remedy = 'Linux 5.8 or newer, and in a container a seccomp profile that allows bpf(2)';
  return { ...base, status: 'fail', found: made.error, remedy };
}

async function tryLoad(machine: Machine, isReady: boolean): Promise<DoctorCheck> {
  const base = { id: 'load', label: 'eBPF programs' };
  if (!isReady) return { ...base, ...NOT_TRIED };
  const traced = await machine.tryTrace();
  if (!traced.ok) return { ...base, status: 'fail', found: traced.error };
  const { programs, refused } = traced.value;
  const found = `${programs} loaded, attached and detached`;
  const [first] = refused;
  if (first === undefined) return { ...base, status: 'ok', found };
  return {
    ...base,
    status: 'warn',
    found: `${found}; the kernel refused others: ${first.refusal ?? ''}`,
    lost: refused.map(({ lost }) => lost).join('; '),
  };
}
