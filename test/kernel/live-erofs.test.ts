import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { LoopDevice } from '../load/loop-device.ts';
import { needs } from '../needs.ts';
import { inside } from './fixtures/mounted.ts';
import { TraceSession } from './fixtures/trace-session.ts';

const BYTES = 64 << 20;
/** Some of what is read of it goes to a cache of the file system, which is no file. */
const TEXT = Array.from({ length: 400_000 }, (_, line) => `${line}\n`).join('');

/** Makes a compressed file system with one file, `text`, on the disk. */
function makeErofs(device: string): void {
  const top = mkdtempSync(join(tmpdir(), 'ioheat-erofs-'));
  const [folder, image] = [join(top, 'folder'), join(top, 'image')];
  try {
    mkdirSync(folder);
    writeFileSync(join(folder, 'text'), TEXT);
    execFileSync('mkfs.erofs', ['-zlz4', image, folder], { stdio: 'ignore' });
    // The file system reads behind the cache of the device.
    writeFileSync(device, readFileSync(image), { flush: true });
  } finally {
    rmSync(top, { recursive: true });
  }
}

describe('compressed EROFS', () => {
  it('has no files but its own', needs('tracing', { fileSystem: 'erofs' }), () => {
    const disk = LoopDevice.create({ bytes: BYTES });
    const session = TraceSession.open();
    try {
      makeErofs(disk.path);
      session.focus(disk.dev);
      const inode = Number(inside(disk.path, 'cat text >/dev/null && stat -c %i text'));
      const reads = session.take(disk.dev).filter(({ key }) => key.comm === 'cat');
      const files = reads.filter(({ file }) => file.kind !== 'metadata' && file.kind !== 'device');
      const seen = new Set(files.map(({ file }) => `${file.kind} ${file.inode}`));
      expect([...seen].toSorted()).toEqual([`file ${inode}`, 'unknown 0']);
    } finally {
      session.dispose();
      disk.dispose();
    }
  });
});
