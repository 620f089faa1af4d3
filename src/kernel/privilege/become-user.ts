import { readFileSync } from 'node:fs';
import { err, ok, type Result } from '../../base/result.ts';
import { parseThreadRights } from './capabilities.ts';
import { environmentChanges, type DropPlan } from './drop-plan.ts';
import { giveUpPower } from './give-up-power.ts';
import { cannotDrop, findPower } from './receive-handover.ts';
import { formatSyscallError, prctl } from './syscalls.ts';

/* linux/prctl.h */
const PR_SET_DUMPABLE = 4;

/**
 * Becomes the user without an exec, so that the process stays one into which that user cannot look: the
 * kernel marks a process that has changed its user as not dumpable, and exec would take the mark away.
 * Whoever can attach a debugger has every descriptor of a process, and a descriptor of a whole disk is
 * more than a rule for ioheat is to grant. libc changes the user of all threads (`nptl(7)`), which takes
 * all capabilities away from each; that is checked here. Only for another user: capabilities of root
 * belong to each thread alone, and take an exec.
 */
export function becomeUser(plan: Extract<DropPlan, { kind: 'sudo-user' }>): Result<undefined> {
  const before = parseThreadRights(readFileSync('/proc/self/status', 'utf8'));
  if (before === undefined) return err(cannotDrop('/proc/self/status cannot be understood'));
  const dropped = giveUpPower({ plan, effective: before.effective, keepBounding: false });
  if (!dropped.ok) return err(cannotDrop(formatSyscallError(dropped.error)));
  // Where fs.suid_dumpable is 1, changing the user alone does not do it.
  const hidden = prctl('dumpable', PR_SET_DUMPABLE, 0);
  if (!hidden.ok) return err(cannotDrop(formatSyscallError(hidden.error)));
  const power = findPower({ ...plan, isExecuted: false });
  if (power !== undefined) return err(cannotDrop(power));
  for (const [name, value] of Object.entries(environmentChanges(plan))) {
    if (value === undefined) Reflect.deleteProperty(process.env, name);
    else process.env[name] = value;
  }
  return ok(undefined);
}
