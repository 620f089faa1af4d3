import { Capability, hasCapability } from '../privilege/capabilities.ts';
import type { Machine } from './machine.ts';
import type { DoctorCheck } from './report.ts';
import { rightsOf } from './rights-checks.ts';

/** Of all modules, the one whose types the programs use; for xfs, dm and md those of the kernel suffice. */
const MODULE = 'btrfs';
const LOST = `files on ${MODULE}`;

/** Built in, its types are among the kernel's. */
function isLoadedModule(machine: Machine): boolean {
  return machine.list(`/sys/module/${MODULE}`).includes('initstate');
}

export function checkModuleTypes(machine: Machine): DoctorCheck {
  const base = { id: 'module-types', label: 'types of modules' };
  if (!isLoadedModule(machine))
    return { ...base, status: 'ok', found: `none needed, ${MODULE} is not a loaded module` };
  if (!machine.list('/sys/kernel/btf').includes(MODULE))
    return {
      ...base,
      status: 'warn',
      found: `${MODULE} has none`,
      lost: LOST,
      remedy: 'boot a kernel built with CONFIG_DEBUG_INFO_BTF_MODULES=y',
    };
  const rights = rightsOf(machine);
  if (rights === undefined || hasCapability(rights.effective, Capability.sysAdmin))
    return { ...base, status: 'ok', found: MODULE };
  return {
    ...base,
    status: 'warn',
    found: `${MODULE}, but only CAP_SYS_ADMIN may list them`,
    lost: LOST,
    remedy: 'run ioheat as root',
  };
}
