import { basename, dirname } from 'node:path';
import { missingFileSystems, type NeededFileSystem } from '../machine/file-systems.ts';
import type { Machine } from './machine.ts';
import type { DoctorCheck } from './report.ts';

/** The file systems that tracing needs and that are not mounted. */
export function notMounted(machine: Machine): readonly NeededFileSystem[] {
  return missingFileSystems((path) => machine.list(dirname(path)).includes(basename(path)));
}

export function checkMounts(machine: Machine): DoctorCheck {
  const base = { id: 'mounts', label: '/proc and /sys' };
  const missing = notMounted(machine);
  if (missing.length === 0) return { ...base, status: 'ok', found: 'mounted' };
  return {
    ...base,
    status: 'fail',
    found: `not mounted: ${missing.map(({ folder }) => folder).join(', ')}`,
    remedy: missing.map(({ mount }) => mount).join(' && '),
  };
}
