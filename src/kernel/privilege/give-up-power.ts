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
} from './syscalls.ts';

/* linux/prctl.h, linux/securebits.h */
const PR_CAPBSET_READ = 23;
const PR_CAPBSET_DROP = 24;
const PR_SET_SECUREBITS = 28;
const PR_SET_NO_NEW_PRIVS = 38;
const PR_CAP_AMBIENT = 47;
const PR_CAP_AMBIENT_CLEAR_ALL = 4;

/**
 * NOROOT: uid 0 is an ordinary user to exec. NO_SETUID_FIXUP: no uid change touches capabilities.
 * NO_CAP_AMBIENT_RAISE: none becomes ambient again. Each with its lock bit; KEEP_CAPS is left alone.
 */
const SECUREBITS_LOCKED = 0x01 | 0x02 | 0x04 | 0x08 | 0x40 | 0x80;

/** What could be done and must hold after exec. */
export interface DropOutcome {
  readonly boundingDropped: boolean;
}

export interface DropTarget {
  readonly plan: Exclude<DropPlan, { kind: 'stay-root' }>;
  /** Effective capabilities before the drop. */
  readonly effective: bigint;
  /**
   * The program to execute carries file capabilities: with an empty bounding set the kernel refuses to
   * execute it at all, and `no_new_privs` keeps it from gaining them anyway.
   */
  readonly keepBounding: boolean;
}

type Step = () => Result<unknown, SyscallError>;

/**
 * Gives up every power of the calling thread, for itself and for all it will execute. Other threads
 * keep theirs: credentials belong to threads, and V8's workers cannot be reached from here. So this is
 * only half of the work; `execve`, which ends all other threads, is the other half, and whoever calls
 * this must execute or exit.
 */
export function giveUpPower(target: DropTarget): Result<DropOutcome, SyscallError> {
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
    // Last: the steps before need what this takes away.
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
  // Groups before the user: afterwards there is no right left to change them.
  return [() => setgroups(plan.groups), () => setresgid(plan.gid), () => setresuid(plan.uid)];
}

function dropBounding(): Result<unknown, SyscallError> {
  for (let capability = 0; ; capability++) {
    // EINVAL: beyond the last capability this kernel knows.
    if (!prctl('bounding', PR_CAPBSET_READ, capability).ok) return ok(undefined);
    const dropped = prctl('bounding', PR_CAPBSET_DROP, capability);
    if (!dropped.ok) return dropped;
  }
}
