import { execFileSync, spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { mkdtempSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** The kernel calls a process after the file that it was started from, byte for byte. */
export class RenamedDd {
  private readonly folder = mkdtempSync(join(tmpdir(), 'ioheat-names-'));
  /** Empty, for files that a test makes. */
  readonly scratch = mkdtempSync(join(tmpdir(), 'ioheat-scratch-'));
  private readonly running: ChildProcess[] = [];

  constructor(names: readonly Uint8Array[]) {
    const dd = execFileSync('/bin/sh', ['-c', 'command -v dd'], { encoding: 'utf8' }).trim();
    for (const name of names)
      symlinkSync(dd, Buffer.concat([Buffer.from(`${this.folder}/`), name]));
  }

  /** Each of them reads so many blocks of 4 KiB past the page cache, one after the other. */
  read(device: string, blocks: number): Promise<void> {
    const script = `cd "$0" && for name in *; do
      "./$name" if="$1" of=/dev/null iflag=direct bs=4k count="$2" status=none || exit
    done`;
    const args = ['-c', script, this.folder, device, String(blocks)];
    const child = spawn('/bin/bash', args, { stdio: 'ignore', env: { LC_ALL: 'C' } });
    this.running.push(child);
    return new Promise((resolve, reject) => {
      child.on('error', reject);
      child.on('exit', (code) => {
        if (code === 0) resolve();
        else reject(new Error(`dd ended with ${String(code)}`));
      });
    });
  }

  dispose(): void {
    for (const child of this.running) child.kill('SIGKILL');
    for (const folder of [this.folder, this.scratch]) rmSync(folder, { recursive: true });
  }
}
