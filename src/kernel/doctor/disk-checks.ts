import { shellQuote } from '../privilege/explain.ts';
import type { Machine } from './machine.ts';
import { readText } from './read-text.ts';
import type { DoctorCheck } from './report.ts';

const BLOCK = '/sys/block';

/** Disks with a size above 0, which leaves out unused loop and zram devices. */
function disksOf(machine: Machine): string[] {
  return machine
    .list(BLOCK)
    .filter((name) => Number(readText(machine, `${BLOCK}/${name}/size`) ?? 0) > 0)
    .sort();
}

/** Counts the disks, and the volumes: devices that handle bios without requests (device mapper, RAID, zram). */
export function checkBioDisks(machine: Machine): DoctorCheck {
  const base = { id: 'bio-disks', label: 'disks seen' };
  const disks = disksOf(machine);
  if (disks.length === 0) return { ...base, status: 'unknown', found: `no disk in ${BLOCK}` };
  const bioBased = disks.filter((name) => !machine.list(`${BLOCK}/${name}`).includes('mq'));
  const seen = disks
    .filter((name) => !bioBased.includes(name))
    .map(deviceName)
    .join(', ');
  if (bioBased.length === 0) return { ...base, status: 'ok', found: seen };
  const described = bioBased.map((name) => describeBioDisk(machine, name)).join(', ');
  const found = `${seen === '' ? 'none' : seen}; volumes (--layer volumes): ${described}`;
  return { ...base, status: 'ok', found };
}

function describeBioDisk(machine: Machine, name: string): string {
  const below = machine.list(`${BLOCK}/${name}/slaves`);
  const names = [...below].sort().map(deviceName).join(' ');
  const title = readText(machine, `${BLOCK}/${name}/dm/name`)?.trim() ?? deviceName(name);
  return below.length === 0 ? title : `${title} (over ${names})`;
}

/** sysfs replaces the `/` in a device name by `!`. */
function deviceName(name: string): string {
  return name.replaceAll('!', '/');
}

export function checkIoStats(machine: Machine): DoctorCheck {
  const base = { id: 'iostats', label: 'disk accounting' };
  const off = disksOf(machine).filter(
    (name) => readText(machine, `${BLOCK}/${name}/queue/iostats`)?.trim() === '0',
  );
  if (off.length === 0) return { ...base, status: 'ok', found: 'on for every disk' };
  const files = off.map((name) => shellQuote(`${BLOCK}/${name}/queue/iostats`)).join(' ');
  return {
    ...base,
    status: 'warn',
    found: `off for ${off.map(deviceName).join(', ')}`,
    lost: "%UTIL of these disks and the comparison with the kernel's own counts",
    remedy: `echo 1 | sudo tee ${files}`,
  };
}
