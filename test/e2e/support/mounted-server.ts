import { execFileSync, spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, readFileSync, rmdirSync } from 'node:fs';
import { join } from 'node:path';
import { findCgroupRoot } from '../../../src/kernel/machine/cgroups.ts';
import { until } from '../../until.ts';

/** Where the disk is mounted, in a namespace of its own. */
const MOUNT_POINT = '/srv';

let created = 0;

/** A machine within this one: a disk that nobody else sees mounted, and services in cgroups. Gone when it is disposed. */
export class MountedServer {
  private readonly group: string;
  private readonly services: ChildProcess[] = [];

  private constructor(private readonly holder: ChildProcess) {
    this.group = join(findCgroupRoot()!, `ioheat-server-${process.pid}-${created++}`);
    mkdirSync(this.group);
  }

  static async start(device: string): Promise<MountedServer> {
    const script = `mount "$0" ${MOUNT_POINT} && echo mounted && exec sleep infinity`;
    const holder = spawn('unshare', ['-m', 'sh', '-ec', script, device], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    await once(holder.stdout, 'data');
    return new MountedServer(holder);
  }

  /** The words before a command that is to see the disk. */
  get enter(): readonly string[] {
    return ['nsenter', '-m', '-t', String(this.holder.pid)];
  }

  /** Runs a script as root to its end. */
  run(script: string, parameters: readonly string[] = []): string {
    const [command, ...args] = [...this.enter, 'sh', '-ec', `cd ${MOUNT_POINT}; ${script}`];
    return execFileSync(command, [...args, 'sh', ...parameters], {
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'pipe'],
    });
  }

  /** Starts a script in a cgroup, such as `backup.service`. */
  startService(name: string, script: string): ChildProcess {
    const folder = join(this.group, name);
    mkdirSync(folder, { recursive: true });
    // The cgroups need not be mounted where the namespace sees them: enter the group first.
    const inside = [...this.enter, 'sh', '-ec', `cd ${MOUNT_POINT}; ${script}`];
    const service = spawn(
      'sh',
      ['-ec', 'echo $$ > "$0/cgroup.procs"; exec "$@"', folder, ...inside],
      { stdio: ['ignore', 'ignore', 'inherit'] },
    );
    this.services.push(service);
    return service;
  }

  /** Ends what is left in the cgroups, which have all that the services started. */
  async dispose(): Promise<void> {
    const names = [...new Set(this.services.map((service) => serviceFolder(service)))];
    for (const folder of names) await endAll(folder);
    for (const folder of names) rmdirSync(folder);
    rmdirSync(this.group);
    const ended = once(this.holder, 'exit');
    this.holder.kill('SIGKILL');
    await ended;
  }
}

function serviceFolder({ spawnargs }: ChildProcess): string {
  return spawnargs[3]!;
}

async function endAll(folder: string): Promise<void> {
  await until(() => {
    const pids = readFileSync(join(folder, 'cgroup.procs'), 'utf8').split('\n').filter(Boolean);
    for (const pid of pids) endOne(Number(pid));
    return pids.length === 0;
  }, 'the end of the server');
}

/** It may have ended by itself. */
function endOne(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL');
  } catch (cause) {
    if (!(cause instanceof Error && 'code' in cause && cause.code === 'ESRCH')) throw cause;
  }
}
