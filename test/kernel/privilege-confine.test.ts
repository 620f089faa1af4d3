import { spawnSync } from 'node:child_process';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { parseThreadRights } from '../../src/kernel/privilege/capabilities.ts';
import {
  ARCHITECTURES,
  callNumber,
  type SystemCall,
} from '../../src/kernel/privilege/filter/call-numbers.ts';
import { bundleEntry, type BundledEntry } from './fixtures/bundle-entry.ts';
import type { ConfineReport, Request } from './fixtures/confine-entry.ts';

const ARCHITECTURE = ARCHITECTURES.find((one) => one === process.arch);
const EPERM = 1;
const ENOSYS = 38;
const AF_UNIX = 1;
const AF_INET = 2;
const SOCK_STREAM = 1;
/** socket(2), which has no entry in the program's table because nothing there needs it. */
const SOCKET = process.arch === 'x64' ? 41 : 198;
const TIOCSTI = 0x5412;

function request(call: SystemCall, ...args: readonly number[]): Request {
  const number = ARCHITECTURE && callNumber(call, ARCHITECTURE);
  return { number: number ?? -1, arguments: args };
}

/** No calls are known by number elsewhere, and nothing is confined. */
describe.skipIf(ARCHITECTURE === undefined)('a confined process', () => {
  let entry: BundledEntry;
  beforeAll(async () => {
    entry = await bundleEntry('test/kernel/fixtures/confine-entry.ts');
  });
  afterAll(() => {
    entry.dispose();
  });

  const run = (thread: 'main' | 'worker' | 'pool' | 'all', requests: readonly Request[]) =>
    spawnSync(process.execPath, [entry.path, thread, JSON.stringify(requests)], {
      encoding: 'utf8',
    });
  const report = (requests: readonly Request[]): ConfineReport => {
    const { status, signal, stdout, stderr } = run('all', requests);
    expect({ status, signal, stderr }).toEqual({ status: 0, signal: null, stderr: '' });
    return JSON.parse(stdout) as ConfineReport;
  };

  it('a confined process has the filter on every thread, existing and new', () => {
    const { confined, statuses } = report([]);
    expect(confined).toEqual({ ok: true });
    expect(statuses.length).toBeGreaterThan(8);
    for (const status of statuses)
      expect(parseThreadRights(status)).toMatchObject({ seccomp: 2, noNewPrivs: true });
  });

  it('a confined process is refused sockets, other processes and kernel files on every thread, and continues', () => {
    const refused: readonly Request[] = [
      { number: SOCKET, arguments: [AF_UNIX, SOCK_STREAM, 0] },
      { number: SOCKET, arguments: [AF_INET, SOCK_STREAM, 0] },
      request('kill', 1, 0),
      request('ioctl', 0, 0x8912, 0),
      request('prctl', 4, 1),
    ];
    const { results } = report([...refused, request('getpid')]);
    const expected = refused.map(() => -EPERM);
    expect(results.main.slice(0, -1)).toEqual(expected);
    expect(results.worker.slice(0, -1)).toEqual(expected);
    expect(results.pool.slice(0, -1)).toEqual(refused.map(() => -1));
    for (const { [refused.length]: pid } of Object.values(results)) expect(pid).toBeGreaterThan(1);
  });

  it('in a confined process io_uring and calls of newer kernels fail as unknown', () => {
    const { results } = report([request('io_uring_setup', 8, 0), { number: 460, arguments: [] }]);
    expect(results.main).toEqual([-ENOSYS, -ENOSYS]);
  });

  it('a confined process cannot start a program, and Node continues', () => {
    const { spawned, connected } = report([]);
    expect(spawned).toBe('spawn EPERM');
    expect(connected).toBe('EPERM');
  });

  const ATTACKS: readonly (readonly [name: string, attack: Request])[] = [
    ['bpf', request('bpf', 0, 0, 0)],
    ['ioctl(TIOCSTI)', request('ioctl', 0, TIOCSTI, 0)],
    ['execve', request('execve', 0, 0, 0)],
    ['ptrace', request('ptrace', 16, 1, 0, 0)],
    ['perf_event_open', request('perf_event_open', 0, 0, -1, -1, 0)],
    ['process_vm_readv', request('process_vm_readv', 1, 0, 0, 0, 0, 0)],
    ['userfaultfd', request('userfaultfd', 0)],
    ['setuid', request('setuid', 0)],
    ['unshare', request('unshare', 0x1000_0000)],
  ];
  const CASES = [
    ...ATTACKS.map(([name, attack]) => ['main', name, attack] as const),
    ...ATTACKS.slice(0, 2).flatMap(([name, attack]) => [
      ['worker', name, attack] as const,
      ['pool', name, attack] as const,
    ]),
  ];

  it.each(CASES)(
    'a confined process is killed by SIGSYS when its %s thread calls %s',
    (thread, _name, attack) => {
      const { status, signal, stdout } = run(thread, [attack]);
      expect({ status, signal, stdout }).toEqual({ status: null, signal: 'SIGSYS', stdout: '' });
    },
  );
});
