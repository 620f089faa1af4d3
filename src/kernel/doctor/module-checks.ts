import { JOURNAL_MODULE, moduleStatePath } from '../attach/journal-types.ts';
import { Capability, hasCapability } from '../privilege/capabilities.ts';
import type { Machine } from './machine.ts';
import type { DoctorCheck } from './report.ts';
import { readText } from './read-text.ts';
import { rightsOf } from './rights-checks.ts';

/** Modules whose types the programs use, and what is lost without; for xfs, dm and md those of the kernel suffice. */
const LOST_WITHOUT: Readonly<Record<string, string>> = {
  btrfs: 'files on btrfs',
  [JOURNAL_MODULE]: 'who filled the journal of ext4',
};

/** Whether a module is loaded. The types of a built-in one are among the kernel's. */
function isLoadedModule(machine: Machine, module: string): boolean {
  return readText(machine, moduleStatePath(module)) !== undefined;
}

export function checkModuleTypes(machine: Machine): DoctorCheck {
  const base = { id: 'module-types', label: 'types of modules' };
  const all = Object.keys(LOST_WITHOUT);
  const loaded = all.filter((module) => isLoadedModule(machine, module));
  const lost = (modules: readonly string[]) =>
    modules.map((module) => LOST_WITHOUT[module]).join('; ');
  if (loaded.length === 0)
    return { ...base, status: 'ok', found: `none needed, no ${all.join(' or ')} is loaded` };
  const typed = machine.list('/sys/kernel/btf');
  const untyped = loaded.filter((module) => !typed.includes(module));
  if (untyped.length > 0)
    return {
      ...base,
      status: 'warn',
      found: `none of ${untyped.join(', ')}`,
      lost: lost(untyped),
      remedy: 'boot a kernel built with CONFIG_DEBUG_INFO_BTF_MODULES=y',
    };
  const found = loaded.join(', ');
  const rights = rightsOf(machine);
  if (rights === undefined || hasCapability(rights.effective, Capability.sysAdmin))
    return { ...base, status: 'ok', found };
  return {
    ...base,
    status: 'warn',
    found: `${found}, but only CAP_SYS_ADMIN may list them`,
    lost: lost(loaded),
    remedy: 'run ioheat as root',
  };
}
