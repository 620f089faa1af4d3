import type { Result } from '../../base/result.ts';
import { ok } from '../../base/result.ts';
import { Capability, hasCapability } from './capabilities.ts';
import type { DropPlan } from './drop-plan.ts';
import {
  dropCapabilities,
  prctl,
  setgroups,
  setresgid,
  setresuid,
  type SyscallError,
} from '../native/syscalls.ts';

/* linux/prctl.h, linux/securebits.h */
const PR_CAPBSET_READ = 23;
const PR_CAPBSET_DROP = 24;
const PR_SET_SECUREBITS = 28;
const PR_SET_NO_NEW_PRIVS = 38;
const PR_CAP_AMBIENT = 47;
const PR_CAP_AMBIENT_CLEAR_ALL = 4;

/**
 * NOROOT: exec grants uid 0 nothing. NO_SETUID_FIXUP: changing the uid does not change capabilities.
 * NO_CAP_AMBIENT_RAISE: no capability becomes ambient again. Each with its lock bit; KEEP_CAPS is left alone.
 */
const SECUREBITS_LOCKED = 0x01 | 0x02 | 0x04 | 0x08 | 0x40 | 0x80;

/** What was done, and must be true after exec. */
export interface DropOutcome {
  readonly boundingDropped: boolean;
}

export interface DropTarget {
  readonly plan: Exclude<DropPlan, { kind: 'stay-root' }>;
  /** Effective capabilities before the drop. */
  readonly effective: bigint;
  /**
   * The program to execute has file capabilities: with an empty bounding set the kernel would refuse to execute it,
   * and `no_new_privs` keeps it from gaining them anyway.
   */
  readonly keepBounding: boolean;
}

type Step = () => Result<unknown, SyscallError>;

/**
 * Drops all privileges of the calling thread, for itself and for everything that it executes. Other threads keep
 * theirs: credentials belong to threads, and V8's workers cannot be reached from here. `execve` ends all other
 * threads, so the caller must execute a program or exit.
 */
export function dropPrivileges(target: DropTarget): Result<DropOutcome, SyscallError> {
  const mayDropBounding = hasCapability(target.effective, Capability.setPcap);
  const boundingDropped = mayDropBounding && !target.keepBounding;
  const steps: Step[] = [
    () => prctl('no_new_privs', PR_SET_NO_NEW_PRIVS, 1),
    ...(boundingDropped ? [dropBounding] : []),
    ...(mayDropBounding && target.plan.kind === 'bare-root'
      ? [() => prctl('securebits', PR_SET_SECUREBITS, SECUREBITS_LOCKED)]
      : []),
    () => prctl('ambient', PR_CAP_AMBIENT, PR_CAP_AMBIENT_CLEAR_ALL),
    ...identitySteps(target.plan),
    // Last, because the steps before need these capabilities.
    dropCapabilities,
  ];
  for (const step of steps) {
    const result = step();
    if (!result.ok) return result;
  }
  return ok({ boundingDropped });
}

function identitySteps(plan: DropTarget['plan']): Step[] {
  if (plan.kind !== 'sudo-user') return [];
  // Groups before the user, because changing groups is not permitted afterwards.
  return [() => setgroups(plan.groups), () => setresgid(plan.gid), () => setresuid(plan.uid)];
}

function dropBounding(): Result<unknown, SyscallError> {
  for (let capability = 0; ; capability++) {
    // EINVAL: higher than the last capability that this kernel has.
    if (!prctl('bounding', PR_CAPBSET_READ, capability).ok) return ok(undefined);
    const dropped = prctl('bounding', PR_CAPBSET_DROP, capability);
    if (!dropped.ok) return dropped;
  }
}
