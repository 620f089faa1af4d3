import { describe, expect, it } from 'vitest';
import { libbpfRemedy } from '../../src/kernel/doctor/packages.ts';
import type { DoctorCheck } from '../../src/kernel/doctor/report.ts';
import { doctorExitCode } from '../../src/kernel/doctor/report.ts';
import { runDoctor } from '../../src/kernel/doctor/run-doctor.ts';
import { buildBtf } from './fixtures/btf-builder.ts';
import {
  describedMachine,
  statusFile,
  tracepoints,
  type MachineDescription,
} from './fixtures/machines.ts';

async function check(id: string, description: MachineDescription): Promise<DoctorCheck> {
  const { checks } = await runDoctor(describedMachine(description));
  const found = checks.find((candidate) => candidate.id === id);
  if (found === undefined) throw new Error(`no check ${id}`);
  return found;
}

const NOBODY: MachineDescription = {
  euid: 65534,
  files: { '/proc/self/status': statusFile('0000000000000000') },
};

describe('a machine where all is well', () => {
  it('a machine where all is well passes every doctor check', async () => {
    const report = await runDoctor(describedMachine());
    expect(report.checks.filter(({ status }) => status !== 'ok')).toEqual([]);
    expect(doctorExitCode(report)).toBe(0);
  });

  it('doctor checks in the order in which one thing needs another', async () => {
    const { checks } = await runDoctor(describedMachine());
    expect(checks.map(({ id }) => id)).toEqual([
      'system',
      'node',
      'koffi',
      'libbpf',
      'mounts',
      'btf',
      'tracepoint-block_rq_complete',
      'tracepoint-block_rq_issue',
      'tracepoint-block_bio_queue',
      'tracepoint-block_io_start',
      'tracepoint-block_getrq',
      'tracepoint-writeback_dirty_folio',
      'tracepoint-writeback_dirty_page',
      'tracepoint-jbd2_handle_stats',
      'tracepoint-jbd2_commit_flushing',
      'tracepoint-block_bio_complete',
      'tracepoint-sched_switch',
      'tracepoint-sys_enter',
      'tracepoint-sys_exit',
      'tracepoint-io_uring_submit_req',
      'tracepoint-io_uring_submit_sqe',
      'tracepoint-io_uring_complete',
      'tracepoint-block_rq_requeue',
      'tracepoint-block_rq_merge',
      'rights',
      'pid-namespace',
      'seccomp',
      'confinement',
      'lockdown',
      'memlock',
      'ring',
      'load',
      'module-types',
      'bio-disks',
      'iostats',
    ]);
  });
});

describe('a machine that cannot run the tracer', () => {
  it.each<[string, MachineDescription]>([
    ['another system', { platform: 'darwin' }],
    ['another processor', { arch: 'ppc64' }],
    ['the other byte order', { littleEndian: false }],
  ])('doctor on %s exits with 3 and points to replay', async (_, description) => {
    const report = await runDoctor(describedMachine(description));
    expect(report.checks[0]).toMatchObject({ status: 'fail' });
    expect(report.checks[0]?.remedy).toContain('replay');
    expect(doctorExitCode(report)).toBe(3);
  });

  it('doctor says which Node.js version to install on an old one', async () => {
    expect(await check('node', { nodeVersion: '18.20.0' })).toMatchObject({ status: 'fail' });
    expect(await check('node', { nodeVersion: '20.18.3' })).toMatchObject({ status: 'fail' });
    expect(await check('node', { nodeVersion: '22.0.0' })).toMatchObject({ status: 'ok' });
  });

  it('without koffi, doctor tries nothing native', async () => {
    const description = { koffiError: 'Cannot find the native Koffi module' };
    expect(await check('koffi', description)).toMatchObject({ status: 'fail' });
    expect(await check('libbpf', description)).toMatchObject({ status: 'unknown' });
    expect(await check('ring', description)).toMatchObject({ status: 'unknown' });
  });
});

describe('file systems that are not mounted', () => {
  const without = (folder: string): MachineDescription => {
    const whole = describedMachine();
    const isHidden = (path: string): boolean => path === folder || path.startsWith(`${folder}/`);
    return {
      ...{ list: (path) => (isHidden(path) ? [] : whole.list(path)) },
      read: (path) => (isHidden(path) ? { ok: false, code: 'ENOENT' } : whole.read(path)),
    };
  };

  it.each([
    ['/proc', 'mount -t proc proc /proc'],
    ['/sys', 'mount -t sysfs sysfs /sys'],
  ])(
    'without %s doctor exits with 3, as tracing does, and says how to mount it',
    async (folder, remedy) => {
      const report = await runDoctor(describedMachine(without(folder)));
      expect(report.checks.filter(({ status }) => status === 'fail')).toEqual([
        {
          id: 'mounts',
          label: '/proc and /sys',
          status: 'fail',
          found: `not mounted: ${folder}`,
          remedy,
        },
      ]);
      expect(doctorExitCode(report)).toBe(3);
    },
  );

  it('doctor does not blame the kernel for types that are hidden because /sys is not mounted', async () => {
    expect(await check('btf', without('/sys'))).toEqual({
      ...{ id: 'btf', label: 'kernel types (BTF)' },
      ...{ status: 'unknown', found: 'not known without /sys' },
    });
  });
});

describe('libbpf', () => {
  it('without libbpf, doctor gives the command of the distribution', async () => {
    expect(await check('libbpf', { libraries: [] })).toMatchObject({
      status: 'fail',
      found: 'not found',
      remedy: 'apt install libbpf1',
    });
  });

  it('doctor warns of libbpf 0.x, which may be able to trace', async () => {
    const libraries = [{ file: 'libbpf.so.0', version: '0.5' }];
    const found = await check('libbpf', {
      libraries,
      files: {
        '/etc/os-release': 'PRETTY_NAME="Ubuntu 22.04.4 LTS"\nID=ubuntu\nVERSION_ID="22.04"\n',
      },
    });
    expect(found).toMatchObject({
      status: 'warn',
      found: 'only 0.5 (libbpf.so.0)',
    });
    expect(found.remedy).toContain('Ubuntu 22.04.4 LTS has only libbpf 0.x');
  });

  it.each([
    ['ID=fedora\nVERSION_ID=41', 'dnf install libbpf'],
    ['ID="rocky"\nID_LIKE="rhel centos fedora"\nVERSION_ID="9.4"', 'dnf install libbpf'],
    ['ID=alpine\nVERSION_ID=3.20.1', 'apk add libbpf'],
    ['ID="opensuse-tumbleweed"\nID_LIKE="opensuse suse"', 'zypper install libbpf1'],
    ['ID=linuxmint\nID_LIKE="ubuntu debian"\nVERSION_ID="22"', 'apt install libbpf1'],
    ['ID=arch', 'pacman -S libbpf'],
    ['ID=debian', 'apt install libbpf1'],
    ['ID=plan9', 'install libbpf 1.0 or newer'],
    ['', 'install libbpf 1.0 or newer'],
  ])('doctor on %j suggests %j to get libbpf', (osRelease, remedy) => {
    expect(libbpfRemedy(osRelease)).toBe(remedy);
  });

  it.each([
    ['ID=debian\nVERSION_ID="11"', 'upgrade to debian 12'],
    ['ID=rhel\nVERSION_ID="8.10"', 'upgrade to rhel 9.2'],
    ['ID=sles\nVERSION_ID="15.4"', 'upgrade to sles 15.5'],
  ])('doctor on %j says that libbpf is too old in every package', (osRelease, remedy) => {
    expect(libbpfRemedy(osRelease)).toContain(remedy);
  });
});

describe('the kernel types', () => {
  const btf = (content: string | Uint8Array | { errno: string }): MachineDescription => ({
    files: { '/sys/kernel/btf/vmlinux': content },
  });

  it('without kernel types doctor fails and tracepoints are unknown', async () => {
    const absent = btf({ errno: 'ENOENT' });
    expect(await check('btf', absent)).toMatchObject({ status: 'fail' });
    expect((await check('btf', absent)).remedy).toContain('CONFIG_DEBUG_INFO_BTF');
    expect(await check('tracepoint-block_rq_issue', absent)).toMatchObject({ status: 'unknown' });
  });

  it('doctor fails on kernel types that are unreadable, empty, foreign or truncated', async () => {
    const whole = tracepoints({});
    const broken = [{ errno: 'EACCES' }, '', '\x7fELF and so on, long enough', whole.slice(0, 60)];
    for (const content of broken) {
      expect(await check('btf', btf(content))).toMatchObject({ status: 'fail' });
    }
  });

  it('doctor accepts both shapes of the tracepoints, with the queue and without', async () => {
    const old = btf(tracepoints({ block_rq_issue: 2, block_rq_requeue: 2, block_rq_merge: 2 }));
    expect(await check('tracepoint-block_rq_issue', old)).toMatchObject({
      status: 'ok',
      found: '2 arguments',
    });
    expect(await check('tracepoint-block_rq_merge', old)).toMatchObject({ status: 'ok' });
  });

  it('doctor: without completions there is no tracing, without issues no device latency', async () => {
    const noCompletion = btf(tracepoints({ block_rq_complete: undefined }));
    const complete = await check('tracepoint-block_rq_complete', noCompletion);
    expect(complete).toMatchObject({ status: 'fail', found: 'absent', lost: 'every I/O' });
    const noIssue = btf(tracepoints({ block_rq_issue: undefined }));
    const issue = await check('tracepoint-block_rq_issue', noIssue);
    expect(issue).toMatchObject({ status: 'warn', lost: 'device latency' });
  });

  it('doctor says what waits need besides their tracepoint', async () => {
    const old = btf(tracepoints({ sched_switch: 3 }, []));
    expect(await check('tracepoint-sched_switch', old)).toMatchObject({
      status: 'warn',
      found: '3 arguments, but no bpf_task_pt_regs',
      lost: 'what programs wait for: the layer waits',
    });
  });

  it('doctor does not guess at tracepoints with an unknown number of arguments', async () => {
    const strange = btf(tracepoints({ block_rq_complete: 4 }));
    expect(await check('tracepoint-block_rq_complete', strange)).toMatchObject({
      status: 'fail',
      found: '4 arguments, unknown to ioheat',
    });
  });

  it('doctor: without block_bio_queue the wait for a free request is not seen', async () => {
    const found = await check(
      'tracepoint-block_bio_queue',
      btf(tracepoints({ block_bio_queue: undefined })),
    );
    expect(found).toMatchObject({ status: 'warn', found: 'absent' });
    expect(found.lost).toContain('waits for a free request');
    const before511 = btf(tracepoints({ block_bio_queue: 2 }));
    expect(await check('tracepoint-block_bio_queue', before511)).toMatchObject({ status: 'ok' });
  });

  it('doctor says what the substitute for block_io_start does not see', async () => {
    const before65 = btf(tracepoints({ block_io_start: undefined, block_getrq: 3 }));
    expect(await check('tracepoint-block_io_start', before65)).toMatchObject({ status: 'warn' });
    expect(await check('tracepoint-block_getrq', before65)).toMatchObject({ status: 'ok' });
  });

  it('doctor: without block_io_start and its substitute owners are lost, without the substitute alone nothing', async () => {
    const neither = btf(tracepoints({ block_io_start: undefined, block_getrq: undefined }));
    expect((await check('tracepoint-block_getrq', neither)).lost).toContain('the owner of an I/O');
    const noSubstitute = btf(tracepoints({ block_getrq: undefined }));
    expect(await check('tracepoint-block_getrq', noSubstitute)).toMatchObject({ status: 'ok' });
  });
});

describe('the types of modules', () => {
  const loaded = { '/sys/module/btrfs/initstate': 'live\n', '/sys/module/btrfs/refcnt': '1\n' };
  const typed = { ...loaded, '/sys/kernel/btf/btrfs': 'types' };

  it('doctor says what is lost without the types of btrfs, where it is a module', async () => {
    expect(await check('module-types', { files: loaded })).toMatchObject({
      status: 'warn',
      found: 'none of btrfs',
      lost: 'files on btrfs',
    });
    expect(await check('module-types', { files: typed })).toMatchObject({ status: 'ok' });
    const builtIn = { '/sys/module/btrfs/version': '1\n' };
    expect(await check('module-types', { files: builtIn })).toMatchObject({ status: 'ok' });
  });

  it('doctor says whose I/O is unknown without the types of jbd2, and needs none where it is not loaded', async () => {
    const kernel = tracepoints({ jbd2_handle_stats: undefined, jbd2_commit_flushing: undefined });
    const without = { '/sys/kernel/btf/vmlinux': kernel };
    const files = { ...without, '/sys/module/jbd2/initstate': 'live\n' };
    expect(await check('module-types', { files })).toMatchObject({
      status: 'warn',
      lost: 'who filled the journal of ext4',
    });
    expect(await check('tracepoint-jbd2_handle_stats', { files })).toMatchObject({
      status: 'warn',
      found: 'absent',
    });
    expect(await check('tracepoint-jbd2_handle_stats', { files: without })).toMatchObject({
      status: 'ok',
      found: 'absent, not needed here',
    });
    const typed = {
      ...files,
      '/sys/kernel/btf/jbd2': buildBtf(
        { jbd2_handle_stats: 8, jbd2_commit_flushing: 2 },
        [],
        kernel,
      ),
    };
    expect(await check('module-types', { files: typed })).toMatchObject({
      status: 'ok',
      found: 'jbd2',
    });
    expect(await check('tracepoint-jbd2_handle_stats', { files: typed })).toMatchObject({
      status: 'ok',
      found: '8 arguments',
    });
  });

  it('doctor says that only root may list them', async () => {
    const files = { ...typed, '/proc/self/status': statusFile('000000c000000000') };
    expect(await check('module-types', { euid: 1000, files })).toMatchObject({
      status: 'warn',
      lost: 'files on btrfs',
    });
  });
});

describe('rights', () => {
  it('without rights, doctor ends with the command to type, and tries nothing', async () => {
    const report = await runDoctor(describedMachine(NOBODY));
    expect(report.checks.find(({ id }) => id === 'rights')).toMatchObject({
      status: 'fail',
      found: 'user 65534, no capability to trace',
      remedy: 'sudo /opt/node/bin/node /opt/bin/ioheat doctor',
    });
    const unknown = report.checks.filter(({ status }) => status === 'unknown');
    expect(unknown.map(({ id }) => id)).toEqual(['ring', 'load']);
    expect(doctorExitCode(report)).toBe(3);
  });

  it('for doctor, both capabilities suffice for an ordinary user', async () => {
    const files = { '/proc/self/status': statusFile('000000c000000000') };
    expect(await check('rights', { euid: 1000, files })).toMatchObject({
      status: 'ok',
      found: 'user 1000, CAP_BPF, CAP_PERFMON',
    });
  });

  it('for doctor, rights in a user namespace do not count', async () => {
    const links = { '/proc/self/ns/user': 'user:[4026532201]' };
    const found = await check('rights', { links });
    expect(found).toMatchObject({ status: 'fail' });
    expect(found.remedy).toContain('on the host');
  });

  it('doctor warns in a container with its own process IDs', async () => {
    const links = { '/proc/self/ns/pid': 'pid:[4026532202]' };
    expect(await check('pid-namespace', { links })).toMatchObject({
      status: 'warn',
      remedy: 'start the container with --pid=host',
    });
  });

  it('doctor says when system calls cannot be filtered, which does not keep from tracing', async () => {
    const path = '/proc/sys/kernel/seccomp/actions_avail';
    const without = { files: { [path]: { errno: 'ENOENT' } } };
    expect(await check('confinement', without)).toMatchObject({ status: 'warn' });
    expect(doctorExitCode(await runDoctor(describedMachine(without)))).toBe(0);
    const old = { files: { [path]: 'kill trap errno trace allow\n' } };
    expect(await check('confinement', old)).toMatchObject({
      status: 'warn',
      found: 'the kernel lacks kill_process',
    });
    expect(await check('confinement', { arch: 'riscv64' })).toMatchObject({
      status: 'warn',
      found: 'no list of system calls for riscv64',
    });
  });

  it('under a seccomp filter, doctor judges by whether the programs load', async () => {
    const files = { '/proc/self/status': statusFile('000000c000000000', 2) };
    expect(await check('seccomp', { files })).toMatchObject({ status: 'ok' });
    expect(await check('seccomp', { files, ringError: 'EPERM' })).toMatchObject({
      status: 'unknown',
    });
  });
});

describe('lockdown', () => {
  const level = (text: string): MachineDescription['files'] => ({
    '/sys/kernel/security/lockdown': text,
  });

  it('for doctor, lockdown up to integrity is no obstacle', async () => {
    const files = level('none [integrity] confidentiality\n');
    expect(await check('lockdown', { files })).toMatchObject({ status: 'ok', found: 'integrity' });
  });

  it('for doctor, hidden or strict lockdown is unknown until the programs load', async () => {
    for (const file of ['none integrity [confidentiality]\n', { errno: 'ENOENT' }]) {
      const files = { '/sys/kernel/security/lockdown': file };
      expect(await check('lockdown', { files, traceError: 'no' })).toMatchObject({
        status: 'unknown',
      });
      expect(await check('lockdown', { files })).toMatchObject({ status: 'ok' });
    }
  });
});

describe('locked memory', () => {
  const kernelRelease = '5.10.0-28-amd64';

  it('for doctor, locked memory limits maps only before Linux 5.11', async () => {
    expect(await check('memlock', { kernelRelease: '5.11.0' })).toMatchObject({ status: 'ok' });
    const files = { '/proc/self/status': statusFile('000000c000000000') };
    expect(await check('memlock', { kernelRelease, files })).toMatchObject({
      status: 'warn',
      found: '65536 bytes, which limit maps before Linux 5.11',
    });
  });

  it('for doctor, locked memory does not matter where it may be raised', async () => {
    expect(await check('memlock', { kernelRelease })).toMatchObject({ status: 'ok' });
  });
});

describe('the trials', () => {
  it('a failed trial of doctor reports what the kernel said', async () => {
    const ring = await check('ring', { ringError: 'bpf: not permitted (EPERM)' });
    expect(ring).toMatchObject({ status: 'fail', found: 'bpf: not permitted (EPERM)' });
    const load = await check('load', { traceError: 'refused by the verifier' });
    expect(load).toMatchObject({ status: 'fail', found: 'refused by the verifier' });
  });

  it('a trial of doctor reports how many programs ran', async () => {
    expect(await check('load', {})).toMatchObject({ found: '5 loaded, attached and detached' });
  });

  it('a trial of doctor reports what the kernel refused, why, and what is lost', async () => {
    const refused = [{ tracepoint: 'sched_switch', lost: 'waits', refusal: 'no such member' }];
    expect(await check('load', { refused })).toMatchObject({
      status: 'warn',
      found: '5 loaded, attached and detached; the kernel refused others: no such member',
      lost: 'waits',
    });
  });

  it('doctor does not load programs where not even a ring can be created', async () => {
    expect(await check('load', { ringError: 'EPERM' })).toMatchObject({ status: 'unknown' });
  });
});

describe('disks', () => {
  it('doctor names volumes with the disks below them', async () => {
    const files = {
      '/sys/block/dm-0/size': '10',
      '/sys/block/dm-0/dm/name': 'vg0-data\n',
      '/sys/block/dm-0/slaves/sda/size': '1',
      '/sys/block/zram0/size': '10',
      '/sys/block/zram1/size': '0',
    };
    const found = await check('bio-disks', { files });
    const volumes = 'volumes (--layer volumes): vg0-data (over sda), zram0';
    expect(found).toMatchObject({ status: 'ok', found: `sda; ${volumes}` });
  });

  it('without disks, doctor cannot tell what is traced', async () => {
    const files = { '/sys/block/sda/size': '0' };
    expect(await check('bio-disks', { files })).toMatchObject({ status: 'unknown' });
  });

  it('doctor gives the command to turn on accounting of a disk', async () => {
    const files = { '/sys/block/sda/queue/iostats': '0\n' };
    expect(await check('iostats', { files })).toMatchObject({
      status: 'warn',
      found: 'off for sda',
      remedy: 'echo 1 | sudo tee /sys/block/sda/queue/iostats',
    });
  });
});
