import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, chownSync, rmSync, statSync } from 'node:fs';
import { open } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { ensureBuilt, IOHEAT } from '../e2e/build.ts';
import { AddressWitness } from '../load/address-witness.ts';
import { scanMemory } from '../load/process-memory.ts';
import { buildSlowFile, SlowDisk } from '../load/slow-file/slow-file.ts';
import { bundleEntry, type BundledEntry } from './fixtures/bundle-entry.ts';
import { needs } from '../needs.ts';

const NOBODY = 65534;
const READS = 8;
const USER = { SUDO_UID: `${NOBODY}`, SUDO_GID: `${NOBODY}`, SUDO_USER: 'nobody' };

describe('what a trace shows to an unprivileged process', needs('tracing'), () => {
  let slowFile: BundledEntry;
  let holder: BundledEntry;
  let folder: string;
  let disk: SlowDisk;
  let witness: AddressWitness;
  let traced: ChildProcess | undefined;
  beforeAll(async () => {
    ensureBuilt();
    slowFile = await buildSlowFile();
    holder = await bundleEntry('test/kernel/fixtures/address-holder-entry.ts');
  });
  afterAll(() => {
    slowFile.dispose();
    holder.dispose();
  });
  beforeEach(async () => {
    folder = mkdtempSync(join(tmpdir(), 'ioheat-addresses-'));
    chownSync(folder, NOBODY, NOBODY);
    disk = await SlowDisk.start(slowFile, 1 << 20);
    witness = AddressWitness.start(disk.loop.dev);
  });
  afterEach(async () => {
    if (traced?.exitCode === null) {
      const exit = once(traced, 'exit');
      traced.kill('SIGTERM');
      await exit;
    }
    witness.dispose();
    await disk.dispose();
    rmSync(folder, { recursive: true });
  });

  function start(args: readonly string[]): ChildProcess {
    return spawn(process.execPath, args, {
      cwd: folder,
      env: { PATH: process.env['PATH'], ...USER },
      stdio: ['pipe', 'pipe', 'inherit'],
    });
  }

  /** Leaves eight reads under way until the returned function is called. */
  async function hangingReads(): Promise<() => Promise<void>> {
    const file = await open(disk.loop.path, 'r');
    disk.hang();
    const reads = Array.from({ length: READS }, (_, index) =>
      file.read(Buffer.alloc(512), 0, 512, index << 17),
    );
    const release = async (): Promise<void> => {
      disk.resume();
      await Promise.all(reads);
      await file.close();
    };
    try {
      // Node's four threads each wait for one.
      await expect
        .poll(() => witness.requests().length, { timeout: 10_000 })
        .toBeGreaterThanOrEqual(4);
    } catch (error) {
      await release();
      throw error;
    }
    return release;
  }

  async function expectNoAddresses(pid: number): Promise<void> {
    expect(statSync(`/proc/${pid}`).uid).toBe(NOBODY);
    const release = await hangingReads();
    try {
      const addresses = [...witness.requests(), ...witness.bios()];
      for (const address of addresses) expect(address).toBeGreaterThan(0xffff_8000_0000_0000n);
      const { found, bytes, mappings } = scanMemory(pid, addresses);
      expect(bytes).toBeGreaterThan(16 << 20);
      expect([...mappings]).toContain('anon_inode:bpf-map');
      expect([...found].map((address) => address.toString(16))).toEqual([]);
    } finally {
      await release();
    }
  }

  it('an unprivileged process that records has no address of a request or bio in its memory', async () => {
    const file = join(folder, 'trace.ioheat');
    traced = start([IOHEAT, 'record', file]);
    await expect.poll(() => existsSync(file), { timeout: 20_000 }).toBe(true);
    await expectNoAddresses(traced.pid!);
  });

  it('on a kernel where owners go by the bio, an unprivileged process has no address of a bio in its memory', async () => {
    traced = start([holder.path]);
    await once(traced.stdout!, 'data');
    await expectNoAddresses(traced.pid!);
  });
});
