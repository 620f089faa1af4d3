import { err, ok, type Result } from '../../base/result.ts';
import { ownRights } from './capabilities.ts';
import { environmentChanges, type DropPlan } from './drop-plan.ts';
import { dropPrivileges } from './drop-privileges.ts';
import { cannotDrop, cannotReadRights, findPrivilege } from './receive-handover.ts';
import { formatSyscallError, prctl } from '../native/syscalls.ts';

/* linux/prctl.h */
const PR_SET_DUMPABLE = 4;

/**
 * Becomes the user without an exec, so that the user cannot attach a debugger: the kernel marks a process that has
 * changed its user as not dumpable, and exec would clear the mark. A debugger would get every descriptor of the
 * process, and an open descriptor of a whole disk is more than a rule for ioheat is meant to grant. libc changes the
 * user of all threads (`nptl(7)`), which clears the capabilities of each; that is checked here. Only for another
 * user: when root stays root, each thread keeps its capabilities, so an exec is needed.
 */
export function becomeUser(plan: Extract<DropPlan, { kind: 'sudo-user' }>): Result<undefined> {
  const before = ownRights();
  if (before === undefined) return err(cannotReadRights());
  const dropped = dropPrivileges({ plan, effective: before.effective, keepBounding: false });
  if (!dropped.ok) return err(cannotDrop(formatSyscallError(dropped.error)));
  // Where fs.suid_dumpable is 1, changing the user does not clear the mark.
  const hidden = prctl('dumpable', PR_SET_DUMPABLE, 0);
  if (!hidden.ok) return err(cannotDrop(formatSyscallError(hidden.error)));
  const privilege = findPrivilege({ ...plan, isExecuted: false });
  if (privilege !== undefined) return err(cannotDrop(privilege));
  for (const [name, value] of Object.entries(environmentChanges(plan))) {
    if (value === undefined) Reflect.deleteProperty(process.env, name);
    else process.env[name] = value;
  }
  return ok(undefined);
}
