import { execFileSync, spawnSync } from 'node:child_process';
import { chownSync, copyFileSync, mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { parseThreadRights } from '../../src/kernel/privilege/capabilities.ts';
import { bundleEntry, type BundledEntry } from './fixtures/bundle-entry.ts';
import { needs } from '../needs.ts';
import type { StageReport } from './fixtures/stage-report.ts';

const NOBODY = 65534;
const AS_NOBODY = [`--reuid=${NOBODY}`, `--regid=${NOBODY}`, '--clear-groups'];
const WITH_TRACING = ['--inh-caps=+bpf,+perfmon', '--ambient-caps=+bpf,+perfmon'];

interface Run {
  readonly status: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

let entry: BundledEntry;
let here: string;

function run(command: readonly string[], env: Record<string, string> = {}): Run {
  const [program = '', ...args] = command;
  const clean = { PATH: process.env['PATH'] ?? '', HOME: '/root', USER: 'root', LOGNAME: 'root' };
  return spawnSync(program, args, { cwd: here, env: { ...clean, ...env }, encoding: 'utf8' });
}

function report(command: readonly string[], env: Record<string, string> = {}): StageReport {
  const { status, stdout, stderr } = run(command, env);
  expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
  return JSON.parse(stdout) as StageReport;
}

function sudoEnv(uid: number, gid = uid): Record<string, string> {
  return { SUDO_UID: String(uid), SUDO_GID: String(gid), SUDO_USER: 'someone' };
}

function expectUnprivileged(found: StageReport, uid: number, gid: number, bounding = 0n): void {
  expect(found.statuses.length).toBeGreaterThan(8);
  for (const status of [...found.statuses, found.childStatus]) {
    expect(parseThreadRights(status)).toMatchObject({
      uids: [uid, uid, uid, uid],
      gids: [gid, gid, gid, gid],
      inheritable: 0n,
      permitted: 0n,
      effective: 0n,
      ambient: 0n,
      bounding,
      noNewPrivs: true,
    });
  }
  expect(found).toMatchObject({ canTrace: false, newMap: 'refused' });
}

/** Makes the working directory of the next run: empty, and owned by this user. */
function standWith(uid: number): void {
  rmSync(here, { recursive: true, force: true });
  mkdirSync(here, { mode: 0o755 });
  chownSync(here, uid, uid);
}

describe('re-execution without privileges', needs('root'), () => {
  beforeAll(async () => {
    entry = await bundleEntry('test/kernel/fixtures/handover-entry.ts');
    here = join(entry.folder, 'here');
    standWith(0);
  });
  afterAll(() => {
    entry.dispose();
  });

  describe('started by sudo', () => {
    it('under sudo, every thread is the user who typed it and has no capability left', () => {
      standWith(NOBODY);
      const found = report([process.execPath, entry.path], sudoEnv(NOBODY));
      expect(found.kind).toBe('sudo-user');
      expectUnprivileged(found, NOBODY, NOBODY);
      expect(found.groups).toEqual([NOBODY]);
    });

    it('under sudo, inherited maps can be mapped and read, and no other BPF descriptor is inherited', () => {
      standWith(NOBODY);
      const found = report([process.execPath, entry.path], sudoEnv(NOBODY));
      expect(found.value).toBe(4711);
      expect(found.descriptors.filter((line) => line.includes('bpf'))).toHaveLength(1);
    });

    it('arguments arrive as they were typed and the handover variable is gone', () => {
      standWith(NOBODY);
      const args = ['--filter', "comm = 'a b'", '$HOME', 'ünïcode', ''];
      const found = report([process.execPath, entry.path, ...args], sudoEnv(NOBODY));
      expect(found.argv).toEqual(args);
      expect(found.env['IOHEAT_HANDOVER']).toBeUndefined();
    });

    it('the young memory of V8 is limited, unless the options of Node already say how far', () => {
      standWith(NOBODY);
      const limits = (options: string[], env: Record<string, string> = {}) => {
        const command = [process.execPath, ...options, entry.path];
        const { execArgv } = report(command, { ...sudoEnv(NOBODY), ...env });
        return execArgv.filter((option) => option.includes('semi-space'));
      };
      const chosen = '--max-semi-space-size=8';
      expect(limits([])).toEqual(['--max-semi-space-size=2']);
      expect(limits([chosen])).toEqual([chosen]);
      expect(limits([], { NODE_OPTIONS: chosen })).toEqual([]);
    });

    it('under sudo, files are written where the user may write and files of root stay unreadable', () => {
      standWith(NOBODY);
      const found = report([process.execPath, entry.path], sudoEnv(NOBODY));
      expect(found).toMatchObject({ writeHere: 'ok', readShadow: 'EACCES', becomeRoot: 'EPERM' });
    });

    it('under sudo, home and user name are those of the user', () => {
      standWith(NOBODY);
      const { env } = report([process.execPath, entry.path], sudoEnv(NOBODY));
      const home = execFileSync('getent', ['passwd', 'nobody'], { encoding: 'utf8' }).split(':')[5];
      expect(env).toMatchObject({ HOME: home, USER: 'nobody', LOGNAME: 'nobody' });
    });

    it('under sudo, a user without an account keeps only the group that sudo named', () => {
      standWith(54321);
      const found = report([process.execPath, entry.path], sudoEnv(54321, 54322));
      expectUnprivileged(found, 54321, 54322);
      expect(found.groups).toEqual([54322]);
      expect(found.env).toEqual({ HOME: '/' });
    });

    it.each([
      ['SUDO_UID', 'abc', '1000'],
      ['SUDO_UID', '-1', '1000'],
      ['SUDO_UID', '', '1000'],
      ['SUDO_UID', '4294967295', '1000'],
      ['SUDO_UID', '4294968296', '1000'],
      ['SUDO_UID', '99999999999999999999', '1000'],
      ['SUDO_GID', '1000', 'abc'],
      ['SUDO_GID', '1000', '-1'],
      ['SUDO_GID', '54321', '0'],
    ])('a wrong %s in the pair %j, %j is refused before anything is attached', (name, uid, gid) => {
      const env = { SUDO_UID: uid, SUDO_GID: gid };
      const { status, stdout, stderr } = run([process.execPath, entry.path], env);
      expect({ status, stdout }).toEqual({ status: 3, stdout: '' });
      expect(stderr).toContain(`${name} is ${JSON.stringify(env[name as 'SUDO_UID'])}`);
    });

    it('under sudo, a script that the user cannot read is explained', () => {
      const locked = join(entry.folder, 'locked');
      mkdirSync(locked, { mode: 0o700 });
      copyFileSync(entry.path, join(locked, 'entry.mjs'));
      const { status, stderr } = run(
        [process.execPath, join(locked, 'entry.mjs')],
        sudoEnv(NOBODY),
      );
      expect(status).toBe(1);
      expect(stderr).toContain('cannot drop root privileges: EACCES');
      expect(stderr).toContain('--stay-root');
    });
  });

  describe('started by root itself', () => {
    it('started by root, the process keeps user ID 0 without a capability, and exec gives nothing back', () => {
      standWith(0);
      const found = report([process.execPath, entry.path]);
      expect(found.kind).toBe('bare-root');
      expectUnprivileged(found, 0, 0);
      expect(found.value).toBe(4711);
    });

    it('started by root, the process can write into directories of root and of nobody else', () => {
      standWith(0);
      expect(report([process.execPath, entry.path]).writeHere).toBe('ok');
      standWith(NOBODY);
      expect(report([process.execPath, entry.path]).writeHere).toBe('EACCES');
    });

    it('sudo typed in a shell of root counts as root itself', () => {
      standWith(0);
      expect(report([process.execPath, entry.path], sudoEnv(0)).kind).toBe('bare-root');
    });

    it('started by root with --stay-root, the process keeps everything', () => {
      const found = report([process.execPath, entry.path, '--stay-root'], sudoEnv(NOBODY));
      expect(found.kind).toBe('stay-root');
      const own = parseThreadRights(found.statuses[0] ?? '');
      expect(own).toMatchObject({ uids: [0, 0, 0, 0], noNewPrivs: false });
      expect(own?.effective).not.toBe(0n);
    });
  });

  describe('started by an ordinary user', () => {
    it('started by an ordinary user, the process drops ambient capabilities', () => {
      standWith(NOBODY);
      const command = ['setpriv', ...AS_NOBODY, ...WITH_TRACING, process.execPath, entry.path];
      const found = report(command);
      const bounding = parseThreadRights(found.childStatus)?.bounding;
      expect(found).toMatchObject({ kind: 'own-user', value: 4711, writeHere: 'ok' });
      // Only CAP_SETPCAP may drop it; under no_new_privs it gives nothing.
      expectUnprivileged(found, NOBODY, NOBODY, bounding);
    });

    it('started by an ordinary user without rights, ioheat exits with 3 and the exact command to type', () => {
      const command = ['setpriv', ...AS_NOBODY, process.execPath, entry.path, '--disk', 'a b'];
      const { status, stdout, stderr } = run(command);
      expect({ status, stdout }).toEqual({ status: 3, stdout: '' });
      expect(stderr).toBe(
        'not permitted to trace the kernel: it has neither CAP_BPF with CAP_PERFMON nor ' +
          `CAP_SYS_ADMIN; run: sudo ${process.execPath} ${entry.path} --disk 'a b'\n`,
      );
    });

    it('capabilities of a user namespace are not mistaken for real ones', () => {
      const found = run(['unshare', '--user', '--map-root-user', process.execPath, entry.path]);
      expect(found.status).toBe(3);
      expect(found.stderr).toContain('user namespace');
    });
  });

  describe('with capabilities on the node file', () => {
    let node: string;
    beforeAll(() => {
      node = join(entry.folder, 'node');
      copyFileSync(process.execPath, node);
      execFileSync('setcap', ['cap_bpf,cap_perfmon+ep', node]);
    });

    it('with capabilities on the node file, exec does not give them back', () => {
      standWith(NOBODY);
      const found = report(['setpriv', ...AS_NOBODY, node, entry.path]);
      expect(found).toMatchObject({ kind: 'own-user', value: 4711 });
      expectUnprivileged(found, NOBODY, NOBODY, parseThreadRights(found.childStatus)?.bounding);
    });

    it('with capabilities on the node file, sudo still works', () => {
      standWith(NOBODY);
      const found = report([node, entry.path], sudoEnv(NOBODY));
      expectUnprivileged(found, NOBODY, NOBODY, parseThreadRights(found.childStatus)?.bounding);
    });
  });

  describe('what is refused', () => {
    it('a handover of a descriptor that is not open is refused', () => {
      const { status, stderr } = run([process.execPath, entry.path, '--bad-fd'], sudoEnv(NOBODY));
      expect(status).toBe(1);
      expect(stderr).toContain('fcntl 999: bad file descriptor (EBADF)');
    });

    it('a handover variable of another process is refused', () => {
      const { status, stderr } = run([process.execPath, entry.path], {
        IOHEAT_HANDOVER: JSON.stringify({ pid: 1, kind: 'own-user' }),
      });
      expect(status).toBe(1);
      expect(stderr).toContain('unset IOHEAT_HANDOVER');
    });

    it('a forged handover to a process that is still privileged is refused', () => {
      const envelope =
        '{\\"pid\\":$$,\\"kind\\":\\"bare-root\\",\\"uid\\":0,\\"gid\\":0,' +
        '\\"boundingDropped\\":true,\\"fds\\":[],\\"payload\\":{}}';
      const script = `IOHEAT_HANDOVER="${envelope}" exec "$0" "$1"`;
      const { status, stderr } = run(['sh', '-c', script, process.execPath, entry.path]);
      expect(status).toBe(1);
      expect(stderr).toMatch(/cannot drop root privileges: thread \d+ may gain privileges/);
    });
  });
});
