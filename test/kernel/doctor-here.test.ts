import { execFileSync, spawnSync } from 'node:child_process';
import { readdirSync, statSync } from 'node:fs';
import { release } from 'node:os';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { DoctorCheck, DoctorReport } from '../../src/kernel/doctor/report.ts';
import { bundleEntry, type BundledEntry } from './fixtures/bundle-entry.ts';
import { needs } from '../needs.ts';

const AS_NOBODY = ['setpriv', '--reuid=65534', '--regid=65534', '--clear-groups'];
const WITH_TRACING = ['--inh-caps=+bpf,+perfmon', '--ambient-caps=+bpf,+perfmon'];

let entry: BundledEntry;

interface Visit {
  readonly status: number | null;
  readonly report: DoctorReport;
  readonly stderr: string;
}

function visit(prefix: readonly string[] = []): Visit {
  const [program, ...args] = [...prefix, process.execPath, entry.path, '--json'];
  const { status, stdout, stderr } = spawnSync(program, args, { encoding: 'utf8' });
  return { status, report: JSON.parse(stdout) as DoctorReport, stderr };
}

function find(report: DoctorReport, id: string): DoctorCheck | undefined {
  return report.checks.find((check) => check.id === id);
}

describe('doctor on this machine', needs('root'), () => {
  beforeAll(async () => {
    entry = await bundleEntry('test/kernel/fixtures/doctor-entry.ts');
  });
  afterAll(() => {
    entry.dispose();
  });

  it('doctor as root creates a ring, loads, attaches, and leaves nothing behind', () => {
    const { status, report, stderr } = visit();
    expect(report.checks.filter((check) => check.status === 'fail')).toEqual([]);
    expect(find(report, 'ring')).toMatchObject({ status: 'ok' });
    expect(find(report, 'load')).toMatchObject({ status: 'ok' });
    expect({ status, stderr }).toEqual({ status: 0, stderr: '0 BPF descriptors left\n' });
  });

  it('doctor names the running kernel and finds libbpf and every tracepoint', () => {
    const { report } = visit();
    expect(find(report, 'system')?.found).toContain(release());
    expect(find(report, 'libbpf')?.found).toMatch(/^\d+\.\d+ \(libbpf\.so\.1\)$/);
    const names = report.checks.filter(({ id }) => id.startsWith('tracepoint-'));
    expect(names.map(({ status }) => status)).toEqual(Array(18).fill('ok'));
  });

  it('doctor lists only disks that make requests as traced', () => {
    const { report } = visit();
    const inUse = readdirSync('/sys/block').filter((name) =>
      statSync(`/sys/block/${name}/mq`, { throwIfNoEntry: false }),
    );
    const seen = find(report, 'bio-disks')?.found.split(';')[0]?.split(', ') ?? [];
    for (const name of seen) expect(inUse).toContain(name);
  });

  it('doctor as nobody exits with 3, the command to type, and what it could not try', () => {
    const { status, report } = visit(AS_NOBODY);
    expect(status).toBe(3);
    expect(find(report, 'rights')).toMatchObject({
      status: 'fail',
      found: 'user 65534, no capability to trace',
      remedy: `sudo ${process.execPath} ${entry.path} --json`,
    });
    expect(find(report, 'btf')).toMatchObject({ status: 'ok' });
    expect(find(report, 'ring')).toMatchObject({ status: 'unknown' });
    expect(find(report, 'load')).toMatchObject({ status: 'unknown' });
  });

  it('doctor as nobody with CAP_BPF and CAP_PERFMON can trace', () => {
    const { status, report } = visit([...AS_NOBODY, ...WITH_TRACING]);
    expect(find(report, 'load')).toMatchObject({ status: 'ok' });
    expect(status).toBe(0);
  });

  it('doctor as root of a user namespace cannot trace', () => {
    const { status, report } = visit(['unshare', '--user', '--map-root-user']);
    expect(status).toBe(3);
    expect(find(report, 'rights')?.found).toContain('only inside a user namespace');
  });

  it('doctor in a process namespace of its own warns about foreign process IDs', () => {
    const { report } = visit(['unshare', '--pid', '--fork', '--mount-proc']);
    expect(find(report, 'pid-namespace')).toMatchObject({ status: 'warn' });
  });

  it('doctor without kernel types says so', () => {
    const hide = 'mount --bind /dev/null /sys/kernel/btf/vmlinux && exec "$@"';
    const { status, report } = visit(['unshare', '--mount', 'sh', '-c', hide, 'sh']);
    expect(find(report, 'btf')).toMatchObject({ status: 'fail' });
    expect(status).toBe(3);
  });

  it('doctor prints lines of at most 80 columns, except for remedies', () => {
    const text = execFileSync(process.execPath, [entry.path], {
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'ignore'],
    });
    const long = text.split('\n').filter((line) => line.length > 80);
    expect(long.every((line) => line.trim().startsWith('do: '))).toBe(true);
    expect(text).toMatch(/\nioheat can trace here\.\n$|\nNothing found/);
  });
});
