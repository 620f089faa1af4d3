import type { DoctorCheck } from './report.ts';
import type { Machine } from './machine.ts';
import { libbpfRemedy } from './packages.ts';
import { readText } from './read-text.ts';

const NODE_FLOOR = [20, 19] as const;

export function checkSystem(machine: Machine): DoctorCheck {
  const { platform, arch, littleEndian, kernelRelease } = machine;
  const base = { id: 'system', label: 'system' };
  const found = `${platform === 'linux' ? 'Linux' : platform} ${kernelRelease}, ${arch}`;
  if (platform !== 'linux') {
    return { ...base, status: 'fail', found, remedy: 'replay recordings here, trace on Linux' };
  }
  if ((arch === 'x64' || arch === 'arm64') && littleEndian) {
    return { ...base, status: 'ok', found };
  }
  const remedy = 'trace on x86-64 or on little-endian arm64; replay works here';
  return { ...base, status: 'fail', found, remedy };
}

export function checkNode(machine: Machine): DoctorCheck {
  const base = { id: 'node', label: 'Node.js', found: machine.nodeVersion };
  const [major = 0, minor = 0] = machine.nodeVersion.split('.').map(Number);
  const [floorMajor, floorMinor] = NODE_FLOOR;
  if (major > floorMajor || (major === floorMajor && minor >= floorMinor)) {
    return { ...base, status: 'ok' };
  }
  return { ...base, status: 'fail', remedy: `install Node.js ${NODE_FLOOR.join('.')} or newer` };
}

export async function checkKoffi(machine: Machine): Promise<DoctorCheck> {
  const base = { id: 'koffi', label: 'native module' };
  const koffi = await machine.loadKoffi();
  if (koffi.ok) return { ...base, status: 'ok', found: `koffi ${koffi.value}` };
  const remedy = 'npm install again on this machine, with its optional dependencies';
  return { ...base, status: 'fail', found: `koffi does not load: ${koffi.error}`, remedy };
}

/** `hasKoffi` false: no library can be loaded, so the result is unknown. */
export async function checkLibbpf(machine: Machine, hasKoffi: boolean): Promise<DoctorCheck> {
  const base = { id: 'libbpf', label: 'libbpf' };
  if (!hasKoffi) return { ...base, status: 'unknown', found: 'not tried without koffi' };
  const library = await machine.findLibbpf(['libbpf.so.1', 'libbpf.so.0']);
  const found = library === undefined ? 'not found' : `${library.version} (${library.file})`;
  if (library?.file === 'libbpf.so.1') return { ...base, status: 'ok', found };
  const remedy = libbpfRemedy(readText(machine, '/etc/os-release') ?? '');
  if (library === undefined) return { ...base, status: 'fail', found, remedy };
  const lost = 'certainty: 0.x should work, but ioheat is tested with 1.x';
  return { ...base, status: 'warn', found: `only ${found}`, lost, remedy };
}
