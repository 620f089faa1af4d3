import {
  Capability,
  grantsTracing,
  hasCapability,
  inInitialNamespace,
  parseThreadRights,
  type ThreadRights,
} from '../privilege/capabilities.ts';
import { explainRights } from '../privilege/explain.ts';
import { ARCHITECTURES } from '../privilege/filter/call-numbers.ts';
import type { Machine } from './machine.ts';
import { readText } from './read-text.ts';
import type { DoctorCheck } from './report.ts';

export function rightsOf(machine: Machine): ThreadRights | undefined {
  const status = readText(machine, '/proc/self/status');
  return status === undefined ? undefined : parseThreadRights(status);
}

/** Whether loading a program can succeed at all; if not, it is not tried. */
export function mayTrace(machine: Machine): boolean {
  const rights = rightsOf(machine);
  return rights !== undefined && grantsTracing(rights.effective) && !inUserNamespace(machine);
}

function inUserNamespace(machine: Machine): boolean {
  return inInitialNamespace('user', (path) => machine.readLink(path)) === false;
}

export function checkRights(machine: Machine): DoctorCheck {
  const base = { id: 'rights', label: 'rights' };
  const rights = rightsOf(machine);
  if (rights === undefined) {
    return { ...base, status: 'unknown', found: 'cannot read /proc/self/status' };
  }
  const who = `user ${machine.euid}, ${nameCapabilities(rights.effective)}`;
  if (mayTrace(machine)) return { ...base, status: 'ok', found: who };
  const inside = inUserNamespace(machine);
  const { remedy = '' } = explainRights({
    euid: machine.euid,
    effective: rights.effective,
    inInitialUserNamespace: !inside,
    hasSudo: machine.hasSudo,
    start: machine.start,
  });
  const found = inside ? `${who}, but only inside a user namespace` : who;
  return { ...base, status: 'fail', found, remedy: remedy.replace(/^run: /, '') };
}

function nameCapabilities(effective: bigint): string {
  const names = [
    ...(hasCapability(effective, Capability.sysAdmin) ? ['CAP_SYS_ADMIN'] : []),
    ...(hasCapability(effective, Capability.bpf) ? ['CAP_BPF'] : []),
    ...(hasCapability(effective, Capability.perfmon) ? ['CAP_PERFMON'] : []),
  ];
  return names.length === 0 ? 'no capability to trace' : names.join(', ');
}

export function checkPidNamespace(machine: Machine): DoctorCheck {
  const base = { id: 'pid-namespace', label: 'process IDs' };
  const initial = inInitialNamespace('pid', (path) => machine.readLink(path));
  if (initial === undefined) return { ...base, status: 'unknown', found: 'no /proc/self/ns/pid' };
  if (initial) return { ...base, status: 'ok', found: "the machine's own" };
  return {
    ...base,
    status: 'warn',
    found: 'a container with its own process IDs',
    lost: 'PIDs are those of the host and cannot be looked up here',
    remedy: 'start the container with --pid=host',
  };
}

/** A seccomp filter may block bpf(2); that shows only when something is loaded. */
export function checkSeccomp(machine: Machine, loaded: boolean): DoctorCheck {
  const base = { id: 'seccomp', label: 'seccomp' };
  const rights = rightsOf(machine);
  if (rights?.seccomp === undefined) return { ...base, status: 'unknown', found: 'not reported' };
  if (rights.seccomp === 0) return { ...base, status: 'ok', found: 'off' };
  const found = 'a filter is active';
  if (loaded) return { ...base, status: 'ok', found: `${found}, and allows ioheat to load` };
  return {
    ...base,
    status: 'unknown',
    found: `${found}, which may refuse bpf(2)`,
    remedy: 'for docker: --cap-add BPF --cap-add PERFMON, or a profile that allows bpf',
  };
}

const ACTIONS = '/proc/sys/kernel/seccomp/actions_avail';

/** Whether ioheat can filter its own system calls after dropping privileges; it also works without. */
export function checkConfinement(machine: Machine): DoctorCheck {
  const base = { id: 'confinement', label: 'system call filter' };
  const lost = 'protection from hostile recordings and logs: ioheat is not confined';
  if (!ARCHITECTURES.some((one) => one === machine.arch))
    return { ...base, status: 'warn', found: `no list of system calls for ${machine.arch}`, lost };
  const actions = readText(machine, ACTIONS);
  if (actions === undefined) {
    const remedy = 'a kernel with CONFIG_SECCOMP_FILTER=y';
    return { ...base, status: 'warn', found: `no ${ACTIONS}`, lost, remedy };
  }
  const missing = ['kill_process', 'errno'].filter((one) => !actions.split(/\s+/).includes(one));
  if (missing.length === 0) {
    return { ...base, status: 'ok', found: 'used by every command but doctor, after the drop' };
  }
  return { ...base, status: 'warn', found: `the kernel lacks ${missing.join(' and ')}`, lost };
}

const LOCKDOWN = '/sys/kernel/security/lockdown';

export function checkLockdown(machine: Machine, loaded: boolean): DoctorCheck {
  const base = { id: 'lockdown', label: 'lockdown' };
  const text = readText(machine, LOCKDOWN);
  const level = text === undefined ? undefined : /\[(\w+)\]/.exec(text)?.[1];
  const found = level ?? `not visible: no ${LOCKDOWN}`;
  if (level === 'none' || level === 'integrity') return { ...base, status: 'ok', found };
  if (loaded) return { ...base, status: 'ok', found: `${found}; ioheat can still load` };
  return { ...base, status: 'unknown', found };
}

/** Since 5.11, maps are charged to the cgroup instead (`bpf_map_charge`), so the limit does not matter. */
const MEMLOCK_UNTIL = [5, 11] as const;
const MEMLOCK_NEED_BYTES = 64 * 1024 * 1024;
const SYS_RESOURCE = 24;

export function checkMemlock(machine: Machine): DoctorCheck {
  const base = { id: 'memlock', label: 'locked memory' };
  const [major = 0, minor = 0] = machine.kernelRelease.split(/[.-]/).map(Number);
  const isOld =
    major < MEMLOCK_UNTIL[0] || (major === MEMLOCK_UNTIL[0] && minor < MEMLOCK_UNTIL[1]);
  if (!isOld) return { ...base, status: 'ok', found: 'not limited by RLIMIT_MEMLOCK here' };
  const limits = readText(machine, '/proc/self/limits') ?? '';
  const limit = /^Max locked memory\s+(\S+)/m.exec(limits)?.[1];
  if (limit === undefined) return { ...base, status: 'unknown', found: 'the limit is not visible' };
  const mayRaise = hasCapability(rightsOf(machine)?.effective ?? 0n, SYS_RESOURCE);
  if (limit === 'unlimited' || Number(limit) >= MEMLOCK_NEED_BYTES || mayRaise) {
    return { ...base, status: 'ok', found: `${limit} bytes${mayRaise ? ', may be raised' : ''}` };
  }
  return {
    ...base,
    status: 'warn',
    found: `${limit} bytes, which limit maps before Linux 5.11`,
    lost: 'large ring buffers: loading may fail',
    remedy: 'ulimit -l unlimited, or add CAP_SYS_RESOURCE',
  };
}
