import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { bundleEntry, type BundledEntry } from '../../kernel/fixtures/bundle-entry.ts';
import { LoopDevice, type AttachOptions } from '../loop-device.ts';
import type { SlowOrder, SlowReply, SlowRule } from './rules.ts';

/** Over it, in a namespace of its own: nobody else sees the file system there. */
const MOUNT_POINT = '/mnt';

/** The server's program as plain JavaScript. */
export function buildSlowFile(): Promise<BundledEntry> {
  return bundleEntry('test/load/slow-file/server-main.ts');
}

/** A disk whose every request takes as long, and ends as, the test says. */
export class SlowDisk {
  private orders = 0;

  private constructor(
    readonly loop: LoopDevice,
    private readonly server: ChildProcess,
  ) {}

  static async start(
    program: BundledEntry,
    bytes: number,
    options: AttachOptions = {},
  ): Promise<SlowDisk> {
    const args = ['-m', process.execPath, program.path, MOUNT_POINT, String(bytes)];
    const server = spawn('unshare', args, { stdio: ['ignore', 'inherit', 'inherit', 'ipc'] });
    try {
      await inForce(server, 0);
      const over = { ...options, directIo: true };
      return new SlowDisk(LoopDevice.over(pathOn(server), over), server);
    } catch (cause) {
      await end(server);
      throw cause;
    }
  }

  get pid(): number {
    return this.server.pid!;
  }

  /** Of the file that the disk is over, on FUSE. */
  get path(): string {
    return pathOn(this.server);
  }

  /** From its return on, new requests follow these rules instead of the ones before. */
  async setRules(rules: readonly SlowRule[]): Promise<void> {
    const order: SlowOrder = { id: ++this.orders, rules };
    this.server.send(order);
    await inForce(this.server, order.id);
  }

  /** No request is answered until `resume`. */
  hang(): void {
    this.server.kill('SIGSTOP');
  }

  resume(): void {
    this.server.kill('SIGCONT');
  }

  /** What is still under way fails. */
  async dispose(): Promise<void> {
    await end(this.server);
    this.loop.dispose();
  }
}

function pathOn({ pid }: ChildProcess): string {
  return join('/proc', String(pid), 'root', MOUNT_POINT, 'disk');
}

async function end(server: ChildProcess): Promise<void> {
  if (server.exitCode !== null || server.signalCode !== null) return;
  const exit = once(server, 'exit');
  // Reaches a stopped process as well.
  server.kill('SIGKILL');
  await exit;
}

function inForce(server: ChildProcess, id: number): Promise<void> {
  return new Promise((resolve, reject) => {
    const settle = (error?: Error): void => {
      server.off('message', listen).off('exit', fail).off('error', settle);
      if (error === undefined) resolve();
      else reject(error);
    };
    const listen = (reply: SlowReply): void => {
      if (reply.inForce === id) settle();
    };
    const fail = (code: number | null): void => {
      settle(new Error(`the server of the slow file ended with ${String(code)}`));
    };
    server.on('message', listen).on('exit', fail).on('error', settle);
  });
}
